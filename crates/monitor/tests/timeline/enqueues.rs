//! ENQ and DEQ worked out by hand: holders of a name and of the lock of its system, waiters for either and their targets.

use super::{WARM_UP, spans, traced, waits, window};
use crate::plans::{closed, plan};
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{
    CecPlan, ComplexPlan, Costs, Dispatching, EnqStep, EnqueueAccess, EnqueuePlan, Linkage, PartitionPlan, Plan,
    Processors, Ret, RunsInPlan, Scope, SerializationPlan, Step, Structure,
};
use monitor::{LaneKind, Measurement, State, Timeline, WaitKind, replicate};
use units::{Span, Tod};

fn think(us: u64) -> Step {
    Step::Think(Distribution::Constant(Span::from_us(us)))
}

fn enq(access: EnqueueAccess, ret: Ret, steps: Vec<Step>) -> Step {
    Step::Enq(EnqStep { enqueue: 0, access, ret, linkage: Linkage::Svc, steps: Some(steps) })
}

/// Guests with a processor each in one system, and a name of it; a request takes 10 us.
fn system(programs: Vec<(&str, Vec<Step>)>) -> Plan {
    let count = programs.len() as u32;
    let mut guests = Vec::new();
    for (name, program) in programs {
        let mut guest = closed(1, program);
        (guest.name, guest.runs_in) = (name.into(), Some(RunsInPlan::Partition { partition: 0, priority: 0 }));
        guests.push(guest);
    }
    let us = Span::from_us(10);
    let costs = Costs { enq: us, chng: us, deq: us, ..Costs::default() };
    let (managed, complex, answer, name_lists) = (None, ComplexPlan::None, Span::ZERO, Vec::new());
    let own = SerializationPlan {
        structure: Structure::None,
        managed,
        costs,
        complex,
        answer,
        name_lists,
        exits: Vec::new(),
    };
    let (name, qname, rname, scope) = ("MASTER".into(), "SYSDSN".into(), "PROD".into(), Scope::System);
    Plan {
        cec: Some(CecPlan::slices(count, Span::from_ms(1), Dispatching::Together, Span::ZERO)),
        partitions: vec![PartitionPlan::new("SYSA", count, Processors::Dedicated)],
        serialization: Some(own),
        enqueues: vec![EnqueuePlan { name, qname, rname, scope, members: 1, reserve: Vec::new() }],
        ..plan(Vec::new(), guests)
    }
}

/// FIRST asks as the window begins and holds for 100 us, SECOND comes 5 us later and holds for 50.
fn two_jobs() -> Plan {
    let job =
        |at: u64, us| vec![think(1_000 + at), enq(EnqueueAccess::Exclusive, Ret::None, vec![think(us)]), think(5_000)];
    system(vec![("FIRST", job(0, 100)), ("SECOND", job(5, 50))])
}

fn of_lane(timeline: &Timeline, name: &str) -> Vec<String> {
    spans(timeline).into_iter().filter_map(|line| line.strip_prefix(&format!("{name} ")).map(String::from)).collect()
}

#[test]
fn the_lane_of_a_name_shows_its_holder() {
    let plan = two_jobs();
    let timeline = traced(&plan, &window(0, 400));
    assert_eq!(of_lane(&timeline, "SYSDSN PROD"), ["FIRST 10..120  owned", "SECOND 120..180  owned"]);
    let lane = timeline.lanes.iter().find(|lane| lane.kind == LaneKind::Enqueue).expect("it has a lane");
    assert_eq!(lane.of, "MASTER");
}

#[test]
fn the_lane_of_the_lock_shows_its_holder() {
    let plan = two_jobs();
    let timeline = traced(&plan, &window(0, 400));
    let expected = ["FIRST 0..10  taken", "SECOND 10..20  taken", "FIRST 110..120  taken", "SECOND 170..180  taken"];
    assert_eq!(of_lane(&timeline, "SYSA CMSEQDQ"), expected);
}

#[test]
fn a_waiter_is_shown_with_its_target() {
    let plan = two_jobs();
    let timeline = traced(&plan, &window(0, 400));
    assert_eq!(
        waits(&timeline),
        [
            "SECOND 5..10 SYSA: suspended for SYSA CMSEQDQ, which FIRST has",
            "SECOND 20..120 MASTER: waits for SYSDSN PROD, which FIRST has",
        ]
    );
}

/// Both share it from 25 us on; FIRST cannot change it then, and can when SECOND has released it.
#[test]
fn several_that_share_it_have_no_single_name() {
    let change = || enq(EnqueueAccess::Exclusive, Ret::Change, vec![think(40)]);
    let share = |steps| enq(EnqueueAccess::Shared, Ret::None, steps);
    let plan = system(vec![
        ("FIRST", vec![think(1_000), share(vec![think(30), change(), think(100), change()]), think(5_000)]),
        ("SECOND", vec![think(1_015), share(vec![think(45)]), think(5_000)]),
    ]);
    let timeline = traced(&plan, &window(0, 400));
    let lane = of_lane(&timeline, "SYSDSN PROD");
    let shared = ["FIRST 10..25  shared", "- 25..80  shared", "FIRST 80..160  shared"];
    assert_eq!(lane, [&shared[..], &["FIRST 160..210  owned"]].concat());
}

#[test]
fn spans_of_names_and_waits_for_them_add_up_to_what_the_monitor_counts() {
    let exponential = |us| Step::Think(Distribution::Exponential { mean: Span::from_us(us) });
    let job = |us| vec![exponential(300), enq(EnqueueAccess::Exclusive, Ret::None, vec![exponential(us)])];
    let plan = system(vec![("FIRST", job(100)), ("SECOND", job(200)), ("THIRD", job(50))]);
    let length = Span::from_ms(40);
    let measurement = Measurement { warm_up: WARM_UP, interval: length, intervals: 1, sample: length };
    let counted = replicate(&plan, &Streams::new(1, 0), &measurement, "laws", |_| true).expect("the laws hold");
    let timeline = traced(&plan, &window(0, 40_000));
    let inside = |from: Tod, to: Option<Tod>| {
        let (from, to) = (from.max(timeline.from), to.unwrap_or(timeline.until).min(timeline.until));
        (to - from).units()
    };
    let owned: u64 =
        timeline.spans.iter().filter(|span| span.state == State::Owned).map(|span| inside(span.from, span.to)).sum();
    let suspended: u64 = timeline
        .waits
        .iter()
        .filter(|wait| wait.kind == WaitKind::Suspended)
        .map(|wait| inside(wait.from, wait.to))
        .sum();
    let mean = |units: u64| units as f64 / length.units() as f64;
    let close = |one: f64, other: f64| assert!((one - other).abs() < 1e-9, "{one} {other}");
    close(mean(owned), counted[0].enqueues[0].owners.value);
    close(mean(suspended), counted[0].serialization[0].lock_waiting.value);
}
