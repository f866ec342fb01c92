//! Values that a scenario leaves open: the usual one, that of a shipped description, or that of another key.

use crate::language::{Key, Need};
use crate::mark;
use crate::resolved::{Entry, Origin, Quantity, Table, Value};
use crate::text::{At, Text};

/// A value and why.
pub type Meant = (Value, &'static str);

/// Whether the reason that a value names gives that value.
pub type Says<'a> = &'a dyn Fn(&str, &Value) -> bool;

/// The rule by which a key is worked out.
pub fn rule(key: &'static Key) -> &'static str {
    match key.need {
        Need::WorkedOut(rule) => rule,
        Need::Required(why) | Need::Default(_, why) | Need::Optional(why) => why,
        Need::Defaults => "",
    }
}

/// Sets the default where the scenario has no value; `says` is whether the reason that a value names gives that value.
pub fn settle(table: &mut Table, key: &'static Key, meant: Option<Meant>, (says, text): (Says<'_>, &Text<'_>)) {
    let own = table.entries.iter_mut().position(|entry| std::ptr::eq(entry.key, key));
    if let Some(own) = own {
        let entry = &mut table.entries[own];
        if !entry.is_default() {
            return;
        }
        // Marked as worked out: from a shipped description, or by a later change.
        let reason = mark::reason(text.comment(entry.at)).unwrap_or_default();
        if !says(reason, &entry.value) {
            entry.origin = Origin::Written;
            return;
        }
        table.entries.remove(own);
    }
    if let Some((value, why)) = meant {
        table.put(Entry { key, value, at: At::Nowhere, origin: Origin::Default(why) });
    }
}

/// Whether two values of a key are the same.
pub fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Count(one), Value::Count(other)) => one == other,
        (Value::Text(one), Value::Text(other)) => one == other,
        (Value::Span(one), Value::Span(other)) => one.value == other.value,
        _ => false,
    }
}

/// Sets the span of a key without a value: the usual span, or the most that another key allows.
pub fn span(table: &mut Table, key: &'static Key, usual: &str, most: &Key) {
    let Need::WorkedOut(rule) = key.need else { return };
    let (Some(limit), Some(text)) = (table.span(most), table.span_text(most)) else { return };
    let usual = Quantity { value: usual.parse().expect("the usual is a span"), text: usual.into() };
    let meant = if limit < usual.value { Quantity { value: limit, text: text.to_string() } } else { usual };
    let written = table.span(key).filter(|written| *written <= limit);
    // Marked as worked out: for another limit if it does not fit this one, else by a later change.
    table.entries.retain(|entry| !(std::ptr::eq(entry.key, key) && entry.is_default() && written.is_none()));
    match table.entries.iter_mut().find(|entry| std::ptr::eq(entry.key, key)) {
        Some(entry) if entry.is_default() && written != Some(meant.value) => entry.origin = Origin::Written,
        Some(_) => {}
        None => table.put(Entry { key, value: Value::Span(meant), at: At::Nowhere, origin: Origin::Default(rule) }),
    }
}
