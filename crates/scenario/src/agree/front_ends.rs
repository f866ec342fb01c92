//! Front ends: the volume that stands for the subchannel of one does nothing else.

use super::{Names, paging, steps};
use crate::language::{FRONT_ENDS, GUESTS, MINIDISKS, ON_VOLUME, PAGINGS, SUBCHANNEL, VOLUME};
use crate::problems::Problems;
use crate::resolved::Table;
use crate::text::At;
use std::collections::{BTreeMap, BTreeSet};
use units::Problem;

const WHY: &str = "its I/Os carry messages, one after the other, and no other I/O comes between them";

/// Checks that no two front ends have one volume, and that no minidisk and no program has one of theirs.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    let mut owners: BTreeMap<&str, &Table> = BTreeMap::new();
    for front_end in root.tables(&FRONT_ENDS) {
        let Some(volume) = front_end.text(&SUBCHANNEL).filter(|volume| names.index(&VOLUME, volume).is_some()) else {
            continue;
        };
        match owners.get(volume) {
            Some(owner) => taken(volume, owner, (front_end.path(&SUBCHANNEL), front_end.at(&SUBCHANNEL)), problems),
            None => {
                owners.insert(volume, front_end);
            }
        }
    }
    if owners.is_empty() {
        return;
    }
    for minidisk in root.tables(&MINIDISKS) {
        if let Some((volume, owner)) = minidisk.text(&ON_VOLUME).and_then(|volume| owners.get_key_value(volume)) {
            taken(volume, owner, (minidisk.path(&ON_VOLUME), minidisk.at(&ON_VOLUME)), problems);
        }
    }
    let of_guests = root.tables(&GUESTS).iter().flat_map(steps::all).flat_map(steps::targets);
    for io in of_guests.chain(root.tables(&PAGINGS).iter().flat_map(paging::targets)) {
        if let Some(owner) = owners.get(io.name) {
            taken(io.name, owner, (io.key, io.at), problems);
        }
    }
}

fn taken(volume: &str, owner: &Table, (key, at): (String, At), problems: &mut Problems<'_>) {
    let problem = Problem::new(format!("volume `{volume}` is that of {}", owner.title()))
        .key(key)
        .because(WHY)
        .allowed(["another volume", "message_in or message_out through the front end"]);
    problems.add(at, problem);
}

/// The volumes that stand for subchannels.
pub fn volumes(root: &Table) -> impl Iterator<Item = &str> {
    root.tables(&FRONT_ENDS).iter().filter_map(|front_end| front_end.text(&SUBCHANNEL))
}

/// Names the front ends through which no program has messages carried.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let programs = root.tables(&GUESTS).iter().flat_map(steps::all);
    let used: BTreeSet<&str> = programs.filter_map(steps::message).map(|message| message.name).collect();
    super::unused::unused(root.tables(&FRONT_ENDS), &used, "no program has a message carried through it", warnings);
}
