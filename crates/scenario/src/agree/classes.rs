//! Classes of business: the growth that they give, and rates that growth makes too high or too low.

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
use units::{PerSecond, Problem};

/// The tables that grow, each with its key.
const GROWING: [(&Key, &Key); 3] =
    [(&GUESTS, &GROWTH), (&VIRTUAL_MACHINES, &MACHINE_GROWTH), (&PAGINGS, &PAGING_GROWTH)];
/// The fewest and the most arrivals in a second.
const BOUNDS: (f64, f64) = (0.000_001, 1_000_000.0);

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
        let Some(grown) = growth::rate(guest, &ARRIVALS).map(PerSecond::per_second) else { continue };
        let (least, most) = BOUNDS;
        let (says, why, allowed) = if grown > most {
            ("too often", "a simulation of it would not end", format!("up to {most}/s in all"))
        } else if grown < least {
            ("never", "hardly any guest would ever arrive", format!("{least}/s and more in all"))
        } else {
            continue;
        };
        if guest.entry(&GROWTH).is_some() {
            let problem = Problem::new(format!("{grown}/s with growth is {says}"));
            problems.add(guest.at(&GROWTH), problem.key(guest.path(&GROWTH)).because(why).allowed([allowed]));
        }
    }
}

/// Warns of classes of which nothing is.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let tables = GROWING.iter().flat_map(|(key, _)| root.tables(key));
    let used: BTreeSet<&str> = tables.filter_map(|table| table.text(&OF_CLASS)).collect();
    super::unused::unused(root.tables(&CLASSES), &used, "no guest belongs to it", warnings);
}
