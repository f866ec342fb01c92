//! Work on the logical processors of a partition: several servers, a closed population, priorities that preempt, and
//! interrupts that go before all tasks.

use super::closed_forms::{erlang_c, mmc_queue, preemptive_response, repairman};
use super::domains::dedicated;
use super::trial::Trial;
use crate::plans::{bound, closed, exponential, io, open, plan, volume};
use kernel::distribution::Distribution;
use machine::plan::{Plan, Redispatch, Step};
use units::Span;

fn compute(us: u64) -> Step {
    Step::Compute(exponential(us))
}

/// Arrivals per ms that compute 1 ms on this many processors.
fn open_work(per_ms: f64, processors: u32) -> Plan {
    dedicated(plan(Vec::new(), vec![open(1e3 * per_ms, vec![compute(1_000)])]), processors)
}

#[test]
fn mmc() {
    for (processors, busy, seconds) in [(1, 0.6, 80), (2, 0.7, 50), (4, 0.75, 25)] {
        let load = busy * f64::from(processors);
        let trial = Trial::run(&format!("work, M/M/{processors} at {busy}"), &open_work(load, processors), seconds);
        let wait = erlang_c(processors, load) / (f64::from(processors) - load);
        assert!((wait - mmc_queue(processors, load) / load).abs() < 1e-12);
        trial.agrees("response", |interval| interval.guests[0].cycle_ms.value, 1.0 + wait);
        trial.agrees("number", |interval| interval.guests[0].population.value, load * (1.0 + wait));
        trial.agrees("effective", |interval| interval.partitions[0].effective_percent.value, 100.0 * busy);
    }
}

#[test]
fn repairman_that_computes() {
    for (processors, guests, think_us) in [(1, 6, 8_000), (3, 12, 4_000)] {
        let thinking = Step::Think(exponential(think_us));
        let plan = dedicated(plan(Vec::new(), vec![closed(guests, vec![thinking, compute(1_000)])]), processors);
        let trial = Trial::run(&format!("work, M/M/{processors}//{guests}"), &plan, 20);
        let theory = repairman(processors, guests, think_us as f64 / 1e3, 1.0);
        trial.agrees("cycles per ms", |interval| interval.guests[0].cycles_per_s.value / 1e3, theory.throughput);
        trial.agrees("response", |interval| interval.guests[0].compute_ms.value, theory.response);
    }
}

/// The more urgent preempt the others, which resume later.
#[test]
#[ignore = "slow: run by make test-all"]
fn priorities_that_preempt() {
    let constant = Step::Compute(Distribution::Constant(Span::from_us(500)));
    let varying = Step::Compute(Distribution::Hyperexponential { mean: Span::from_us(2_000), scv: 3.0 });
    let classes = [(0.5, 0.5, 0.0), (0.3, 1.0, 1.0), (0.05, 2.0, 3.0)];
    let guests = classes.iter().zip([constant, compute(1_000), varying]);
    let guests = guests.map(|((rate, ..), step)| open(1e3 * rate, vec![step])).collect();
    let trial = Trial::run("preemptive M/G/1", &dedicated(plan(Vec::new(), guests), 1), 400);
    for class in 0..classes.len() {
        let theory = preemptive_response(&classes, class);
        trial.agrees(&format!("response of class {class}"), |i| i.guests[class].cycle_ms.value, theory);
    }
}

/// Interrupts come from a volume without waits: M/G/inf, whose departures are a Poisson process (Mirasol: The Output
/// of an M/G/inf Queuing System is Poisson, 1963).
#[test]
fn interrupts_preempt_all() {
    let (rate, busy) = (1.0, 0.3);
    let mut plan = plan(
        vec![volume("DISK", exponential(1_000))],
        vec![open(1e3 * rate, vec![io(0)]), open(400.0, vec![compute(1_000)])],
    );
    plan.volumes[0].aliasing = bound(30, Redispatch::None);
    let mut plan = dedicated(plan, 1);
    plan.partitions[0].slih = exponential(300);
    let trial = Trial::run("interrupts and work", &plan, 60);
    let classes = [(rate, busy, 1.0), (0.4, 1.0, 1.0)];
    trial.agrees("hold", |interval| interval.partitions[0].hold_ms.value, preemptive_response(&classes, 0));
    trial.agrees("work", |interval| interval.guests[1].cycle_ms.value, preemptive_response(&classes, 1));
}
