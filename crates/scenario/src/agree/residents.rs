//! Who belongs to which partition: guests and the volumes that they do I/O to are in the same one.
//!
//! It leaves out recorded I/O, which stands in files of its own, and whether the names exist.

use super::Names;
use crate::language::{
    ANY, GUESTS, IO, Key, MINIDISKS, OF_PARTITION, ON_VOLUME, ONE, ONE_MINIDISK, PARTITION, PARTITIONS, PROGRAM,
    RUNS_IN, STEPS, VOLUME, VOLUMES, WEIGHTED, ZIPF,
};
use crate::problems::Problems;
use crate::resolved::Table;
use crate::text::At;
use machine::plan::Target;
use std::collections::BTreeSet;
use units::Problem;

/// Checks every I/O of every program.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    if root.tables(&PARTITIONS).is_empty() {
        return;
    }
    for guest in root.tables(&GUESTS) {
        let mut ios = Vec::new();
        guest.tables(&PROGRAM).iter().for_each(|step| collect(step, &mut ios));
        for io in ios {
            check_io(root, guest, &io, (names, problems));
        }
    }
}

/// Where an I/O may go: the name, its place, and what a message calls it.
struct Reference<'t> {
    name: &'t str,
    at: At,
    key: String,
}

fn collect<'t>(step: &'t Table, ios: &mut Vec<Reference<'t>>) {
    if let Some(io) = step.table(&IO) {
        let reference = |key: &Key, name: &'t str, at| Reference { name, at, key: io.path(key) };
        for key in [&ONE, &ONE_MINIDISK] {
            ios.extend(io.text(key).map(|name| reference(key, name, io.at(key))));
        }
        for key in [&ANY, &ZIPF] {
            ios.extend(io.references(key).iter().map(|listed| reference(key, &listed.name, listed.at)));
        }
        ios.extend(io.weights(&WEIGHTED).iter().map(|weight| reference(&WEIGHTED, &weight.name, weight.at)));
    }
    step.tables(&STEPS).iter().for_each(|step| collect(step, ios));
}

fn check_io(root: &Table, guest: &Table, io: &Reference<'_>, (names, problems): (&Names, &mut Problems<'_>)) {
    let number = match names.target(io.name) {
        Some(Target::Volume(number)) => Some(number),
        Some(Target::Minidisk(number)) => {
            root.tables(&MINIDISKS)[number].text(&ON_VOLUME).and_then(|name| names.index(&VOLUME, name))
        }
        None => None,
    };
    let Some(volume) = number.map(|number| &root.tables(&VOLUMES)[number]) else { return };
    let (here, there) = (guest.text(&RUNS_IN), volume.text(&OF_PARTITION));
    let unread = |table: &Table, key: &Key| table.misspelt.contains(&key.name);
    let unknown = |name: Option<&str>| name.is_some_and(|name| names.index(&PARTITION, name).is_none());
    if here == there || unknown(here) || unknown(there) || unread(guest, &RUNS_IN) || unread(volume, &OF_PARTITION) {
        return;
    }
    let title = volume.title();
    let belongs = there.map_or(format!("{title} is in no partition"), |there| format!("{title} is in `{there}`"));
    let (runs, remedy) = match (here, there) {
        (None, Some(there)) => ("a guest in no partition".to_string(), format!("partition = \"{there}\" in the guest")),
        (Some(here), _) => (format!("a guest in partition `{here}`"), format!("partition = \"{here}\" in {title}")),
        (None, None) => unreachable!("they differ"),
    };
    let problem = Problem::new(format!("I/O to `{}` by {runs}", io.name))
        .key(io.key.clone())
        .because(format!("{belongs}, and the partition that starts an I/O handles the interrupt at its end"))
        .allowed([remedy]);
    problems.add(io.at, problem);
}

/// Names the partitions in which nobody runs.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let inhabited: BTreeSet<&str> = root.tables(&GUESTS).iter().filter_map(|guest| guest.text(&RUNS_IN)).collect();
    super::unused::unused(root.tables(&PARTITIONS), &inhabited, "no guest runs in it", warnings);
}
