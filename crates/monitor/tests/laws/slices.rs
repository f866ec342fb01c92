//! Slices under any load, compared with the same load on processors that are not shared: no slice is better than its share,
//! a longer switch never helps, and processors in antiphase do not affect I/O.
//!
//! Streams are named, so arrivals and spans are the same whatever the slices, and the statements are exact: no noise to
//! allow for.

use super::any_plan::any_distribution;
use crate::observed::Observed;
use kernel::calendar::TreeCalendar;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{
    Aliasing, Arrival, Batch, CecPlan, DeviceNumber, Dispatching, GuestPlan, IoPlan, PartitionPlan, Plan, Processors,
    RunsInPlan, ServicePlan, Step, VolumePlan,
};
use machine::signal::{Probe, Signal};
use machine::world::World;
use proptest::collection::vec;
use proptest::prelude::*;
use units::{PerSecond, Percent, Span, Tod};

const RUN: Span = Span::from_ms(300);

/// When a requester was through: left, or began its program anew.
#[derive(Debug, Default)]
struct Through(Vec<Tod>);

impl Probe for Through {
    fn signal(&mut self, now: Tod, signal: Signal) {
        if matches!(signal, Signal::Cycled(..)) {
            self.0.push(now);
        }
    }
}

/// All that happens to I/Os.
#[derive(Debug, Default)]
struct Ios(Vec<(Tod, Signal)>);

impl Probe for Ios {
    fn signal(&mut self, now: Tod, signal: Signal) {
        if matches!(signal, Signal::Started(..) | Signal::Ended(..) | Signal::Cleared(..) | Signal::Responded(..)) {
            self.0.push((now, signal));
        }
    }
}

fn observed<P: Probe + Default + 'static>(plan: &Plan, seed: u64) -> P {
    let mut world: World<TreeCalendar, Observed> = World::new(plan, &Streams::new(seed, 0), Observed::by(P::default()));
    world.run_until(Tod::START + RUN).expect("the load is small");
    world.probe.taken()
}

fn through(plan: &Plan, seed: u64) -> Vec<Tod> {
    observed::<Through>(plan, seed).0
}

fn volume(number: u16, connect: Distribution) -> VolumePlan {
    let none = Distribution::Constant(Span::ZERO);
    let (connect_per_concurrent, connect_per_kib) = (Span::ZERO, Span::ZERO);
    VolumePlan {
        name: format!("V{number}"),
        device: DeviceNumber(number),
        device_type: "3390-3".into(),
        control_unit: None,
        aliasing: Aliasing::None,
        service: ServicePlan {
            pend: none,
            disconnect: none,
            connect,
            connect_per_concurrent,
            connect_per_kib,
            ..Default::default()
        },
        gap: Span::ZERO,
        limit: None,
        partition: Some(0),
        ..Default::default()
    }
}

fn guests(name: &str, arrival: Arrival, program: Vec<Step>) -> GuestPlan {
    GuestPlan {
        name: name.into(),
        arrival,
        runs_in: Some(RunsInPlan::Partition { partition: 0, priority: 0 }),
        program,
        ..Default::default()
    }
}

fn users(per_second: f64, program: Vec<Step>) -> GuestPlan {
    guests("USERS", Arrival::Open { rate: PerSecond::new(per_second), batch: Batch::Of(1) }, program)
}

/// This many equal domains on this many processors; all that there is belongs to the first.
fn in_slices(mut plan: Plan, domains: u32, cec: CecPlan) -> Plan {
    let (target, maximum) = (Percent::new(10.0), Percent::new(100.0));
    let shared = Processors::Shared { target, maximum };
    plan.partitions =
        (0..domains).map(|number| PartitionPlan::new(&format!("D{number}"), cec.processors, shared)).collect();
    plan.cec = Some(cec);
    plan
}

fn together(processors: u32, slice: Span, switch: Span) -> CecPlan {
    CecPlan::slices(processors, slice, Dispatching::Together, switch)
}

fn dedicated(mut plan: Plan) -> Plan {
    plan.partitions = vec![PartitionPlan::new("D0", 1, Processors::Dedicated)];
    plan.cec = Some(together(1, Span::from_ms(1), Span::ZERO));
    plan
}

/// This many times as long.
fn slowed(work: &Distribution, factor: u64) -> Distribution {
    match *work {
        Distribution::Constant(span) => Distribution::Constant(span * factor),
        Distribution::Uniform { low, high } => Distribution::Uniform { low: low * factor, high: high * factor },
        Distribution::Exponential { mean } => Distribution::Exponential { mean: mean * factor },
        Distribution::Erlang { mean, stages } => Distribution::Erlang { mean: mean * factor, stages },
        Distribution::Hyperexponential { mean, scv } => Distribution::Hyperexponential { mean: mean * factor, scv },
        Distribution::Gamma { mean, scv } => Distribution::Gamma { mean: mean * factor, scv },
    }
}

/// A guest that computes, thinks and does I/O in any order, some of it again and again.
fn any_program(volumes: usize) -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        any_distribution(3_000).prop_map(Step::Think),
        any_distribution(3_000).prop_map(Step::Compute),
        (0..volumes).prop_map(|volume| Step::Io(IoPlan::of_volume(volume))),
    ];
    (any_distribution(500), vec(step, 1..6)).prop_map(|(work, mut steps)| {
        steps.push(Step::Compute(work));
        steps
    })
}

/// Whether the n-th of some is never through before the n-th of others.
fn is_never_later(these: &[Tod], others: &[Tod]) -> bool {
    these.len() >= others.len() && these.iter().zip(others).all(|(this, other)| this <= other)
}

proptest! {
    #![proptest_config(super::cases(500))]

    /// Slices of length T that go round k domains have given a domain t / k of any span t, but for T (k - 1) / k.  So the
    /// unfinished work differs by at most that from the work of a processor of a k-th of the speed. Each response differs
    /// by at most 2 T (k - 1): with T -> 0 it is that of service k S. Unfinished work is a supremum over spans (Reich:
    /// Waiting Times When Queues are in Tandem, 1957).
    #[test]
    fn short_slices_are_a_slower_processor(
        work in any_distribution(1_000),
        (domains, slice_us) in (2..=4u32, 1..2_000u64),
        (per_second, seed) in (50.0..600.0, any::<u64>()),
    ) {
        let plan = |work| Plan { guests: vec![users(per_second, vec![Step::Compute(work)])], ..Plan::default() };
        let slice = Span::from_us(slice_us);
        let sliced = through(&in_slices(plan(work), domains, together(1, slice, Span::ZERO)), seed);
        let slower = through(&dedicated(plan(slowed(&work, u64::from(domains)))), seed);
        // Drawn times are rounded to whole units before they are slowed.
        let rounding = Span::from_units(u64::from(domains) * slower.len() as u64);
        let most = slice * (2 * u64::from(domains - 1)) + rounding;
        for (sliced, slower) in sliced.iter().zip(&slower) {
            prop_assert!(*sliced <= *slower + most && *slower <= *sliced + most, "{sliced} and {slower}: {slice}");
        }
        let by = |end| slower.iter().filter(|at| **at <= end).count();
        prop_assert!(sliced.len() >= by(Tod::START + (RUN - most)), "no other is later");
    }

    /// Up to its end a slice is a processor of one's own, and after it nothing happens until the next one: with T ->
    /// infinity, full speed and stop.
    #[test]
    fn a_long_slice_is_full_speed_and_then_stop(
        (work, io) in (any_distribution(1_000), any_distribution(3_000)),
        slice_ms in 100..150u64,
        (per_second, seed) in (50.0..600.0, any::<u64>()),
    ) {
        let program = vec![Step::Compute(work), Step::Io(IoPlan::of_volume(0)), Step::Compute(work)];
        let guests = vec![users(per_second, program)];
        let plan = Plan { volumes: vec![volume(0, io)], guests, ..Plan::default() };
        let (slice, other) = (Span::from_ms(slice_ms), Tod::START + Span::from_ms(2 * slice_ms));
        let sliced = through(&in_slices(plan.clone(), 2, together(1, slice, Span::ZERO)), seed);
        let alone = through(&dedicated(plan), seed);
        let by = |whose: &[Tod], end: Tod| whose.iter().copied().filter(|at| *at <= end).collect::<Vec<Tod>>();
        let end = Tod::START + slice;
        prop_assert_eq!(by(&sliced, end), by(&alone, end));
        prop_assert_eq!(by(&sliced, end).len(), by(&sliced, other).len(), "no requester is through outside of its slice");
    }

    /// One processor of each domain is always carried and takes the interrupt.  The handler needs no time: otherwise one
    /// that the end of a slice catches goes on a turn later.
    #[test]
    fn in_antiphase_slices_make_no_difference_to_io(
        services in vec(any_distribution(3_000), 1..4),
        (think, count) in (any_distribution(2_000), 1..8u32),
        (per_second, seed) in (1.0..300.0, any::<u64>()),
        (domains, slices_us) in (2..=3u32, vec(100..20_000u64, 2)),
    ) {
        let all = (0..services.len()).map(machine::plan::Target::Volume).collect();
        let io = Step::Io(IoPlan::reading(machine::plan::Choice::Uniform(all)));
        let closed = guests("TERMINALS", Arrival::Closed { count }, vec![Step::Think(think), io.clone()]);
        let volumes = (0u16..).zip(services).map(|(number, service)| volume(number, service)).collect();
        let plan = Plan { volumes, guests: vec![closed, users(per_second, vec![io])], ..Plan::default() };
        let runs = slices_us.iter().map(|us| {
            let apart = CecPlan::slices(domains, Span::from_us(*us), Dispatching::Apart, Span::ZERO);
            observed::<Ios>(&in_slices(plan.clone(), domains, apart), seed).0
        });
        let runs: Vec<Vec<(Tod, Signal)>> = runs.collect();
        prop_assert!(runs[0].len() > 10, "something happens");
        prop_assert_eq!(&runs[0], &runs[1]);
        let held = |(_, signal): &(Tod, Signal)| matches!(signal, Signal::Cleared(.., span) if !span.is_zero());
        prop_assert!(!runs[0].iter().any(held), "no interrupt waits");
    }
}

proptest! {
    #![proptest_config(super::cases(500))]

    /// A longer switch leaves a shorter rest of each slice. With service in the order of arrival no requester is then through
    /// sooner (as more servers in `monotone.rs`, by Kiefer and Wolfowitz).
    #[test]
    fn more_switch_cost_lets_none_be_through_sooner(
        (work, io) in (any_distribution(1_500), any_distribution(3_000)),
        (domains, processors, slice_us) in (2..=3u32, 1..=3u32, 500..20_000u64),
        switches in vec(0.0..1.0, 2),
        (per_second, seed) in (20.0..600.0, any::<u64>()),
    ) {
        let mut program = vec![Step::Compute(work)];
        if processors == 1 {
            program.push(Step::Io(IoPlan::of_volume(0)));
        }
        let guests = vec![users(per_second, program)];
        let plan = Plan { volumes: vec![volume(0, io)], guests, ..Plan::default() };
        let (shorter, longer) = ordered(&switches, slice_us);
        let run = |switch| {
            let cec = together(processors, Span::from_us(slice_us), switch);
            through(&in_slices(plan.clone(), domains, cec), seed)
        };
        prop_assert!(is_never_later(&run(shorter), &run(longer)), "{shorter} against {longer}");
    }

    /// The same for one guest, whatever its program.
    #[test]
    fn more_switch_cost_lets_a_single_guest_do_no_more(
        services in vec(any_distribution(3_000), 2),
        program in any_program(2),
        (domains, slice_us) in (2..=3u32, 500..20_000u64),
        (switches, seed) in (vec(0.0..1.0, 2), any::<u64>()),
    ) {
        let volumes = (0u16..).zip(services).map(|(number, service)| volume(number, service)).collect();
        let guests = vec![guests("ONE", Arrival::Closed { count: 1 }, program)];
        let plan = Plan { volumes, guests, ..Plan::default() };
        let (shorter, longer) = ordered(&switches, slice_us);
        let run = |switch| {
            let cec = together(2, Span::from_us(slice_us), switch);
            through(&in_slices(plan.clone(), domains, cec), seed)
        };
        prop_assert!(is_never_later(&run(shorter), &run(longer)), "{shorter} against {longer}");
    }
}

/// Two switches as parts of a slice, the shorter first.
fn ordered(parts: &[f64], slice_us: u64) -> (Span, Span) {
    let [one, other] = [parts[0], parts[1]].map(|part| Span::from_us((part * slice_us as f64) as u64));
    (one.min(other), one.max(other))
}
