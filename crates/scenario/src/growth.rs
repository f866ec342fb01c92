//! More or less demand: the growth that a scenario has, and edits that multiply virtual machines, populations and rates.

use crate::document::Edit;
use crate::language::{
    ARRIVALS, COUNT, GROWTH, GUESTS, Key, MACHINE_GROWTH, MACHINES, NAME, PAGE_READS, PAGE_WRITES, PAGING_GROWTH,
    PAGINGS, RUNS_IN_MACHINES, VIRTUAL_MACHINES,
};
use crate::resolved::{Table, Value};
use std::collections::BTreeMap;
use units::PerSecond;

/// The keys of growth in tables that grow.
const KEYS: [&Key; 3] = [&GROWTH, &MACHINE_GROWTH, &PAGING_GROWTH];

/// Whether a key is growth of the load that is written beside it.
pub fn is_growth(key: &Key) -> bool {
    KEYS.iter().any(|own| std::ptr::eq(*own, key))
}

/// How many times the load as written; 1 without growth.
pub fn factor(table: &Table) -> f64 {
    KEYS.iter().find_map(|key| table.percent(key)).map_or(1.0, |growth| 1.0 + growth.percent() / 100.0)
}

/// A whole number of a table with its growth.
pub fn count(table: &Table, key: &Key) -> Option<u32> {
    let count = table.count(key)?;
    let grown = rounded(f64::from(count) * factor(table));
    Some(if grown < f64::from(u32::MAX) { grown as u32 } else { u32::MAX })
}

/// A rate of a table with its growth.
pub fn rate(table: &Table, key: &Key) -> Option<PerSecond> {
    match table.value(key) {
        Some(Value::Rate(rate)) => Some(PerSecond::new(rate.value.per_second() * factor(table))),
        _ => None,
    }
}

/// The numbers of a table with and without growth, for people: "140 in place of 100".
pub fn stated(table: &Table) -> Option<String> {
    let counted = [&COUNT, &MACHINES].into_iter().find(|key| table.entry(key).is_some());
    if let Some(key) = counted {
        return Some(format!("{} in place of {}", count(table, key)?, table.count(key)?));
    }
    let of = |key: &'static Key| match table.value(key) {
        Some(Value::Rate(written)) => {
            Some(format!("{}/s in place of {}", decimal(rate(table, key)?.per_second()), written.text))
        }
        _ => None,
    };
    let rates: Vec<String> = [&ARRIVALS, &PAGE_READS, &PAGE_WRITES].into_iter().filter_map(of).collect();
    (!rates.is_empty()).then(|| rates.join(", "))
}

/// The edits that multiply the demand of each guest by its factor; none for 1.
///
/// Virtual machines of a kind grow as the guest in them that grows most.
pub fn edits(root: &Table, factor_of: &dyn Fn(&str) -> f64) -> Vec<Edit> {
    let guests = || root.tables(&GUESTS).iter().filter_map(|guest| Some((guest, guest.text(&NAME)?)));
    let mut edits = Vec::new();
    let mut scales = BTreeMap::new();
    for kind in root.tables(&VIRTUAL_MACHINES) {
        let (Some(name), Some(before)) = (kind.text(&NAME), kind.count(&MACHINES)) else { continue };
        let inside = guests().filter(|(guest, _)| guest.text(&RUNS_IN_MACHINES) == Some(name));
        let factor = inside.map(|(_, guest)| factor_of(guest)).reduce(f64::max).unwrap_or_else(|| factor_of(""));
        if factor == 1.0 {
            continue;
        }
        let after = rounded(f64::from(before) * factor);
        // Guests grow as their machines do, unless rounding leaves those as they are.
        let scale = if after == f64::from(before) { factor } else { after / f64::from(before) };
        scales.insert(name, (scale, factor));
        edits.push(Edit::Set(format!("virtual_machine.{name}.count={after}")));
    }
    for (guest, name) in guests() {
        let factor = factor_of(name);
        if factor == 1.0 {
            continue;
        }
        let scale = match guest.text(&RUNS_IN_MACHINES).and_then(|kind| scales.get(kind)) {
            Some((scale, most)) if *most == factor => *scale,
            Some((scale, most)) => scale / most * factor,
            None => factor,
        };
        if let Some(count) = guest.count(&COUNT) {
            edits.push(Edit::Set(format!("guest.{name}.count={}", rounded(f64::from(count) * scale))));
        }
        edits.extend(times((guest, &ARRIVALS), &format!("guest.{name}"), scale));
    }
    for paging in root.tables(&PAGINGS) {
        let Some(name) = paging.text(&NAME) else { continue };
        let factor = factor_of(name);
        if factor == 1.0 {
            continue;
        }
        let rates = [&PAGE_READS, &PAGE_WRITES].into_iter();
        edits.extend(rates.filter_map(|key| times((paging, key), &format!("paging.{name}"), factor)));
    }
    edits
}

/// The edit that multiplies a rate.
fn times((table, key): (&Table, &Key), path: &str, scale: f64) -> Option<Edit> {
    let Some(Value::Rate(rate)) = table.value(key) else { return None };
    let (number, unit) = rate.text.split_once('/')?;
    let number: f64 = number.trim().parse().expect("the number of a rate was read");
    let text = decimal(number * scale);
    Some(Edit::Set(format!("{path}.{}=\"{text}/{unit}\"", key.name)))
}

fn rounded(count: f64) -> f64 {
    (count + 0.5).floor().max(1.0)
}

/// Six decimal places at most, never an exponent.
fn decimal(number: f64) -> String {
    format!("{number:.6}").trim_end_matches('0').trim_end_matches('.').to_string()
}
