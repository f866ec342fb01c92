//! Replications do not know on which thread they run, nor how many there are.

use super::all_machines;
use crate::plans::{exponential, io, open, plan, volume};
use machine::plan::Plan;
use monitor::{Experiment, Failure, Measurement, RunError, Watch, settle};
use std::ops::Range;
use units::Span;

fn measurement() -> Measurement {
    Measurement { warm_up: Span::from_ms(50), interval: Span::from_ms(300), intervals: 2, sample: Span::from_ms(20) }
}

/// The totals as text: the digits of a number are those that give its bits again.
fn totals(plan: &Plan, replications: Range<u64>, threads: usize) -> Vec<String> {
    let experiment = Experiment { plan, name: "threads", seed: 11, measurement: measurement() };
    let replications = experiment.run(replications, threads, &Watch::default()).expect("the laws hold");
    replications.iter().map(|made| format!("{made:?}")).collect()
}

#[test]
fn one_thread_and_more_give_the_same_bytes() {
    for (name, plan) in all_machines() {
        let one = totals(&plan, 0..7, 1);
        for threads in [2, 3, 16] {
            assert_eq!(totals(&plan, 0..7, threads), one, "{name}, {threads} threads");
        }
    }
}

/// A replication is the same whichever others are asked for; so more can be added to what is there.
#[test]
fn a_replication_does_not_depend_on_its_company() {
    let (_, plan) = all_machines().remove(5);
    let together = totals(&plan, 0..6, 2);
    assert_eq!(totals(&plan, 0..4, 2), together[..4]);
    assert_eq!(totals(&plan, 4..6, 2), together[4..]);
    assert_ne!(together[0], together[1], "replications differ");
}

#[test]
fn the_warm_up_is_found_again_on_any_number_of_threads() {
    for (name, plan) in all_machines() {
        let settled = |threads| settle(&plan, 11, Span::SECOND, threads, &Watch::default()).expect("the laws hold");
        assert_eq!(settled(1), settled(3), "{name}");
    }
}

/// Every replication fails, and the error is that of the lowest-numbered one, whichever thread is first.
#[test]
fn the_reported_failure_does_not_depend_on_threads() {
    let plan = plan(vec![volume("A", exponential(1_000))], vec![open(1e7, vec![io(0)])]);
    let experiment = Experiment { plan: &plan, name: "overrun", seed: 11, measurement: measurement() };
    let failed = |threads| experiment.run(0..3, threads, &Watch::default()).expect_err("it outgrows the machine");
    let one = failed(1);
    assert!(matches!(one, RunError { replication: 0, failure: Failure::Overrun(_) }), "{one:?}");
    for _ in 0..2 {
        assert_eq!(failed(3), one);
    }
}
