//! Doubts: parts that nothing uses, and numbers that come from nowhere.

use super::{channels, front_ends, paging, steps};
use crate::explain;
use crate::language::{
    ALIAS_POOLS, CHANNELS, CONTROL_UNITS, FROM_POOL, GUESTS, Key, MINIDISKS, NAME, ON_CONTROL_UNIT, ON_VOLUME, PAGINGS,
    REPLAY, VOLUMES,
};
use crate::problems::Problems;
use crate::resolved::Table;
use crate::text::At;
use std::collections::BTreeSet;
use units::Problem;

/// Names the pools, channels, control units, volumes and minidisks that nothing uses.
pub fn check(root: &Table, warnings: &mut Problems<'_>) {
    let volumes = root.tables(&VOLUMES);
    let referred = |key: &Key| volumes.iter().filter_map(|volume| volume.text(key)).collect::<BTreeSet<_>>();
    unused(root.tables(&ALIAS_POOLS), &referred(&FROM_POOL), "no volume borrows from it", warnings);
    unused(root.tables(&CHANNELS), &channels::used(root), "no control unit has it in its path group", warnings);
    unused(root.tables(&CONTROL_UNITS), &referred(&ON_CONTROL_UNIT), "no volume is on it", warnings);
    if root.tables(&GUESTS).iter().any(|guest| guest.entry(&REPLAY).is_some()) {
        // The volumes of recorded I/O are in another file.
        return;
    }
    let minidisks = root.tables(&MINIDISKS);
    let ios = root.tables(&GUESTS).iter().flat_map(steps::all).flat_map(steps::targets);
    let mut busy: BTreeSet<&str> = ios.map(|io| io.name).collect();
    busy.extend(root.tables(&PAGINGS).iter().flat_map(paging::targets).map(|io| io.name));
    unused(minidisks, &busy, "no guest does I/O to it", warnings);
    busy.extend(minidisks.iter().filter_map(|minidisk| minidisk.text(&ON_VOLUME)));
    busy.extend(front_ends::volumes(root));
    unused(volumes, &busy, "no guest does I/O to it", warnings);
}

/// Names the tables of a kind that nothing uses.
pub fn unused(tables: &[Table], used: &BTreeSet<&str>, why: &str, warnings: &mut Problems<'_>) {
    let idle: Vec<&Table> =
        tables.iter().filter(|table| !table.text(&NAME).is_some_and(|n| used.contains(n))).collect();
    let Some(first) = idle.first() else { return };
    let more = match idle.len() {
        1 => String::new(),
        count => format!(", and {} more like it", count - 1),
    };
    warnings.add(first.at, Problem::new(format!("{} is not used: {why}{more}", first.title())).key(first.title()));
}

/// Says how many numbers have neither a note nor a document.
pub fn sources(root: &Table, warnings: &mut Problems<'_>) {
    let rows = explain::rows(root);
    let bare: Vec<_> = rows.iter().filter(|row| row.role == explain::Role::Input && row.why.is_empty()).collect();
    let Some(first) = bare.first() else { return };
    let problem = Problem::new(format!("{} numbers come from nowhere, the first is {}", bare.len(), first.key))
        .key(first.key.clone())
        .because("a result is as good as what its numbers rest on")
        .allowed(["[source] for the whole scenario", "assume, calibrated, borrowed or source in a table"]);
    warnings.add(At::Nowhere, problem);
}
