//! Laws of any partitions by weight: caps are always kept, and partitions that are always busy divide processors like
//! water. They have as much beside control programs that yield in any way.

use super::any_control_program::any_control_program;
use super::any_weights::{any_prsm, any_weight, by_weight};
use super::cases;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{
    Arrival, ControlProgramPlan, GuestPlan, PartitionPlan, Plan, Polarization, Preemption, Processors, PrsmPlan,
    RunsInPlan, SpinPlan, Step, VirtualMachinePlan, VmShare, WeightPlan,
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
        plan.guests.push(GuestPlan { name, arrival, runs_in, program: program.clone(), ..Default::default() });
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

/// Water-filling: how many processors' worth each partition has, by its weight and its logical processors, when all are
/// always busy and horizontal: a level times its weight, none more than a processor for each logical one.
fn filled(processors: u32, partitions: &[(u32, u32)]) -> Vec<f64> {
    let own = |(weight, logicals): &(u32, u32), level: f64| f64::from(*logicals).min(level * f64::from(*weight));
    let (mut low, mut high) = (0.0, 1e6);
    for _ in 0..200 {
        let middle = f64::midpoint(low, high);
        let all: f64 = partitions.iter().map(|each| own(each, middle)).sum();
        if all < f64::from(processors) { low = middle } else { high = middle }
    }
    partitions.iter().map(|each| own(each, high)).collect()
}

/// A partition whose control program has more to do than processors, all of it under its scheduler lock every now and then.
#[derive(Clone, Debug)]
struct Yielding {
    weight: u32,
    logicals: u32,
    control_program: ControlProgramPlan,
    program: Vec<Step>,
}

fn any_yielding() -> impl Strategy<Value = Yielding> {
    let program = (20..900u64, 20..900u64, any::<bool>()).prop_map(|(compute, think, even)| {
        let of = |us| match even {
            true => Distribution::Constant(Span::from_us(us)),
            false => Distribution::Exponential { mean: Span::from_us(us) },
        };
        vec![Step::Compute(of(compute)), Step::Think(of(think))]
    });
    (1..=999u32, 1..=4u32, any_control_program(), 1..90u64, program).prop_map(
        |(weight, logicals, mut control_program, hold, program)| {
            control_program.lock.hold = Span::from_us(hold);
            control_program.srm.polarization = Polarization::Horizontal;
            Yielding { weight, logicals, control_program, program }
        },
    )
}

impl Yielding {
    /// Adds the partition, and as many virtual machines as keep it busy.
    fn settle(&self, plan: &mut Plan) {
        let name = format!("ZVM{}", plan.partitions.len());
        let shared = Processors::Weighted(WeightPlan::new(self.weight));
        let mut partition = PartitionPlan::new(&name, self.logicals, shared);
        partition.control_program = Some(self.control_program.clone());
        let count = 4 * self.logicals;
        let (machines, number) = (plan.virtual_machines.len(), plan.partitions.len());
        plan.virtual_machines.push(VirtualMachinePlan {
            name: name.clone(),
            partition: number,
            count,
            virtual_processors: 1,
            share: VmShare::Relative(100),
            limit: None,
            footprint: None,
            spin: SpinPlan::default(),
            ..Default::default()
        });
        let (arrival, runs_in) = (Arrival::Closed { count }, Some(RunsInPlan::VirtualMachine { machines }));
        plan.guests.push(GuestPlan { name, arrival, runs_in, program: self.program.clone(), ..Default::default() });
        plan.partitions.push(partition);
    }
}

proptest! {
    #![proptest_config(cases(60))]

    /// Others spin and yield at the cost of their own share: a partition that is always busy has at least its
    /// entitlement.
    #[test]
    fn weights_hold_whatever_yields(
        (processors, mut prsm, seed) in (1..=4u32, any_prsm(), any::<u64>()),
        yielding in vec(any_yielding(), 1..=2),
        drawn in vec((1..=999u32, 1..=4u32), 1..=2),
    ) {
        if prsm.preemption == Preemption::Always {
            prsm.preemption = Preemption::Share;
        }
        let work = vec![Step::Compute(Distribution::Constant(Span::from_us(7_310)))];
        let busy: Vec<_> = drawn
            .iter()
            .map(|(weight, logicals)| {
                (Processors::Weighted(WeightPlan::new(*weight)), *logicals, *logicals, work.clone())
            })
            .collect();
        let mut plan = machine(processors, prsm, &busy);
        yielding.iter().for_each(|yielding| yielding.settle(&mut plan));
        let shares: Vec<(u32, u32)> = drawn
            .iter()
            .copied()
            .chain(yielding.iter().map(|yielding| (yielding.weight, yielding.logicals)))
            .collect();
        let length = Span::SECOND * 4;
        let run = prsm.run_time.unwrap_or(Span::from_ms(25));
        let near = 5e-3 + 12.0 * run.seconds() / length.seconds();
        let seen = totals(&plan, seed, length);
        for ((seen, due), each) in seen.iter().zip(filled(processors, &shares)).zip(&drawn) {
            let got = seen.dispatched_percent.value / 100.0 * f64::from(each.1);
            prop_assert!(got > due - near * f64::from(each.1), "{got}, and {due} is due to {each:?} of {shares:?}");
        }
    }

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
            let run = match plan.polarization {
                Polarization::Vertical => Span::from_ms(100),
                Polarization::Horizontal => prsm.run_time.unwrap_or(Span::from_ms(25)),
            };
            prop_assert!(got <= most(*plan, *logicals, length, run), "{} has {got} of {plan:?}", seen.partition);
        }
    }

    /// Horizontal, without caps: logical processors have a level times their share, but none more than a processor.
    #[test]
    fn busy_partitions_divide_processors_like_water(
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
        let due = filled(processors, &drawn);
        // A partition with a small share waits long between its runs: two of them may be missing or too many.
        let near = 1e-3 + 2.0 * Span::from_us(run_us).seconds() / length.seconds();
        for ((seen, due), each) in seen.iter().zip(due).zip(&drawn) {
            let got = seen.cpu_percent.value / 100.0;
            prop_assert!((got - due).abs() < near * f64::from(each.1), "{got} and not {due}: {each:?} of {drawn:?}");
        }
    }
}
