//! Exchanges: both ends run in virtual machines, every network is used, and bytes take time.

use super::{Names, steps, unused};
use crate::language::{EXCHANGE, GUEST, GUESTS, NETWORKS, OVER, REPLY, REQUEST, RUNS_IN_MACHINES};
use crate::problems::Problems;
use crate::resolved::Table;
use std::collections::BTreeSet;
use units::Problem;

/// Checks both ends of every exchange.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    let guests = root.tables(&GUESTS);
    for guest in guests {
        for step in steps::all(guest) {
            let Some(other) = step.text(&EXCHANGE) else { continue };
            if outside(guest) {
                refuse(step, "an exchange of a guest that runs in no virtual machine".into(), "in the guest", problems);
            }
            let Some(called) = names.index(&GUEST, other).map(|number| &guests[number]) else { continue };
            if outside(called) {
                let what = format!("an exchange with `{other}`, which runs in no virtual machine");
                refuse(step, what, &format!("in {}", called.title()), problems);
            }
        }
    }
}

/// Whether a guest runs in no virtual machine.
fn outside(guest: &Table) -> bool {
    guest.entry(&RUNS_IN_MACHINES).is_none() && !guest.misspelt.contains(&RUNS_IN_MACHINES.name)
}

fn refuse(step: &Table, what: String, whose: &str, problems: &mut Problems<'_>) {
    let problem = Problem::new(what)
        .key(step.path(&EXCHANGE))
        .because("exchanges are between virtual machines, and wake their virtual processors")
        .allowed([format!("virtual_machine = ... {whose}"), "spawn = ...".into()]);
    problems.add(step.at(&EXCHANGE), problem);
}

/// Warns of unused networks, and of bytes that take no time.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let all: Vec<&Table> = root.tables(&GUESTS).iter().flat_map(steps::all).collect();
    let used: BTreeSet<&str> = all.iter().filter_map(|step| step.text(&OVER)).collect();
    unused::unused(root.tables(&NETWORKS), &used, "no exchange goes over it", warnings);
    let unheeded = |step: &&Table| {
        let written = |key| step.entry(key).is_some_and(|entry| !entry.is_default());
        step.entry(&OVER).is_none() && (written(&REQUEST) || written(&REPLY))
    };
    if let Some(step) = all.into_iter().find(unheeded) {
        let problem = Problem::new("bytes that take no time")
            .key(step.path(&EXCHANGE))
            .because("how large request and reply are matters on a network, and there is none");
        warnings.add(step.at(&EXCHANGE), problem.allowed(["network = ... beside them"]));
    }
}
