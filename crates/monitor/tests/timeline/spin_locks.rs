//! Spin locks worked out by hand: holders, spinners and their targets, and outcomes of yields.

use super::{WARM_UP, spans, traced, waits, window};
use crate::plans::spinning::two_users;
use kernel::draw::Streams;
use machine::plan::{Plan, Yields};
use monitor::{Measurement, State, Timeline, WaitKind, replicate};
use units::{Span, Tod};

/// One processor in slices of 60 us; FIRST takes the lock as the window begins, SECOND comes 50 us later.
fn in_turns(yields: Yields) -> Plan {
    let mut plan = two_users(1, yields);
    plan.partitions[0].control_program.as_mut().expect("it has one").srm.slice = Span::from_us(60);
    plan
}

/// Yields as lines: "77 VM 0 VP 1 on ZVM 0: X'44': its slice is over".
fn yields(timeline: &Timeline) -> Vec<String> {
    let us = |at: Tod| (at - timeline.origin).units() as f64 / Span::from_us(1).units() as f64;
    let line = |one: &monitor::Yield| {
        format!("{} {} on {}: {}", us(one.at), timeline.lanes[one.lane].name, timeline.lanes[one.on].name, one.what)
    };
    timeline.yields.iter().map(line).collect()
}

#[test]
fn the_lane_of_a_lock_shows_its_holder() {
    let plan = in_turns(Yields::X9C);
    let timeline = traced(&plan, &window(0, 200));
    let lock: Vec<String> = spans(&timeline).into_iter().filter(|line| line.contains("dcache")).collect();
    assert_eq!(lock, ["VM 0 dcache FIRST 0..117  taken", "VM 0 dcache SECOND 118..  taken"]);
}

/// SECOND spins from 60 us, when FIRST has lost the processor, and yields at 77.
#[test]
fn a_spinner_waits_for_the_lock_holder() {
    let plan = in_turns(Yields::X9C);
    let timeline = traced(&plan, &window(0, 200));
    assert_eq!(
        waits(&timeline),
        [
            "VM 0 VP 1 50..60 ZVM: CPU wait at ZVM 0 behind VM 0 VP 0",
            "VM 0 VP 0 60..77 ZVM: CPU wait, its slice on ZVM 0 is over",
            "SECOND 60..118 dcache: spins for VM 0 dcache, which FIRST has",
            "VM 0 VP 1 77..117 ZVM: CPU wait, gave ZVM 0 up by X'9C': its target runs in its place",
        ]
    );
    assert_eq!(yields(&timeline), ["77 VM 0 VP 1 on ZVM 0: X'9C': its target runs in its place"]);
}

#[test]
fn a_yield_that_returns_at_once_is_no_wait() {
    let plan = two_users(2, Yields::X44);
    let timeline = traced(&plan, &window(0, 80));
    let fast = |at: u32| format!("{at} VM 0 VP 1 on ZVM 1: X'44': the vector is empty, it spins on (fast path)");
    assert_eq!(yields(&timeline), [fast(65)]);
    assert_eq!(waits(&timeline), ["SECOND 50.. dcache: spins for VM 0 dcache, which FIRST has"]);
}

#[test]
fn an_x44_that_is_not_fast_ends_a_slice() {
    let plan = in_turns(Yields::X44);
    let timeline = traced(&plan, &window(0, 100));
    assert!(
        waits(&timeline).contains(&"VM 0 VP 1 76.. ZVM: CPU wait, gave ZVM 0 up by X'44': its slice is over".into())
    );
}

#[test]
fn spans_of_locks_and_waits_for_them_add_up_to_what_the_monitor_counts() {
    for (processors, yields) in [(1, Yields::X9C), (1, Yields::X44), (2, Yields::SenseRunning), (2, Yields::Never)] {
        let mut plan = two_users(processors, yields);
        plan.partitions[0].control_program.as_mut().expect("it has one").srm.slice = Span::from_us(60);
        let length = Span::from_ms(40);
        let measurement = Measurement { warm_up: WARM_UP, interval: length, intervals: 1, sample: length };
        let counted = replicate(&plan, &Streams::new(1, 0), &measurement, "laws", |_| true).expect("the laws hold");
        let (lock, timeline) = (&counted[0].spin_locks[0], traced(&plan, &window(0, 40_000)));
        let inside = |from: Tod, to: Option<Tod>| {
            (to.unwrap_or(timeline.until).min(timeline.until) - from.max(timeline.from)).seconds() / length.seconds()
        };
        let held = timeline.spans.iter().filter(|span| span.state == State::Taken);
        let held: f64 = held.map(|span| inside(span.from, span.to)).sum();
        assert!((100.0 * held - lock.held_percent.value).abs() < 1e-9, "{processors} {yields:?}: {held} {lock:?}");
        let spun = timeline.waits.iter().filter(|wait| wait.kind == WaitKind::Spinning);
        let spun: f64 = spun.map(|wait| inside(wait.from, wait.to)).sum();
        assert!((spun - lock.spinning.value).abs() < 1e-9, "{processors} {yields:?}: {spun} {lock:?}");
        let came = timeline.yields.iter().filter(|outcome| outcome.what.starts_with('X')).count() as f64;
        let issued = counted[0].control_programs[0].diagnoses_per_s.value * length.seconds();
        assert!((came - issued).abs() < 1e-6, "{processors} {yields:?}: {came} {issued}");
    }
}
