//! Spawning: only who arrives spawned is spawned, and nobody, over whatever others, spawns himself.
//!
//! It leaves out how many there come to be: a run ends with an error when they outgrow the machine.

use super::{Names, cycles, steps};
use crate::language::{ARRIVES, GUEST, GUESTS, NAME, SPAWN, SPAWNED};
use crate::problems::Problems;
use crate::resolved::Table;
use std::collections::BTreeSet;
use units::Problem;

/// Whether a guest is one that others spawn.
pub fn is_spawned(guest: &Table) -> bool {
    guest.entry(&ARRIVES).is_some()
}

/// Checks every spawn, and all of them against each other.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    let guests = root.tables(&GUESTS);
    let (mut edges, mut places) = (Vec::new(), Vec::new());
    for (from, guest) in guests.iter().enumerate() {
        for step in steps::all(guest) {
            let Some(to) = step.text(&SPAWN).and_then(|name| names.index(&GUEST, name)) else { continue };
            if !is_spawned(&guests[to]) {
                check_target(step, guests, &guests[to], problems);
            } else {
                edges.push((from, to));
                places.push(step);
            }
        }
    }
    let name = |number: usize| guests[number].text(&NAME).unwrap_or_default().to_string();
    for cycle in cycles::cycles(guests.len(), &edges) {
        let place = places[cycle.edge];
        let problem = Problem::new(format!("`{}` spawns itself", name(cycle.nodes[0])))
            .key(place.path(&SPAWN))
            .because(format!("spawned by each other: {}; there would be more of them for ever", cycle.named(name)))
            .allowed(["guests that spawn others in one direction"]);
        problems.add(place.at(&SPAWN), problem);
    }
}

fn check_target(step: &Table, guests: &[Table], target: &Table, problems: &mut Problems<'_>) {
    if target.misspelt.contains(&ARRIVES.name) {
        return;
    }
    let spawned = guests.iter().filter(|guest| is_spawned(guest)).filter_map(|guest| guest.text(&NAME));
    let mut allowed: Vec<String> = spawned.take(8).map(str::to_string).collect();
    allowed.push(format!("arrives = \"{SPAWNED}\" in {}", target.title()));
    let problem = Problem::new(format!("a spawn of {}", target.title()))
        .key(step.path(&SPAWN))
        .because("its guests come by themselves, and those that others spawn do not")
        .allowed(allowed);
    problems.add(step.at(&SPAWN), problem);
}

/// Names the guests that arrive spawned and that no program spawns.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let guests = root.tables(&GUESTS);
    let by_themselves = guests.iter().filter(|guest| !is_spawned(guest)).filter_map(|guest| guest.text(&NAME));
    let mut used: BTreeSet<&str> = by_themselves.collect();
    used.extend(guests.iter().flat_map(steps::all).filter_map(|step| step.text(&SPAWN)));
    super::unused::unused(guests, &used, "no program spawns it", warnings);
}
