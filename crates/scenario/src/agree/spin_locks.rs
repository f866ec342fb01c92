//! Spin locks: a guest that takes one runs in a virtual machine that has it, keeps its processor, and does not wait for
//! ever.

use super::{Names, cycles, steps};
use crate::growth;
use crate::language::{
    DEQ, ENQ, EXCHANGE, GUESTS, HOLD, IO, Key, LOCK_OF, LOCKED, LOCKS, MACHINES, MESSAGE_IN, MESSAGE_OUT,
    MOST_SPIN_LOCKS, NAME, PACE, PROGRAM, RUNS_IN_MACHINES, SPAWN, SPIN_LOCK, SPIN_LOCKS, THINK, VIRTUAL_MACHINE,
    VIRTUAL_MACHINES,
};
use crate::problems::Problems;
use crate::resolved::Table;
use units::Problem;

/// How deep locks nest.
const DEEPEST: usize = 2;
/// The steps that give up a processor, or that no operating system does while it holds a spin lock.
const GIVE_UP: [&Key; 10] = [&THINK, &PACE, &IO, &MESSAGE_IN, &MESSAGE_OUT, &SPAWN, &EXCHANGE, &HOLD, &ENQ, &DEQ];

/// The names of all locks that programs take.
pub fn taken(root: &Table) -> impl Iterator<Item = &str> {
    root.tables(&GUESTS).iter().flat_map(steps::all).filter_map(|step| step.text(&LOCKED))
}

/// Checks every lock that is taken, and all of them against each other.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    let locks = root.tables(&SPIN_LOCKS);
    check_total(root, names, problems);
    let mut orders = Orders { root, names, edges: Vec::new(), places: Vec::new() };
    for guest in root.tables(&GUESTS) {
        guest.tables(&PROGRAM).iter().for_each(|step| orders.check(step, guest, &mut Vec::new(), problems));
    }
    let name = |number: usize| locks[number].text(&NAME).unwrap_or_default().to_string();
    for cycle in cycles::cycles(locks.len(), &orders.edges) {
        let place = orders.places[cycle.edge];
        let (inner, outer) = (place.text(&LOCKED).unwrap_or_default(), name(orders.edges[cycle.edge].0));
        let problem =
            Problem::new(format!("a lock of `{inner}` inside one of `{outer}`, and elsewhere the other way round"))
                .key(place.path(&LOCKED))
                .because(format!(
                    "taken inside each other: {}; guests that each have one and spin for the next spin for ever",
                    cycle.named(name)
                ))
                .allowed(["the same order in all programs"]);
        problems.add(place.at(&LOCKED), problem);
    }
}

/// Every lock of every machine takes memory.
fn check_total(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    let machines = |lock: &Table| {
        let kind = names.index(&VIRTUAL_MACHINE, lock.text(&LOCK_OF)?)?;
        growth::count(&root.tables(&VIRTUAL_MACHINES)[kind], &MACHINES)
    };
    let mut total: u64 = 0;
    let Some(first) = root.tables(&SPIN_LOCKS).iter().find(|lock| {
        total += u64::from(lock.count(&LOCKS).unwrap_or(1)) * u64::from(machines(lock).unwrap_or(1));
        total > u64::from(MOST_SPIN_LOCKS)
    }) else {
        return;
    };
    let problem = Problem::new("too many spin locks, counted with those of every machine")
        .key(first.path(&LOCKS))
        .because("more do not fit the memory that a run is promised to stay within")
        .allowed([format!("up to {MOST_SPIN_LOCKS} in all")]);
    problems.add(first.at(&LOCKS), problem);
}

/// Which lock is taken while which is held.
struct Orders<'t, 'n> {
    root: &'t Table,
    names: &'n Names,
    /// Held and taken, each pair once.
    edges: Vec<(usize, usize)>,
    /// The step that takes.
    places: Vec<&'t Table>,
}

impl<'t> Orders<'t, '_> {
    /// Checks a step of a guest inside these locks, and all steps inside it.
    fn check(&mut self, step: &'t Table, guest: &Table, held: &mut Vec<Option<usize>>, problems: &mut Problems<'_>) {
        check_keeps(step, held.is_empty(), problems);
        if step.entry(&LOCKED).is_none() {
            return steps::inside(step).for_each(|step| self.check(step, guest, held, problems));
        }
        let wanted = step.text(&LOCKED).unwrap_or_default();
        let number = self.names.index(&SPIN_LOCK, wanted);
        self.check_own(step, guest, number, problems);
        let refused = if number.is_some() && held.contains(&number) {
            Some((
                format!("a lock of `{wanted}` inside a lock of `{wanted}`"),
                "a guest that takes a spin lock again spins for ever",
                "one lock around both",
            ))
        } else if held.len() == DEEPEST {
            let why = "a guest has two spin locks at a time at most";
            Some(("a lock inside two others".into(), why, "locks up to two deep"))
        } else {
            None
        };
        if let Some((what, why, allowed)) = refused {
            let problem = Problem::new(what).key(step.path(&LOCKED)).because(why);
            return problems.add(step.at(&LOCKED), problem.allowed([allowed]));
        }
        for outer in held.iter().copied() {
            if let (Some(outer), Some(inner)) = (outer, number) {
                self.edges.push((outer, inner));
                self.places.push(step);
            }
        }
        held.push(number);
        steps::inside(step).for_each(|step| self.check(step, guest, held, problems));
        held.pop();
    }

    /// A guest takes locks of the operating system that it runs under.
    fn check_own(&self, step: &Table, guest: &Table, number: Option<usize>, problems: &mut Problems<'_>) {
        let known = |name: &&str| self.names.index(&VIRTUAL_MACHINE, name).is_some();
        let locks = self.root.tables(&SPIN_LOCKS);
        let owner = number.and_then(|number| locks[number].text(&LOCK_OF)).filter(known);
        let wanted = step.text(&LOCKED).unwrap_or_default();
        let unread = guest.misspelt.contains(&RUNS_IN_MACHINES.name);
        let (what, why, allowed) = match (guest.entry(&RUNS_IN_MACHINES), guest.text(&RUNS_IN_MACHINES)) {
            (None, _) if unread => return,
            (None, _) => {
                let named = owner.unwrap_or("...");
                let allowed = vec![format!("virtual_machine = \"{named}\" in the guest"), "hold = ...".into()];
                let why = "it spins on a virtual processor, and a guest elsewhere has none";
                ("a lock of a guest that runs in no virtual machine".to_string(), why, allowed)
            }
            (Some(_), Some(own)) if known(&own) && owner.is_some_and(|owner| owner != own) => {
                let owner = owner.unwrap_or_default();
                let own_locks = locks.iter().filter(|lock| lock.text(&LOCK_OF) == Some(own));
                let mut allowed: Vec<String> =
                    own_locks.filter_map(|lock| lock.text(&NAME)).take(8).map(str::to_string).collect();
                if allowed.is_empty() {
                    allowed.push(format!("a [[spin_lock]] with virtual_machine = \"{own}\""));
                }
                let what = format!("`{wanted}` is a lock of `{owner}`, and this guest runs in `{own}`");
                (what, "an operating system has spin locks of its own, in its own storage", allowed)
            }
            (Some(_), _) => return,
        };
        let problem = Problem::new(what).key(step.path(&LOCKED)).because(why).allowed(allowed);
        problems.add(step.at(&LOCKED), problem);
    }
}

/// A guest with a spin lock keeps its virtual processor.
fn check_keeps(step: &Table, free: bool, problems: &mut Problems<'_>) {
    let gives_up = GIVE_UP.into_iter().find(|key| step.entry(key).is_some());
    let Some(key) = gives_up.filter(|_| !free) else { return };
    let problem = Problem::new(format!("a step with `{}` inside a lock", key.name))
        .key(step.path(key))
        .because("a guest with a spin lock keeps its virtual processor: all others spin until it releases the lock")
        .allowed(["compute, intercept, choose, repeat, repeat_mean and lock"]);
    problems.add(step.at(key), problem);
}
