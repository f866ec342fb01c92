//! Programs: every program takes time, so that no guest runs for ever in no time, and repeats nest three deep at most.

use super::steps;
use crate::language::{
    ALTERNATIVE_STEPS, CACHED, CHANGE_CONTROL, CHOOSE, COMPUTE, CONNECT, COST, COST_CHNG, COST_ENQ, COUNT, DEQ,
    DISCONNECT, ENQ, ENQ_STEPS, EXCHANGE, GUESTS, HIT_TIME, HOLD, INTERCEPT, IO, Key, LOCKED, LOCKED_BY_THREAD,
    MESSAGE_IN, MESSAGE_OUT, MINIDISKS, PACE, PEND, PROGRAM, REPEAT, REPEAT_MEAN, RET, SERIALIZED, SERVICE, SPAWN,
    STEPS, THINK, VOLUMES,
};
use crate::plan::distribution;
use crate::problems::Problems;
use crate::resolved::{Table, Value};
use units::{Problem, Span};

/// How deep repeats nest.
const DEEPEST: usize = 3;
/// The least time that an I/O, and a pass through a program, takes.
const LEAST: Span = Span::from_us(1);

/// Checks the service of every volume, the hits of every cache and the program of every guest.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    for volume in root.tables(&VOLUMES) {
        check_service(volume, problems);
    }
    for minidisk in root.tables(&MINIDISKS) {
        check_hits(minidisk, problems);
    }
    let prices = root.table(&SERIALIZED).and_then(|table| table.table(&COST));
    let price = |key| prices.and_then(|prices| prices.span(key)).unwrap_or(LEAST).units() as f64;
    let (enq, chng) = (price(&COST_ENQ), price(&COST_CHNG));
    for guest in root.tables(&GUESTS) {
        let steps = guest.tables(&PROGRAM);
        if steps.is_empty() {
            continue;
        }
        let nests = steps.iter().all(|step| check_nesting(step, 1, problems));
        let starts_over = guest.entry(&COUNT).is_some();
        let requests = Requests { enq, chng, granted: !starts_over };
        if nests && all_take(steps, requests).is_some_and(|units| units < LEAST.units() as f64) {
            let why = if starts_over {
                "its guest would go through it for ever at the same instant, by the shortest of its ways"
            } else {
                "its guest would leave as it arrives, by the shortest of its ways"
            };
            let problem =
                Problem::new("a program that takes no time at all").key(guest.path(&PROGRAM)).because(why).allowed([
                    "think, compute, I/O and messages of 1 us or more on average, whatever is chosen or refused",
                ]);
            problems.add(guest.at(&PROGRAM), problem);
        }
    }
}

fn check_service(volume: &Table, problems: &mut Problems<'_>) {
    let Some(service) = volume.table(&SERVICE) else { return };
    let parts = [&PEND, &DISCONNECT, &CONNECT].map(|part| service.table(part).and_then(distribution));
    let [Some(pend), Some(disconnect), Some(connect)] = parts else { return };
    if pend.mean() + disconnect.mean() + connect.mean() < LEAST {
        let problem = Problem::new("an I/O that takes no time")
            .key(service.title())
            .because("its guest could do I/O for ever at the same instant")
            .allowed(["pend + disconnect + connect of 1 us or more on average"]);
        problems.add(service.at, problem);
    }
}

fn check_hits(minidisk: &Table, problems: &mut Problems<'_>) {
    let Some(cache) = minidisk.table(&CACHED) else { return };
    let Some(time) = cache.table(&HIT_TIME).and_then(distribution) else { return };
    if time.mean() < LEAST {
        let problem = Problem::new("a hit that takes no time")
            .key(cache.path(&HIT_TIME))
            .because("a guest could read from the cache for ever at the same instant")
            .allowed(["1 us or more on average"]);
        problems.add(cache.at(&HIT_TIME), problem);
    }
}

/// Checks how deep repeats nest; holds are checked with the resources.
fn check_nesting(step: &Table, depth: usize, problems: &mut Problems<'_>) -> bool {
    let repeat = [&REPEAT, &REPEAT_MEAN].into_iter().find(|key| step.entry(key).is_some());
    let Some(repeat) = repeat else {
        return steps::inside(step).all(|step| check_nesting(step, depth, problems));
    };
    if depth > DEEPEST {
        let problem = Problem::new("a repeat inside three others")
            .key(step.path(repeat))
            .because("a program keeps its place in three loops at most")
            .allowed(["repeats up to three deep"]);
        problems.add(step.at(repeat), problem);
        return false;
    }
    steps::inside(step).all(|step| check_nesting(step, depth + 1, problems))
}

/// Requests to the service of ENQ and DEQ, on the shortest way through a program.
#[derive(Clone, Copy)]
struct Requests {
    /// The price of one, in TOD-clock units, and of one that changes a hold.
    enq: f64,
    chng: f64,
    /// Whether they are granted.  One that is not skips the steps under it: a guest that starts over asks again at the
    /// same instant.  A guest that arrives once is gone.
    granted: bool,
}

/// The mean time of some steps in TOD-clock units; none if it is not known.
fn all_take(steps: &[Table], requests: Requests) -> Option<f64> {
    steps.iter().map(|step| takes(step, requests)).sum()
}

/// The mean time of a step in TOD-clock units; none if it is not known.  A choice or a repeat counts with the shortest
/// way through it.  An I/O, a message and an exchange count with the least that they take.
fn takes(step: &Table, requests: Requests) -> Option<f64> {
    let mean = |key| step.table(key).and_then(distribution).map(|distribution| distribution.mean().units() as f64);
    let written = |key: &Key| step.entry(key).is_some();
    if [&IO, &MESSAGE_IN, &MESSAGE_OUT, &EXCHANGE].into_iter().any(written) {
        return Some(LEAST.units() as f64);
    }
    // A guest whose pace leaves it nothing uses nothing.
    if written(&SPAWN) || written(&PACE) {
        return Some(0.0);
    }
    if written(&THINK) {
        return mean(&THINK);
    }
    if written(&COMPUTE) {
        return mean(&COMPUTE);
    }
    if written(&INTERCEPT) {
        return step.span(&INTERCEPT).map(|simulated| simulated.units() as f64);
    }
    if written(&DEQ) {
        return Some(0.0);
    }
    if written(&ENQ) {
        let under = if requests.granted { all_take(step.tables(&ENQ_STEPS), requests)? } else { 0.0 };
        let changes = step.text(&RET) == Some(CHANGE_CONTROL);
        return Some(under + if changes { requests.chng } else { requests.enq });
    }
    if written(&CHOOSE) {
        let alternatives = step.tables(&CHOOSE).iter().map(|one| match one.value(&ALTERNATIVE_STEPS) {
            Some(Value::Tables(steps)) => all_take(steps, requests),
            _ => None,
        });
        return alternatives.reduce(|one, other| Some(one?.min(other?)))?;
    }
    let times = if [&HOLD, &LOCKED, &LOCKED_BY_THREAD].into_iter().any(written) {
        1.0
    } else if written(&REPEAT_MEAN) {
        step.number(&REPEAT_MEAN)?.floor()
    } else {
        f64::from(step.count(&REPEAT)?)
    };
    match step.value(&STEPS) {
        Some(Value::Tables(steps)) => Some(times * all_take(steps, requests)?),
        _ => None,
    }
}
