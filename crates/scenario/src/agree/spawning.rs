//! Spawning and exchanges: only guests that arrive spawned are spawned or called, and none by itself, over any others.

use super::{Names, cycles, steps};
use crate::language::{ARRIVES, EXCHANGE, GUEST, GUESTS, Key, NAME, SPAWN, SPAWNED};
use crate::problems::Problems;
use crate::resolved::Table;
use std::collections::BTreeSet;
use units::Problem;

/// Whether a guest is one that others spawn.
pub fn is_spawned(guest: &Table) -> bool {
    guest.entry(&ARRIVES).is_some()
}

/// How a step starts another guest's program, if it does.
fn making(step: &Table) -> Option<(&'static Key, &str)> {
    [&SPAWN, &EXCHANGE].into_iter().find_map(|key| Some((key, step.text(key)?)))
}

/// Checks every spawn and every exchange, and all of them against each other.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    let guests = root.tables(&GUESTS);
    let (mut edges, mut places) = (Vec::new(), Vec::new());
    for (from, guest) in guests.iter().enumerate() {
        for step in steps::all(guest) {
            let Some((key, to)) = making(step) else { continue };
            let Some(to) = names.index(&GUEST, to) else { continue };
            if !is_spawned(&guests[to]) {
                check_target((step, key), guests, &guests[to], problems);
            } else {
                edges.push((from, to));
                places.push((step, key));
            }
        }
    }
    let name = |number: usize| guests[number].text(&NAME).unwrap_or_default().to_string();
    for cycle in cycles::cycles(guests.len(), &edges) {
        let (place, key) = places[cycle.edge];
        let (does, way) = if std::ptr::eq(key, &SPAWN) { ("spawns", "spawned") } else { ("calls", "called") };
        let problem = Problem::new(format!("`{}` {does} itself", name(cycle.nodes[0])))
            .key(place.path(key))
            .because(format!("{way} by each other: {}; there would be more of them for ever", cycle.named(name)))
            .allowed(["guests that spawn and call others in one direction"]);
        problems.add(place.at(key), problem);
    }
}

fn check_target((step, key): (&Table, &Key), guests: &[Table], target: &Table, problems: &mut Problems<'_>) {
    if target.misspelt.contains(&ARRIVES.name) {
        return;
    }
    let spawned = guests.iter().filter(|guest| is_spawned(guest)).filter_map(|guest| guest.text(&NAME));
    let mut allowed: Vec<String> = spawned.take(8).map(str::to_string).collect();
    allowed.push(format!("arrives = \"{SPAWNED}\" in {}", target.title()));
    let does = if std::ptr::eq(key, &SPAWN) { "a spawn of" } else { "an exchange with" };
    let problem = Problem::new(format!("{does} {}", target.title()))
        .key(step.path(key))
        .because("its guests come by themselves, and those that others spawn or call do not")
        .allowed(allowed);
    problems.add(step.at(key), problem);
}

/// Names the guests that arrive spawned and that no program spawns or calls.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let guests = root.tables(&GUESTS);
    let by_themselves = guests.iter().filter(|guest| !is_spawned(guest)).filter_map(|guest| guest.text(&NAME));
    let mut used: BTreeSet<&str> = by_themselves.collect();
    used.extend(guests.iter().flat_map(steps::all).filter_map(|step| Some(making(step)?.1)));
    super::unused::unused(guests, &used, "no program spawns or calls it", warnings);
}
