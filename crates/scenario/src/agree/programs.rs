//! Programs: they and what they do take time, so that a guest does not run for ever in no time, and repeats nest three deep at most.
//!
//! It leaves out how long a program really takes with queueing.

use crate::language::{
    CACHED, COMPUTE, CONNECT, DISCONNECT, GUESTS, HIT_TIME, IO, MINIDISKS, PEND, PROGRAM, REPEAT, SERVICE, STEPS,
    THINK, VOLUMES,
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
    for guest in root.tables(&GUESTS) {
        let steps = guest.tables(&PROGRAM);
        if steps.is_empty() {
            continue;
        }
        let nests = steps.iter().all(|step| check_nesting(step, 1, problems));
        if nests && steps.iter().map(takes).sum::<Option<f64>>().is_some_and(|units| units < LEAST.units() as f64) {
            let problem = Problem::new("a program that takes no time at all")
                .key(guest.path(&PROGRAM))
                .because("its guest would go through it for ever at the same instant")
                .allowed(["think, compute and I/O of 1 us or more on average"]);
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

fn check_nesting(step: &Table, depth: usize, problems: &mut Problems<'_>) -> bool {
    if step.entry(&REPEAT).is_none() {
        return true;
    }
    if depth > DEEPEST {
        let problem = Problem::new("a repeat inside three others")
            .key(step.path(&REPEAT))
            .because("a program keeps its place in three loops at most")
            .allowed(["repeats up to three deep"]);
        problems.add(step.at(&REPEAT), problem);
        return false;
    }
    step.tables(&STEPS).iter().all(|step| check_nesting(step, depth + 1, problems))
}

/// The mean time of a step in TOD-clock units, an I/O counted with the least it takes; none if it is not known.
fn takes(step: &Table) -> Option<f64> {
    let mean = |key| step.table(key).and_then(distribution).map(|distribution| distribution.mean().units() as f64);
    if step.entry(&IO).is_some() {
        return Some(LEAST.units() as f64);
    }
    if step.entry(&THINK).is_some() {
        return mean(&THINK);
    }
    if step.entry(&COMPUTE).is_some() {
        return mean(&COMPUTE);
    }
    let times = step.count(&REPEAT)?;
    match step.value(&STEPS) {
        Some(Value::Tables(steps)) => Some(f64::from(times) * steps.iter().map(takes).sum::<Option<f64>>()?),
        _ => None,
    }
}
