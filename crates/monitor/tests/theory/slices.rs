//! Domains in fixed slices against exact results: the wait of a completed I/O for its domain, the rate of a re-driven device,
//! and the rest of a processor after slices.

use super::trial::Trial;
use crate::plans::{closed, exponential, io, plan, volume};
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{
    Access, Arrival, CecPlan, Dispatching, PartitionPlan, Plan, Processors, Record, RunsInPlan, Step, Target,
};
use measures::IntervalTotals;
use monitor::{Measurement, replicate};
use units::{Percent, Span};

const OWN: RunsInPlan = RunsInPlan::Partition { partition: 0, priority: 0 };

fn domain(name: &str, percent: f64, maximum: f64) -> PartitionPlan {
    let share = Processors::Shared { target: Percent::new(percent), maximum: Percent::new(maximum) };
    PartitionPlan::new(name, 2, share)
}

/// One volume and one group of guests in the first of two domains that share two processors half and half.
fn halved(mut plan: Plan, slice: Span, dispatching: Dispatching, switch: Span) -> Plan {
    plan.cec = Some(CecPlan::slices(2, slice, dispatching, switch));
    plan.partitions = vec![domain("OWN", 50.0, 100.0), domain("OTHER", 50.0, 100.0)];
    plan.volumes[0].partition = Some(0);
    plan.guests[0].runs_in = Some(OWN);
    plan
}

fn once(plan: &Plan, interval: Span) -> IntervalTotals {
    let measurement = Measurement { warm_up: Span::ZERO, interval, intervals: 1, sample: interval };
    replicate(plan, &Streams::new(1, 0), &measurement, "slices", |_| true).expect("the laws hold").remove(0)
}

/// How long an I/O of service S waits for its domain's next slice. It starts uniformly over the own slice of length T, with
/// as long a slice of the other domain after it.
fn hold_ms(service_ms: f64, slice_ms: f64) -> f64 {
    let frame = 2.0 * slice_ms;
    let rest = service_ms % frame;
    if rest <= slice_ms { rest - rest * rest / frame } else { (frame - rest) * (frame - rest) / frame }
}

const STARTS: u64 = 200;

/// I/Os recorded so that they start at the middles of equal parts of the own slice, one after the other is over.
fn simulated_hold_ms(service: Span, slice: Span) -> f64 {
    let frame = slice + slice;
    let apart = frame * (service.units() / frame.units() + 3);
    let start = |number: u64| Span::from_units((2 * number + 1) * slice.units() / (2 * STARTS));
    let target = Target::Volume(0);
    let record = |number| Record { at: apart * number + start(number), target, bytes: 0, access: Access::Read };
    let mut guests = closed(1, Vec::new());
    guests.arrival = Arrival::Replay { records: (0..STARTS).map(record).collect() };
    let plan = plan(vec![volume("DISK", Distribution::Constant(service))], vec![guests]);
    let totals = once(&halved(plan, slice, Dispatching::Together, Span::ZERO), apart * (STARTS + 1));
    assert!((totals.volumes[0].io_per_s.value * totals.length.seconds() - STARTS as f64).abs() < 0.5);
    totals.volumes[0].hold_ms.value
}

#[test]
fn a_completed_io_waits_for_its_domain_as_the_formula_says() {
    for service_ms in [1u64, 4, 9, 17, 18, 25, 40] {
        for slice_ms in [5u64, 9, 10, 18, 20, 30] {
            let simulated = simulated_hold_ms(Span::from_ms(service_ms), Span::from_ms(slice_ms));
            let theory = hold_ms(service_ms as f64, slice_ms as f64);
            let step = slice_ms as f64 / STARTS as f64;
            assert!((simulated - theory).abs() <= step, "S {service_ms}, T {slice_ms}: {simulated} against {theory}");
        }
    }
}

#[test]
fn the_formula_gives_the_values_of_its_source() {
    for (slice, hold) in [(9.0, 0.0), (10.0, 0.2), (18.0, 9.0), (20.0, 9.9), (30.0, 12.6), (100.0, 16.4)] {
        assert!((hold_ms(18.0, slice) - hold).abs() < 0.05, "T {slice}: {}", hold_ms(18.0, slice));
    }
}

/// A device that is re-driven at each interrupt does one I/O after the other while its domain has its slice. The one that
/// ends in the other slice waits: (T / m + 1 - exp(-T / m)) / 2T for exponential service m.
#[test]
fn a_device_that_is_redriven_at_each_interrupt() {
    for slice_ms in [30u64, 20, 10] {
        let plan = plan(vec![volume("FEP", exponential(11_200))], vec![closed(1, vec![io(0)])]);
        let plan = halved(plan, Span::from_ms(slice_ms), Dispatching::Together, Span::ZERO);
        let trial = Trial::run(&format!("front end, slices of {slice_ms} ms"), &plan, 300);
        let (slice, mean) = (slice_ms as f64, 11.2);
        let rate = 1e3 * (slice / mean + 1.0 - (-slice / mean).exp()) / (2.0 * slice);
        trial.agrees("rate", |interval| interval.system.io_per_s.value, rate);
    }
}

/// Two logical processors in antiphase: one is always carried, so slices make no difference to I/O.
#[test]
fn in_antiphase_slices_make_no_difference_to_io() {
    let rate = |slice_us| {
        let mut plan = plan(vec![volume("DISK", exponential(3_000))], vec![closed(1, vec![io(0)])]);
        plan = halved(plan, Span::from_us(slice_us), Dispatching::Apart, Span::ZERO);
        once(&plan, Span::SECOND * 100).volumes[0].clone()
    };
    let short = rate(700);
    assert_eq!(short.hold_ms.value, 0.0);
    for slice_us in [1_000, 7_300, 30_000, 100_000] {
        assert_eq!(rate(slice_us).io_per_s, short.io_per_s, "slices of {slice_us} us");
    }
}

/// What a domain gets of a processor that it could always use: its slice less the switch, over the frame.
#[test]
fn work_gets_the_slice_without_the_switch() {
    let mut before = f64::INFINITY;
    for switch_us in [0u64, 100, 500, 2_000] {
        let work = Step::Compute(Distribution::Constant(Span::from_us(170)));
        let plan = plan(vec![volume("DISK", exponential(1_000))], vec![closed(1, vec![work])]);
        let plan = halved(plan, Span::from_ms(10), Dispatching::Together, Span::from_us(switch_us));
        let totals = once(&plan, Span::SECOND * 20);
        let cpu = totals.partitions[0].cpu_percent.value;
        let share = 100.0 * (10.0 - switch_us as f64 / 1e3) / 20.0;
        assert!((cpu - share).abs() < 1e-9, "a switch of {switch_us} us leaves {cpu} %, not {share} %");
        assert!(totals.guests[0].cycles_per_s.value <= before, "more switch cost never raises throughput");
        before = totals.guests[0].cycles_per_s.value;
    }
}

/// Targets are shares of their sum; a maximum caps, and the time that it cuts off is idle.
#[test]
fn targets_and_maxima_divide_the_frame() {
    let shares = |targets: [(f64, f64); 2]| {
        let work = Step::Compute(Distribution::Constant(Span::from_ms(1)));
        let mut plan =
            plan(vec![volume("DISK", exponential(1_000))], vec![closed(2, vec![work.clone()]), closed(2, vec![work])]);
        plan = halved(plan, Span::from_ms(10), Dispatching::Together, Span::ZERO);
        plan.partitions =
            targets.iter().zip(["A", "B"]).map(|((target, max), name)| domain(name, *target, *max)).collect();
        plan.guests[1].runs_in = Some(RunsInPlan::Partition { partition: 1, priority: 0 });
        let totals = once(&plan, Span::SECOND * 20);
        [0, 1].map(|number| totals.partitions[number].dispatched_percent.value)
    };
    let near = |seen: [f64; 2], expected: [f64; 2]| {
        let close = seen.iter().zip(expected).all(|(seen, expected)| (seen - expected).abs() < 1e-6);
        assert!(close, "{seen:?}, not {expected:?}");
    };
    near(shares([(50.0, 100.0), (50.0, 100.0)]), [50.0, 50.0]);
    near(shares([(75.0, 100.0), (25.0, 100.0)]), [75.0, 25.0]);
    near(shares([(30.0, 100.0), (30.0, 100.0)]), [50.0, 50.0]);
    near(shares([(75.0, 60.0), (25.0, 100.0)]), [60.0, 25.0]);
}
