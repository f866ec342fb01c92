//! The partition of each part: guests, the volumes that they do I/O to, and their front ends are in the same one.

use super::steps::{self, Reference};
use super::{Names, control_programs, paging};
use crate::language::{
    FRONT_END, FRONT_ENDS, GUESTS, HOST, Key, MINIDISKS, OF_PARTITION, ON_VOLUME, PAGINGS, PARTITION, PARTITIONS,
    RUNS_IN, RUNS_IN_MACHINES, SUBCHANNEL, VIRTUAL_MACHINES, VOLUME, VOLUMES,
};
use crate::problems::Problems;
use crate::resolved::Table;
use machine::plan::Target;
use std::collections::BTreeSet;
use units::Problem;

/// Checks every I/O and every message of every program.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    if root.tables(&PARTITIONS).is_empty() {
        return;
    }
    for guest in root.tables(&GUESTS) {
        for step in steps::all(guest) {
            for io in steps::targets(step) {
                let does = format!("I/O to `{}`", io.name);
                check_volume(guest, volume(root, &io, names), (does, &io), (names, problems));
            }
            if let Some(message) = steps::message(step) {
                let does = format!("a message through `{}`", message.name);
                check_volume(guest, subchannel(root, &message, names), (does, &message), (names, problems));
            }
        }
    }
    for own in root.tables(&PAGINGS) {
        for io in paging::targets(own) {
            let does = format!("paging to `{}`", io.name);
            check_volume(own, volume(root, &io, names), (does, &io), (names, problems));
        }
    }
}

/// The volume to which an I/O goes.
fn volume<'t>(root: &'t Table, io: &Reference<'_>, names: &Names) -> Option<&'t Table> {
    let number = match names.target(io.name)? {
        Target::Volume(number) => number,
        Target::Minidisk(number) => names.index(&VOLUME, root.tables(&MINIDISKS)[number].text(&ON_VOLUME)?)?,
    };
    root.tables(&VOLUMES).get(number).filter(|volume| !is_refused(root, volume, names))
}

/// The volume that carries a message.
fn subchannel<'t>(root: &'t Table, message: &Reference<'_>, names: &Names) -> Option<&'t Table> {
    let front_end = &root.tables(&FRONT_ENDS)[names.index(&FRONT_END, message.name)?];
    let volume = root.tables(&VOLUMES).get(names.index(&VOLUME, front_end.text(&SUBCHANNEL)?)?);
    volume.filter(|volume| !is_refused(root, volume, names))
}

/// Whether a volume is in a partition that can have none, which has been said.
fn is_refused(root: &Table, volume: &Table, names: &Names) -> bool {
    volume.text(&OF_PARTITION).is_some_and(|name| control_programs::has_one(root, name, names) == Some(true))
}

/// Checks that a guest and a volume that it uses are in the same partition.
fn check_volume(
    guest: &Table,
    volume: Option<&Table>,
    (does, reference): (String, &Reference<'_>),
    (names, problems): (&Names, &mut Problems<'_>),
) {
    let Some(volume) = volume else { return };
    let (here, there) = (guest.text(&RUNS_IN), volume.text(&OF_PARTITION));
    let unread = |table: &Table, key: &Key| table.misspelt.contains(&key.name);
    let unknown = |name: Option<&str>| name.is_some_and(|name| names.index(&PARTITION, name).is_none());
    if here == there || unknown(here) || unknown(there) || unread(guest, &RUNS_IN) || unread(volume, &OF_PARTITION) {
        return;
    }
    let title = volume.title();
    let belongs = there.map_or(format!("{title} is in no partition"), |there| format!("{title} is in `{there}`"));
    let (runs, remedy) = match (here, there) {
        (None, Some(_)) if guest.entry(&RUNS_IN_MACHINES).is_some() => {
            ("a guest in a virtual machine".to_string(), format!("no partition in {title}"))
        }
        (None, Some(there)) => ("a guest in no partition".to_string(), format!("partition = \"{there}\" in the guest")),
        (Some(here), _) => (format!("a guest in partition `{here}`"), format!("partition = \"{here}\" in {title}")),
        (None, None) => unreachable!("they differ"),
    };
    let problem = Problem::new(format!("{does} by {runs}"))
        .key(reference.key.clone())
        .because(format!("{belongs}, and the partition that starts an I/O handles the interrupt at its end"))
        .allowed([remedy]);
    problems.add(reference.at, problem);
}

/// Warns of partitions without guests.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let guests = root.tables(&GUESTS).iter().filter_map(|guest| guest.text(&RUNS_IN));
    let machines = root.tables(&VIRTUAL_MACHINES).iter().filter_map(|kind| kind.text(&HOST));
    let inhabited: BTreeSet<&str> = guests.chain(machines).collect();
    super::unused::unused(root.tables(&PARTITIONS), &inhabited, "no guest runs in it", warnings);
}
