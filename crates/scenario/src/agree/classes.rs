//! Classes of business: the growth that they give, and rates that growth makes too high.

use super::Names;
use super::worked_out::{rule, settle};
use crate::growth;
use crate::language::{
    ARRIVALS, CLASS, CLASS_GROWTH, CLASSES, COUNT, GROWTH, GUESTS, Key, MACHINE_GROWTH, OF_CLASS, PAGING_GROWTH,
    PAGINGS, VIRTUAL_MACHINES,
};
use crate::problems::Problems;
use crate::resolved::{Table, Value};
use crate::text::Text;
use std::collections::BTreeSet;
use units::Problem;

/// The tables that grow, each with its key.
const GROWING: [(&Key, &Key); 3] =
    [(&GUESTS, &GROWTH), (&VIRTUAL_MACHINES, &MACHINE_GROWTH), (&PAGINGS, &PAGING_GROWTH)];
/// The most arrivals in a second.
const MOST: f64 = 1_000_000.0;

/// Gives all of a class its growth, unless they have their own.
pub fn work_out(root: &mut Table, names: &Names, text: &Text<'_>) {
    let growths: Vec<Option<Value>> =
        root.tables(&CLASSES).iter().map(|own| own.value(&CLASS_GROWTH).cloned()).collect();
    for (tables, key) in GROWING {
        for table in root.tables_mut(tables) {
            let class = table.text(&OF_CLASS).and_then(|name| names.index(&CLASS, name));
            let grows = !std::ptr::eq(key, &GROWTH) || [&COUNT, &ARRIVALS].iter().any(|own| table.entry(own).is_some());
            let growth = class.and_then(|class| growths[class].clone()).filter(|_| grows);
            let says = |reason: &str, _: &Value| reason == rule(key);
            settle(table, key, growth.map(|growth| (growth, rule(key))), (&says, text));
        }
    }
}

/// Arrivals stay within the bounds of the language.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    for guest in root.tables(&GUESTS) {
        let grown = growth::rate(guest, &ARRIVALS).map_or(0.0, |rate| rate.per_second());
        if grown > MOST && guest.entry(&GROWTH).is_some() {
            let problem = Problem::new(format!("{grown}/s with growth is too often"))
                .key(guest.path(&GROWTH))
                .because("a simulation of it would not end")
                .allowed([format!("up to {MOST}/s in all")]);
            problems.add(guest.at(&GROWTH), problem);
        }
    }
}

/// Warns of classes of which nothing is.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let tables = GROWING.iter().flat_map(|(key, _)| root.tables(key));
    let used: BTreeSet<&str> = tables.filter_map(|table| table.text(&OF_CLASS)).collect();
    super::unused::unused(root.tables(&CLASSES), &used, "no guest belongs to it", warnings);
}
