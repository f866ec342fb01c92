//! What holds for any groups of partitions under a cap: none has more in any interval, and members that are always busy
//! divide it by weight.

use super::any_weights::{any_prsm, any_weight, by_weight};
use super::cases;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::cec::prsm::KEPT;
use machine::plan::{
    Arrival, GroupPlan, GuestPlan, PartitionPlan, Plan, Polarization, Preemption, Processors, PrsmPlan, RunsInPlan,
    Step, WeightPlan,
};
use measures::IntervalTotals;
use monitor::{Measurement, replicate};
use proptest::collection::vec;
use proptest::prelude::*;
use units::Span;

/// A partition with this many logical processors and guests that run this program.
struct Drawn {
    weight: WeightPlan,
    logicals: u32,
    guests: u32,
    program: Vec<Step>,
}

/// A machine with these processors, partitions and caps of groups.
fn machine((processors, prsm): (u32, PrsmPlan), partitions: &[Drawn], caps: &[f64]) -> Plan {
    let mut plan = Plan { cec: Some(by_weight(processors, prsm, Span::from_us(20))), ..Plan::default() };
    plan.lpar_groups = caps.iter().map(|cap| GroupPlan { name: format!("GROUP {cap}"), cap: *cap }).collect();
    for (partition, drawn) in partitions.iter().enumerate() {
        let name = format!("LPAR{partition}");
        plan.partitions.push(PartitionPlan::new(&name, drawn.logicals, Processors::Weighted(drawn.weight)));
        let runs_in = Some(RunsInPlan::Partition { partition, priority: 0 });
        let arrival = Arrival::Closed { count: drawn.guests };
        plan.guests.push(GuestPlan { name, arrival, runs_in, program: drawn.program.clone(), ..Default::default() });
    }
    plan
}

fn totals(plan: &Plan, seed: u64, (interval, intervals): (Span, u32)) -> Vec<IntervalTotals> {
    let measurement = Measurement { warm_up: Span::from_ms(500), interval, intervals, sample: interval };
    replicate(plan, &Streams::new(seed, 0), &measurement, "groups", |_| true).expect("the laws hold")
}

/// The processors' worth of each of (weight, logical processors, whether it is in the group), always busy: level times the
/// share, no logical processor above one; the members at a level of their own where their cap binds.
fn filled(processors: u32, partitions: &[(u32, u32, bool)], cap: f64) -> Vec<f64> {
    let own = |each: &(u32, u32, bool), level: f64| (level * f64::from(each.0)).min(f64::from(each.1));
    let level = |of: &dyn Fn(bool) -> bool, amount: f64| {
        let (mut low, mut high) = (0.0, 1e6);
        for _ in 0..200 {
            let middle = f64::midpoint(low, high);
            let sum: f64 = partitions.iter().filter(|each| of(each.2)).map(|each| own(each, middle)).sum();
            if sum < amount { low = middle } else { high = middle }
        }
        high
    };
    let all = level(&|_| true, f64::from(processors));
    let members: f64 = partitions.iter().filter(|each| each.2).map(|each| own(each, all)).sum();
    let (inside, outside) = if members > cap {
        (level(&|inside| inside, cap), level(&|inside| !inside, f64::from(processors) - cap))
    } else {
        (all, all)
    };
    partitions.iter().map(|each| own(each, if each.2 { inside } else { outside })).collect()
}

proptest! {
    #![proptest_config(cases(60))]

    /// Over any interval: the cap, what is kept of it, and a run of each processor that was paid for before.
    #[test]
    fn a_group_never_has_more_than_its_cap(
        (prsm, seed, processors) in (any_prsm(), any::<u64>(), 1..5u32),
        caps in vec(0.05..3.0, 1..3),
        drawn in vec((any_weight(), 0..3usize, 1..4u32, 1..8u32, 50..9_000u64, 0..9_000u64), 1..5),
    ) {
        let exponential = |us| Distribution::Exponential { mean: Span::from_us(us) };
        let partitions: Vec<Drawn> = drawn
            .into_iter()
            .map(|(promised, group, logicals, guests, compute, think)| {
                let Processors::Weighted(mut weight) = promised else { unreachable!("all are by weight") };
                weight.group = Some(group).filter(|group| *group < caps.len());
                let program = vec![Step::Compute(exponential(compute)), Step::Think(exponential(think + 1))];
                Drawn { weight, logicals, guests, program }
            })
            .collect();
        let interval = Span::from_ms(300);
        let vertical = partitions.iter().any(|drawn| drawn.weight.polarization == Polarization::Vertical);
        let run = if vertical { Span::from_ms(100) } else { prsm.run_time.unwrap_or(Span::from_ms(25)) };
        for totals in totals(&machine((processors, prsm), &partitions, &caps), seed, (interval, 8)) {
            for group in &totals.lpar_groups {
                let cap = group.cap.value;
                let ahead = f64::from(KEPT) * cap.max(1.0) + f64::from(processors) + 1.0;
                let most = cap + ahead * run.seconds() / interval.seconds();
                prop_assert!(group.used.value <= most, "{} has {}", group.group, group.used.value);
            }
        }
    }

    /// Horizontal, without other caps: a group has its cap or what its weights are due, and its members divide it.
    #[test]
    fn members_divide_the_cap_by_weight(
        processors in 1..6u32,
        drawn in vec((1..=999u32, 1..5u32, any::<bool>()), 2..6),
        (cap, run_us) in (0.2..4.0, 1_000..10_000u64),
    ) {
        let run = Span::from_us(run_us);
        let prsm = PrsmPlan { run_time: Some(run), wait_completion: false, preemption: Preemption::Share };
        let partitions: Vec<Drawn> = drawn
            .iter()
            .map(|(weight, logicals, inside)| Drawn {
                weight: WeightPlan { group: inside.then_some(0), ..WeightPlan::new(*weight) },
                logicals: *logicals,
                guests: *logicals,
                program: vec![Step::Compute(Distribution::Constant(Span::from_us(7_310)))],
            })
            .collect();
        let mut plan = machine((processors, prsm), &partitions, &[cap]);
        plan.cec = Some(by_weight(processors, prsm, Span::ZERO));
        let length = Span::SECOND * 100;
        let seen = totals(&plan, 1, (length, 1)).remove(0).partitions;
        let near = 3e-3 + 4.0 * run.seconds() / length.seconds();
        for ((seen, due), each) in seen.iter().zip(filled(processors, &drawn, cap)).zip(&drawn) {
            let got = seen.cpu_percent.value / 100.0;
            prop_assert!((got - due).abs() < near * f64::from(each.1), "{got} and not {due}: {each:?} of {drawn:?}");
        }
    }
}
