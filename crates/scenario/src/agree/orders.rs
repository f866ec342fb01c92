//! The orders in which programs ask for resources by name: those in which tasks may come to wait for each other for ever.
//!
//! Such orders are no error, because a run may be meant to show a deadlock and its contention page.

use super::{Names, cycles, steps};
use crate::growth;
use crate::language::{
    CHANGE_CONTROL, COUNT, DEQ, ENQ, ENQ_ACCESS, ENQ_STEPS, ENQUEUE, ENQUEUES, GUESTS, NAME, PARTITION, PROGRAM, RET,
    RUNS_IN, SCOPE, SHARED_ACCESS, STEP_SCOPE, SYSTEM_SCOPE, TEST, USE,
};
use crate::problems::Problems;
use crate::resolved::Table;
use std::collections::{BTreeMap, BTreeSet};
use units::Problem;

/// A resource as a task holds it: its number, where its name is one, and whether others may share it.
type Held = (usize, usize, bool);

/// The resources held and requested so far, as far as the order is known.
struct Orders<'t> {
    /// All that is held while something is asked for.
    nodes: BTreeMap<Held, usize>,
    names: Vec<String>,
    edges: Vec<(usize, usize)>,
    /// The step that asks, and the guest whose program it is.
    places: Vec<(&'t Table, usize)>,
}

/// A walk over the program of a guest.
struct Walk<'t, 'n> {
    root: &'t Table,
    known: &'n Names,
    guest: usize,
    kept: Vec<Held>,
}

/// Warns of orders that close a cycle in which each holds a resource that the next cannot share.
pub fn doubts(root: &Table, known: &Names, warnings: &mut Problems<'_>) {
    let mut orders = Orders { nodes: BTreeMap::new(), names: Vec::new(), edges: Vec::new(), places: Vec::new() };
    for (guest, table) in root.tables(&GUESTS).iter().enumerate() {
        let mut walk = Walk { root, known, guest, kept: Vec::new() };
        table.tables(&PROGRAM).iter().for_each(|step| walk.step(step, &mut Vec::new(), &mut orders));
    }
    let mut told = BTreeSet::new();
    for cycle in cycles::cycles(orders.names.len(), &orders.edges) {
        let names: BTreeSet<&str> = cycle.nodes.iter().map(|node| orders.names[*node].as_str()).collect();
        if orders.is_of_one_task(root, &cycle) || !told.insert(names) {
            continue;
        }
        let (place, _) = orders.places[cycle.edge];
        let inner = place.text(&ENQ).unwrap_or_default();
        let outer = &orders.names[orders.edges[cycle.edge].0];
        let problem =
            Problem::new(format!("`{inner}` is requested while `{outer}` is held, and elsewhere the other way round"))
                .key(place.path(&ENQ))
                .because(format!(
                    "asked for inside each other: {}; tasks that each have one and wait for the next wait for ever",
                    cycle.named(|node| orders.names[node].clone())
                ))
                .allowed(["the same order in all programs", "ret = \"use\""]);
        warnings.add(place.at(&ENQ), problem);
    }
}

impl Orders<'_> {
    fn node(&mut self, held: Held, name: &str) -> usize {
        *self.nodes.entry(held).or_insert_with(|| {
            self.names.push(name.to_string());
            self.names.len() - 1
        })
    }

    /// Whether all of a circle is the doing of one task, which does one thing after the other.
    fn is_of_one_task(&self, root: &Table, cycle: &cycles::Cycle) -> bool {
        if cycle.nodes.len() < cycle.length {
            return false;
        }
        let nodes: BTreeSet<usize> = cycle.nodes.iter().copied().collect();
        let within = self.edges.iter().zip(&self.places);
        let within = within.filter(|((from, to), _)| nodes.contains(from) && nodes.contains(to));
        let guests: BTreeSet<usize> = within.map(|(_, (_, guest))| *guest).collect();
        guests.len() == 1 && guests.iter().all(|guest| growth::count(&root.tables(&GUESTS)[*guest], &COUNT) == Some(1))
    }
}

impl<'t> Walk<'t, '_> {
    fn step(&mut self, step: &'t Table, held: &mut Vec<Held>, orders: &mut Orders<'t>) {
        if let Some(number) = step.text(&DEQ).and_then(|name| self.known.index(&ENQUEUE, name)) {
            self.kept.retain(|kept| kept.0 != number);
        }
        let Some(number) = step.text(&ENQ).and_then(|name| self.known.index(&ENQUEUE, name)) else {
            return steps::inside(step).for_each(|step| self.step(step, held, orders));
        };
        let own = (number, self.reach(number), step.text(&ENQ_ACCESS) == Some(SHARED_ACCESS));
        let ret = step.text(&RET);
        if ret == Some(CHANGE_CONTROL) {
            let all = held.iter_mut().chain(&mut self.kept);
            all.filter(|one| one.0 == number).for_each(|one| one.2 = false);
        }
        if matches!(ret, Some(CHANGE_CONTROL | TEST)) {
            return steps::inside(step).for_each(|step| self.step(step, held, orders));
        }
        // A request that does not wait closes no cycle.
        if ret != Some(USE) {
            let before: Vec<Held> = held.iter().chain(&self.kept).copied().filter(|one| one.0 != number).collect();
            before.into_iter().for_each(|before| self.order((before, own), step, orders));
        }
        if step.entry(&ENQ_STEPS).is_none() {
            self.kept.push(own);
            return;
        }
        held.push(own);
        steps::inside(step).for_each(|step| self.step(step, held, orders));
        held.pop();
    }

    /// A request by a task that holds resources: it waits for their holders that do not share with it.
    fn order(&self, (before, own): (Held, Held), step: &'t Table, orders: &mut Orders<'t>) {
        let name = |held: Held| self.root.tables(&ENQUEUES)[held.0].text(&NAME).unwrap_or_default();
        let from = orders.node(before, name(before));
        for shared in [false, true].into_iter().filter(|shared| !(own.2 && *shared)) {
            let to = orders.node((own.0, own.1, shared), name(own));
            orders.edges.push((from, to));
            orders.places.push((step, self.guest));
        }
    }

    /// Where a name is one: in an address space, in a system, in all of them.
    fn reach(&self, number: usize) -> usize {
        let guest = &self.root.tables(&GUESTS)[self.guest];
        match self.root.tables(&ENQUEUES)[number].text(&SCOPE) {
            Some(STEP_SCOPE) => self.guest,
            Some(SYSTEM_SCOPE) => guest.text(&RUNS_IN).and_then(|own| self.known.index(&PARTITION, own)).unwrap_or(0),
            _ => 0,
        }
    }
}
