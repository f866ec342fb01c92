//! What holds for any partitions by weight: caps are kept whatever comes, and those that are always busy divide processors
//! like water.

use crate::any_weights::{any_prsm, any_weight, by_weight};
use crate::cases;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{
    Arrival, GuestPlan, PartitionPlan, Plan, Preemption, Processors, PrsmPlan, RunsInPlan, Step, WeightPlan,
};
use measures::PartitionTotals;
use monitor::{Measurement, replicate};
use proptest::collection::vec;
use proptest::prelude::*;
use units::Span;

/// Partitions with this many logical processors and this many guests of this program in each.
fn machine(processors: u32, prsm: PrsmPlan, partitions: &[(Processors, u32, u32, Vec<Step>)]) -> Plan {
    let mut plan = Plan { cec: Some(by_weight(processors, prsm, Span::ZERO)), ..Plan::default() };
    for (partition, (promised, logicals, count, program)) in partitions.iter().enumerate() {
        let name = format!("LPAR{partition}");
        plan.partitions.push(PartitionPlan::new(&name, *logicals, *promised));
        let runs_in = Some(RunsInPlan::Partition { partition, priority: 0 });
        let arrival = Arrival::Closed { count: *count };
        plan.guests.push(GuestPlan { name, arrival, runs_in, program: program.clone() });
    }
    plan
}

fn totals(plan: &Plan, seed: u64, length: Span) -> Vec<PartitionTotals> {
    let measurement = Measurement { warm_up: Span::from_ms(500), interval: length, intervals: 1, sample: length };
    let run = replicate(plan, &Streams::new(seed, 0), &measurement, "weights", |_| true);
    run.expect("the laws hold").remove(0).partitions
}

/// The most that a cap leaves each logical processor, and how much it may be ahead of it: what is kept of the allowance, and
/// a run that has begun.
fn most(plan: WeightPlan, logicals: u32, length: Span, run: Span) -> f64 {
    let each = plan.cap.map_or(1.0, |cap| (cap / f64::from(logicals)).min(1.0));
    f64::from(logicals) * (each + 4.0 * run.seconds() / length.seconds())
}

proptest! {
    #![proptest_config(cases(60))]

    #[test]
    fn caps_are_kept_whatever_comes(
        (prsm, seed) in (any_prsm(), any::<u64>()),
        drawn in vec((any_weight(), 1..4u32, 1..8u32, 50..9_000u64, 0..9_000u64), 1..4),
    ) {
        let exponential = |us| Distribution::Exponential { mean: Span::from_us(us) };
        let partitions: Vec<(Processors, u32, u32, Vec<Step>)> = drawn
            .into_iter()
            .map(|(promised, logicals, count, compute, think)| {
                let program = vec![Step::Compute(exponential(compute)), Step::Think(exponential(think + 1))];
                (promised, logicals, count, program)
            })
            .collect();
        let length = Span::SECOND * 3;
        let seen = totals(&machine(2, prsm, &partitions), seed, length);
        for (seen, (promised, logicals, ..)) in seen.iter().zip(&partitions) {
            let Processors::Weighted(plan) = promised else { unreachable!("all are by weight") };
            let got = seen.dispatched_percent.value / 100.0 * f64::from(*logicals);
            let run = prsm.run_time.unwrap_or(Span::from_ms(100));
            prop_assert!(got <= most(*plan, *logicals, length, run), "{} has {got} of {plan:?}", seen.partition);
        }
    }

    /// Horizontal, without caps: logical processors have a level times their share, but none more than a processor.
    #[test]
    fn whoever_is_always_busy_divides_processors_like_water(
        processors in 1..6u32,
        drawn in vec((1..=999u32, 1..5u32), 1..6),
        run_us in 1_000..20_000u64,
    ) {
        let prsm = PrsmPlan {
            run_time: Some(Span::from_us(run_us)),
            wait_completion: false,
            preemption: Preemption::Share,
        };
        let work = vec![Step::Compute(Distribution::Constant(Span::from_us(7_310)))];
        let partitions: Vec<(Processors, u32, u32, Vec<Step>)> = drawn
            .iter()
            .map(|(weight, logicals)| {
                (Processors::Weighted(WeightPlan::new(*weight)), *logicals, *logicals, work.clone())
            })
            .collect();
        let length = Span::SECOND * 100;
        let seen = totals(&machine(processors, prsm, &partitions), 1, length);
        let own = |(weight, logicals): &(u32, u32), level: f64| f64::from(*logicals).min(level * f64::from(*weight));
        let all = |level: f64| drawn.iter().map(|each| own(each, level)).sum::<f64>();
        let (mut low, mut high) = (0.0, 1e6);
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            if all(middle) < f64::from(processors) { low = middle } else { high = middle }
        }
        // A partition with a small share waits long between its runs: two of them may be missing or too many.
        let near = 1e-3 + 2.0 * Span::from_us(run_us).seconds() / length.seconds();
        for (seen, each) in seen.iter().zip(&drawn) {
            let (got, due) = (seen.cpu_percent.value / 100.0, own(each, high));
            prop_assert!((got - due).abs() < near * f64::from(each.1), "{got} and not {due}: {each:?} of {drawn:?}");
        }
    }
}
