//! Resources: holds nest three deep at most, and no programs wait for each other for ever, or for their servers.

use super::{Names, cycles, steps};
use crate::language::{
    EXCHANGE, GUEST, GUESTS, HOLD, IO, Key, MEMBERS, MOST_MEMBERS, NAME, OWNER, PROGRAM, RESOURCE, RESOURCES,
};
use crate::problems::Problems;
use crate::resolved::Table;
use std::collections::BTreeSet;
use units::Problem;

/// How deep holds nest.
const DEEPEST: usize = 3;

/// Checks every hold, and all of them against each other.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    check_total(root.tables(&RESOURCES), problems);
    let (resources, guests) = (root.tables(&RESOURCES), root.tables(&GUESTS));
    let mut orders = Orders { names, resources: resources.len(), guest: 0, edges: Vec::new(), places: Vec::new() };
    for (number, guest) in guests.iter().enumerate() {
        orders.guest = resources.len() + number;
        guest.tables(&PROGRAM).iter().for_each(|step| orders.check_hold(step, &mut Vec::new(), problems));
    }
    let name = |number: usize| {
        let table = resources.get(number).unwrap_or_else(|| &guests[number - resources.len()]);
        table.text(&NAME).unwrap_or_default().to_string()
    };
    for cycle in cycles::cycles(resources.len() + guests.len(), &orders.edges) {
        let (place, key) = orders.places[cycle.edge];
        let is_resource = |node: &usize| *node < resources.len();
        if !cycle.nodes.iter().any(is_resource) {
            // Guests that call each other are refused as such.
            continue;
        }
        if !cycle.nodes.iter().all(is_resource) {
            let problem = Problem::new("an exchange with a guest that may wait for its caller")
                .key(place.path(key))
                .because(format!(
                    "held and called inside each other: {}; when callers hold all units, no guest can answer them",
                    cycle.named(name)
                ))
                .allowed(["an exchange outside the hold"]);
            problems.add(place.at(key), problem);
            continue;
        }
        let inner = place.text(&HOLD).unwrap_or_default();
        let outer = name(orders.edges[cycle.edge].0);
        let problem =
            Problem::new(format!("a hold of `{inner}` inside one of `{outer}`, and elsewhere the other way round"))
                .key(place.path(&HOLD))
                .because(format!(
                    "held inside each other: {}; guests that each hold one and wait for the next wait for ever",
                    cycle.named(name)
                ))
                .allowed(["the same order in all programs"]);
        problems.add(place.at(&HOLD), problem);
    }
}

/// Queues take memory, one for each that are alike.
fn check_total(resources: &[Table], problems: &mut Problems<'_>) {
    let mut total: u64 = 0;
    let Some(first) = resources.iter().find(|resource| {
        total += u64::from(resource.count(&MEMBERS).unwrap_or(1));
        total > u64::from(MOST_MEMBERS)
    }) else {
        return;
    };
    let problem = Problem::new("too many resources, counted with all that are alike")
        .key(first.path(&MEMBERS))
        .because("each has a queue, and more do not fit the memory that a run is promised to stay within")
        .allowed([format!("up to {MOST_MEMBERS} in all")]);
    problems.add(first.at(&MEMBERS), problem);
}

/// The graph of waits: nodes are resources, then guests.
struct Orders<'t, 'n> {
    names: &'n Names,
    resources: usize,
    /// Whose program it is.
    guest: usize,
    /// A resource that is held and what is asked for then; a guest that is called and what it asks for.
    edges: Vec<(usize, usize)>,
    /// The step that asks, and by which key.
    places: Vec<(&'t Table, &'static Key)>,
}

impl<'t> Orders<'t, '_> {
    /// An I/O to the volumes of a resource's member is inside a hold of that resource.
    fn check_own(&self, step: &Table, held: &[Option<usize>], problems: &mut Problems<'_>) {
        let Some(io) = step.table(&IO) else { return };
        let Some(owner) = io.text(&OWNER) else { return };
        let number = self.names.index(&RESOURCE, owner);
        if number.is_none() || held.contains(&number) {
            return;
        }
        let problem = Problem::new(format!("an I/O to what a member of `{owner}` has, outside a hold of it"))
            .key(io.path(&OWNER))
            .because("it goes to what the member has that is held, and none is")
            .allowed([format!("inside {{ hold = \"{owner}\", steps = [...] }}")]);
        problems.add(io.at(&OWNER), problem);
    }

    /// A guest that holds these asks for a resource or calls a guest.
    fn ask(&mut self, held: &[Option<usize>], node: usize, place: (&'t Table, &'static Key)) {
        for outer in held.iter().copied().flatten().chain([self.guest]) {
            self.edges.push((outer, node));
            self.places.push(place);
        }
    }

    /// Checks a step inside holds of these resources, and all steps inside it.
    fn check_hold(&mut self, step: &'t Table, held: &mut Vec<Option<usize>>, problems: &mut Problems<'_>) {
        self.check_own(step, held, problems);
        let called = step.text(&EXCHANGE).and_then(|name| self.names.index(&GUEST, name));
        if let Some(called) = called.map(|number| self.resources + number) {
            self.ask(held, called, (step, &EXCHANGE));
        }
        let Some(wanted) = step.text(&HOLD) else {
            return steps::inside(step).for_each(|step| self.check_hold(step, held, problems));
        };
        let number = self.names.index(&RESOURCE, wanted);
        if number.is_some() && held.contains(&number) {
            let problem = Problem::new(format!("a hold of `{wanted}` inside a hold of `{wanted}`"))
                .key(step.path(&HOLD))
                .because("when guests that ask for a second unit hold all of them, they wait for ever")
                .allowed(["one hold around both"]);
            problems.add(step.at(&HOLD), problem);
            return;
        }
        if held.len() == DEEPEST {
            let problem = Problem::new("a hold inside three others")
                .key(step.path(&HOLD))
                .because("a guest holds three resources at a time at most")
                .allowed(["holds up to three deep"]);
            problems.add(step.at(&HOLD), problem);
            return;
        }
        if let Some(inner) = number {
            self.ask(held, inner, (step, &HOLD));
        }
        held.push(number);
        steps::inside(step).for_each(|step| self.check_hold(step, held, problems));
        held.pop();
    }
}

/// Names the resources that no program holds.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let programs = root.tables(&GUESTS).iter().flat_map(steps::all);
    let held: BTreeSet<&str> = programs.filter_map(|step| step.text(&HOLD)).collect();
    super::unused::unused(root.tables(&RESOURCES), &held, "no program holds it", warnings);
}
