//! Resources: holds nest three deep at most, and no two programs can wait for each other for ever.
//!
//! It leaves out how long anybody waits for a resource.

use super::{Names, cycles, steps};
use crate::language::{GUESTS, HOLD, IO, MEMBERS, MOST_MEMBERS, NAME, OWNER, PROGRAM, RESOURCE, RESOURCES};
use crate::problems::Problems;
use crate::resolved::Table;
use std::collections::BTreeSet;
use units::Problem;

/// How deep holds nest.
const DEEPEST: usize = 3;

/// Checks every hold, and all of them against each other.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    check_total(root.tables(&RESOURCES), problems);
    let mut orders = Orders { names, edges: Vec::new(), places: Vec::new() };
    for guest in root.tables(&GUESTS) {
        guest.tables(&PROGRAM).iter().for_each(|step| orders.check_hold(step, &mut Vec::new(), problems));
    }
    let resources = root.tables(&RESOURCES);
    let name = |number: usize| resources[number].text(&NAME).unwrap_or_default().to_string();
    for cycle in cycles::cycles(resources.len(), &orders.edges) {
        let place = orders.places[cycle.edge];
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

/// Which resource is asked for while which is held.
struct Orders<'t, 'n> {
    names: &'n Names,
    /// Held and asked for, each pair once.
    edges: Vec<(usize, usize)>,
    /// The step that asks.
    places: Vec<&'t Table>,
}

impl<'t> Orders<'t, '_> {
    /// An I/O to what the member of a resource has stands inside a hold of that resource.
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

    /// Checks a step inside holds of these resources, and all steps inside it.
    fn check_hold(&mut self, step: &'t Table, held: &mut Vec<Option<usize>>, problems: &mut Problems<'_>) {
        self.check_own(step, held, problems);
        let Some(wanted) = step.text(&HOLD) else {
            return steps::inside(step).for_each(|step| self.check_hold(step, held, problems));
        };
        let number = self.names.index(&RESOURCE, wanted);
        if number.is_some() && held.contains(&number) {
            let problem = Problem::new(format!("a hold of `{wanted}` inside a hold of `{wanted}`"))
                .key(step.path(&HOLD))
                .because("when all units are held by those who ask for a second one, all of them wait for ever")
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
        for outer in held.iter().copied() {
            if let (Some(outer), Some(inner)) = (outer, number) {
                self.edges.push((outer, inner));
                self.places.push(step);
            }
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
