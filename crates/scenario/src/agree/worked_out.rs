//! Spans that a scenario leaves open: the usual one, or that of another key where it is shorter.

use crate::language::{Key, Need};
use crate::resolved::{Entry, Origin, Quantity, Table, Value};
use crate::text::At;

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
