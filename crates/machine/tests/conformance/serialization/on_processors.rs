//! Requests on the processors of their systems: what competes, what is suspended meanwhile, and whose time it is.

use super::stand::{plan, resource, service};
use crate::stand::{Log, us, volume};
use kernel::calendar::TreeCalendar;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::ids::{Exposure, Group, Requester, Volume};
use machine::plan::{
    Aliasing, Arrival, CecPlan, DispatcherPlan, Dispatching, EnqStep, EnqueueAccess, GuestPlan, IoPlan, Linkage, Plan,
    Ret, RunsInPlan, Scope, SlicesPlan, Step, Structure,
};
use machine::signal::{Hold, LockUse, Queueing, Serializing, Signal};
use machine::world::World;
use units::{Span, Tod};

fn compute(us: u64) -> Step {
    Step::Compute(Distribution::Constant(Span::from_us(us)))
}

fn think(us: u64) -> Step {
    Step::Think(Distribution::Constant(Span::from_us(us)))
}

fn enq(enqueue: usize, steps: Vec<Step>) -> Step {
    let (access, ret, linkage) = (EnqueueAccess::Exclusive, Ret::None, Linkage::Svc);
    Step::Enq(EnqStep { enqueue, access, ret, linkage, steps: Some(steps) })
}

fn guest(name: &str, (partition, priority): (usize, u8), program: Vec<Step>) -> GuestPlan {
    let runs_in = Some(RunsInPlan::Partition { partition, priority });
    GuestPlan { name: name.into(), arrival: Arrival::Closed { count: 1 }, runs_in, program, ..Default::default() }
}

/// Systems with this many dedicated processors each, these resources and guests, without exits.
fn machine(systems: u32, processors: u32, (scope, enqueues): (Scope, usize), guests: Vec<GuestPlan>) -> Plan {
    let all = (0..enqueues).map(|number| resource(number, scope)).collect();
    let mut plan = plan(systems, service(Structure::None), all);
    plan.partitions.iter_mut().for_each(|partition| partition.logical = processors);
    let dispatcher =
        DispatcherPlan::Slices(SlicesPlan { slice: Span::from_ms(10), dispatching: Dispatching::Together });
    plan.cec = Some(CecPlan { processors: systems * processors, dispatcher, switch: Span::ZERO });
    Plan { guests, ..plan }
}

fn run(plan: &Plan, until: u64) -> Vec<(Tod, Signal)> {
    let mut world: World<TreeCalendar, Log> = World::new(plan, &Streams::new(1, 0), Log::default());
    world.run_until(us(until)).expect("there are no arrivals from outside");
    world.probe.0
}

/// When the signals came that a test asks for.
fn when(log: &[(Tod, Signal)], wanted: impl Fn(&Signal) -> bool) -> Vec<Tod> {
    log.iter().filter(|(_, signal)| wanted(signal)).map(|(at, _)| *at).collect()
}

fn cycled(group: u32) -> impl Fn(&Signal) -> bool {
    move |signal| matches!(signal, Signal::Cycled(own, _) if *own == Group(group))
}

fn lock(wanted: impl Fn(LockUse) -> bool) -> impl Fn(&Signal) -> bool {
    move |signal| matches!(signal, Signal::Serialization(Serializing::Lock(_, what)) if wanted(*what))
}

#[test]
fn a_pair_takes_what_it_costs_and_what_is_done_between() {
    let plan =
        machine(1, 1, (Scope::System, 1), vec![guest("A", (0, 1), vec![compute(100), enq(0, vec![compute(50)])])]);
    let log = run(&plan, 400);
    assert_eq!(when(&log, cycled(0)), [us(166), us(332)], "100 + 10 + 50 + 6");
}

/// Two tasks on one processor: the stretches of the second wait while the first computes.
#[test]
fn stretches_compete_for_the_processor() {
    let guests = vec![
        guest("HIGH", (0, 2), vec![compute(100), think(1_000)]),
        guest("LOW", (0, 1), vec![enq(0, vec![think(500)])]),
    ];
    let log = run(&machine(1, 1, (Scope::System, 1), guests), 300);
    let granted =
        |signal: &Signal| matches!(signal, Signal::Serialization(Serializing::Queue(_, _, Queueing::Granted(..))));
    assert_eq!(when(&log, granted), [us(110)], "behind the 100 us of the other one");
}

/// Guide: the owner of a suspend lock runs enabled; it may lose its processor, and keeps the lock.
#[test]
fn the_lock_holder_may_lose_its_processor_and_keeps_the_lock() {
    let guests = vec![
        guest("LOW", (0, 1), vec![enq(0, vec![think(5_000)])]),
        guest("HIGH", (0, 2), vec![think(4), compute(30), think(5_000)]),
    ];
    let log = run(&machine(1, 1, (Scope::System, 1), guests), 300);
    let held = |what| matches!(what, LockUse::Given(_, held) if held == Span::from_us(40));
    assert_eq!(when(&log, lock(held)), [us(40)], "4 of its 10, 30 of the other one, 6");
}

/// The other one takes the processor, wants the lock, is suspended, and the owner goes on: no spinning.
#[test]
fn a_task_suspended_for_the_lock_leaves_the_processor_to_its_owner() {
    let guests = vec![
        guest("LOW", (0, 1), vec![enq(0, vec![think(5_000)])]),
        guest("HIGH", (0, 2), vec![think(4), compute(3), enq(1, vec![think(5_000)])]),
    ];
    let log = run(&machine(1, 1, (Scope::System, 2), guests), 300);
    assert_eq!(when(&log, lock(|what| matches!(what, LockUse::Awaited(Requester(1))))), [us(7)]);
    let handed = |what| matches!(what, LockUse::Taken(Requester(1), Some(waited)) if waited == Span::from_us(6));
    assert_eq!(when(&log, lock(handed)), [us(13)], "LOW needed 6 more");
    assert_eq!(when(&log, lock(|what| matches!(what, LockUse::Given(Requester(1), _)))), [us(23)]);
}

#[test]
fn a_task_that_waits_for_a_resource_leaves_the_processor_to_others() {
    let guests = vec![
        guest("OWNER", (0, 3), vec![enq(0, vec![think(200)]), think(5_000)]),
        guest("WAITS", (0, 2), vec![think(20), enq(0, vec![think(5_000)])]),
        guest("OTHER", (0, 1), vec![think(20), compute(100), think(5_000)]),
    ];
    let log = run(&machine(1, 1, (Scope::System, 1), guests), 400);
    let computed = |signal: &Signal| matches!(signal, Signal::Computed(Group(2), _));
    assert_eq!(when(&log, computed), [us(130)], "behind the 10 us of the request, and not behind the wait");
}

/// `guests.compute_ms` and `guests.resource_wait_ms`.
#[test]
fn time_in_requests_is_computing_on_a_processor_and_waiting_for_others() {
    let guests = vec![
        guest("OWNER", (0, 1), vec![enq(0, vec![think(200)]), think(5_000)]),
        guest("WAITS", (1, 1), vec![think(20), enq(0, vec![think(5_000)])]),
    ];
    let mut plan = machine(2, 1, (Scope::Systems, 1), guests);
    plan.serialization.as_mut().expect("it has one").complex =
        machine::plan::ComplexPlan::Star { service: Span::from_us(40) };
    let log = run(&plan, 1_000);
    let of_second = |wanted: fn(&Signal) -> Option<Span>| -> Vec<(Tod, Span)> {
        log.iter().filter_map(|(at, signal)| wanted(signal).map(|span| (*at, span))).collect()
    };
    let computed = of_second(|signal| match signal {
        Signal::Computed(Group(1), span) => Some(*span),
        _ => None,
    });
    assert_eq!(computed, [(us(30), Span::from_us(10))]);
    let waited = of_second(|signal| match signal {
        Signal::Enqueued(Group(1), span) => Some(*span),
        _ => None,
    });
    // The owner is known of at 50, thinks to 250, and its DEQ is known of at 296.
    assert_eq!(waited, [(us(70), Span::from_us(40)), (us(296), Span::from_us(226))]);
}

#[test]
fn use_goes_past_its_steps_in_a_program() {
    let step = |steps| {
        let (access, linkage) = (EnqueueAccess::Exclusive, Linkage::Svc);
        Step::Enq(EnqStep { enqueue: 0, access, ret: Ret::Use, linkage, steps: Some(steps) })
    };
    let guests = vec![
        guest("OWNER", (0, 1), vec![enq(0, vec![think(5_000)])]),
        guest("TRIES", (0, 1), vec![think(20), step(vec![compute(300)]), compute(7), think(5_000)]),
    ];
    let log = run(&machine(1, 2, (Scope::System, 1), guests), 1_000);
    let computed = |signal: &Signal| matches!(signal, Signal::Computed(Group(1), span) if *span == Span::from_us(7));
    assert_eq!(when(&log, computed), [us(37)], "20, 10 for the request, and 7 behind the steps");
}

#[test]
fn what_a_program_keeps_is_released_at_its_end() {
    let keeps = Step::Enq(EnqStep {
        enqueue: 0,
        access: EnqueueAccess::Exclusive,
        ret: Ret::None,
        linkage: Linkage::Svc,
        steps: None,
    });
    let plan = machine(1, 1, (Scope::System, 1), vec![guest("A", (0, 1), vec![keeps, compute(50)])]);
    let log = run(&plan, 140);
    let released =
        |signal: &Signal| matches!(signal, Signal::Serialization(Serializing::Queue(_, _, Queueing::Released(..))));
    assert_eq!(when(&log, released), [us(66), us(132)]);
    assert_eq!(when(&log, cycled(0)), [us(66), us(132)], "with the price of a DEQ");
}

/// Reference, RESERVE: the I/Os of the other system stay pending meanwhile, those of the own one do not.
#[test]
fn a_reserve_keeps_ios_of_other_systems_pending() {
    let io = |volume| Step::Io(IoPlan::of_volume(volume));
    let guests = vec![
        guest("OWNER", (0, 1), vec![enq(0, vec![think(290), io(0)]), think(50_000)]),
        guest("OTHER", (1, 1), vec![think(100), io(1), think(50_000)]),
    ];
    let mut plan = machine(2, 1, (Scope::Systems, 1), guests);
    plan.volumes = (0..2).map(|number| volume(number, Aliasing::None)).collect();
    for (number, view) in plan.volumes.iter_mut().enumerate() {
        view.partition = Some(number);
    }
    plan.enqueues[0].reserve = vec![0, 1];
    let log = run(&plan, 2_000);
    let reserved = |signal: &Signal| *signal == Signal::Reserved(Volume(1));
    assert_eq!(when(&log, reserved), [us(10)]);
    let held = |signal: &Signal| *signal == Signal::Held(Volume(1), Exposure(1), Hold::Reserved);
    assert_eq!(when(&log, held), [us(100)]);
    let ended =
        |volume: u32| move |signal: &Signal| matches!(signal, Signal::Ended(io, ..) if io.volume == Volume(volume));
    assert_eq!(when(&log, ended(0)), [us(400)], "its own: 10 and 290, then 100 for the I/O");
    assert_eq!(when(&log, |signal| *signal == Signal::Released(Volume(1))), [us(406)]);
    assert_eq!(when(&log, ended(1)), [us(506)]);
}
