//! Partitions by weight against exact results: water-filling with caps, n logical processors on m, a share under Wait
//! Completion, weights that bind under contention only.

use crate::plans::closed;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{
    CecPlan, DispatcherPlan, PartitionPlan, Plan, Polarization, Preemption, Processors, PrsmPlan, RunsInPlan, Step,
    WeightPlan,
};
use measures::IntervalTotals;
use monitor::{Measurement, replicate};
use units::Span;

const PRSM: PrsmPlan = PrsmPlan { run_time: None, wait_completion: false, preemption: Preemption::Share };

/// A partition with this many logical processors and as many programs that always compute, or none.
#[derive(Clone, Copy)]
struct Lpar {
    plan: WeightPlan,
    logicals: u32,
    busy: u32,
}

fn lpar(weight: u32, logicals: u32) -> Lpar {
    Lpar { plan: WeightPlan::new(weight), logicals, busy: logicals }
}

impl Lpar {
    fn capped(mut self) -> Lpar {
        self.plan.capped = true;
        self
    }

    fn at_most(mut self, cap: f64) -> Lpar {
        self.plan.cap = Some(cap);
        self
    }

    fn vertical(mut self) -> Lpar {
        self.plan.polarization = Polarization::Vertical;
        self
    }

    fn busy(mut self, busy: u32) -> Lpar {
        self.busy = busy;
        self
    }
}

fn machine(processors: u32, lpars: &[Lpar], prsm: PrsmPlan) -> Plan {
    let cec = CecPlan { processors, dispatcher: DispatcherPlan::Prsm(prsm), switch: Span::ZERO };
    let mut plan = Plan { cec: Some(cec), ..Plan::default() };
    for (number, lpar) in lpars.iter().enumerate() {
        let name = format!("LPAR{number}");
        plan.partitions.push(PartitionPlan::new(&name, lpar.logicals, Processors::Weighted(lpar.plan)));
        if lpar.busy > 0 {
            // Programs that are never in step with runs.
            let work = Step::Compute(Distribution::Constant(Span::from_us(7_310)));
            let mut guests = closed(lpar.busy, vec![work]);
            (guests.name, guests.runs_in) = (name, Some(RunsInPlan::Partition { partition: number, priority: 0 }));
            plan.guests.push(guests);
        }
    }
    plan
}

const LONG: Span = Span::from_ms(400_000);

/// How many processors' worth each partition works for.
fn got(plan: &Plan) -> Vec<f64> {
    totals(plan, LONG).partitions.iter().map(|partition| partition.cpu_percent.value / 100.0).collect()
}

fn totals(plan: &Plan, interval: Span) -> IntervalTotals {
    let measurement = Measurement { warm_up: Span::SECOND, interval, intervals: 1, sample: interval };
    replicate(plan, &Streams::new(1, 0), &measurement, "prsm", |_| true).expect("the laws hold").remove(0)
}

#[track_caller]
fn near(seen: &[f64], expected: &[f64]) {
    let close = seen.iter().zip(expected).all(|(seen, expected)| (seen - expected).abs() < 1e-3);
    assert!(close && seen.len() == expected.len(), "{seen:?}, not {expected:?}");
}

/// The time of each partition when all use all they can get. Logical processors have the level times their share, but none
/// more than one processor or its cap. The level is the one that gives all time away.
fn filled(processors: u32, lpars: &[Lpar]) -> Vec<f64> {
    let weights: u32 = lpars.iter().map(|lpar| lpar.plan.weight).sum();
    let own = |lpar: &Lpar, level: f64| {
        let logicals = f64::from(lpar.logicals);
        let share = f64::from(processors * lpar.plan.weight) / f64::from(weights) / logicals;
        let by_weight = if lpar.plan.capped { share } else { 1.0 };
        let most = by_weight.min(lpar.plan.cap.map_or(1.0, |cap| cap / logicals)).min(1.0);
        logicals * (level * share).min(most)
    };
    let (mut low, mut high) = (0.0, 1e6);
    for _ in 0..200 {
        let level = f64::midpoint(low, high);
        let sum: f64 = lpars.iter().map(|lpar| own(lpar, level)).sum();
        if sum < f64::from(processors) { low = level } else { high = level }
    }
    lpars.iter().map(|lpar| own(lpar, low)).collect()
}

/// Always busy: weights are exact, and what a cap or too few logical processors leave goes to the others by theirs.
#[test]
fn weights_and_caps_fill_processors_like_water() {
    let machines: [(u32, Vec<Lpar>); 11] = [
        (1, vec![lpar(500, 1), lpar(300, 1), lpar(200, 1)]),
        (2, vec![lpar(1, 2), lpar(1, 2)]),
        (4, vec![lpar(600, 4), lpar(300, 3), lpar(100, 2)]),
        (4, vec![lpar(700, 2), lpar(200, 4), lpar(100, 4)]),
        (4, vec![lpar(600, 4).capped(), lpar(300, 3), lpar(100, 2)]),
        (4, vec![lpar(600, 4).at_most(1.5), lpar(300, 3), lpar(100, 2)]),
        (4, vec![lpar(600, 4).at_most(1.5), lpar(300, 3).capped(), lpar(100, 2).at_most(0.25)]),
        (4, vec![lpar(100, 1), lpar(100, 4), lpar(100, 3), lpar(100, 2), lpar(999, 1)]),
        (3, vec![lpar(10, 3).capped(), lpar(20, 3).capped(), lpar(30, 2).capped()]),
        (5, vec![lpar(999, 5), lpar(50, 5), lpar(5, 5).at_most(0.5)]),
        (6, vec![lpar(300, 2), lpar(200, 5), lpar(77, 3), lpar(300, 6), lpar(33, 1), lpar(500, 4).capped()]),
    ];
    for (processors, lpars) in machines {
        near(&got(&machine(processors, &lpars, PRSM)), &filled(processors, &lpars));
    }
}

/// The water-filling of the same partitions, from the entitlement of each.
#[test]
fn contention_gives_what_entitlement_says() {
    use machine::cec::entitlement::{Claim, Part, entitlements};
    for (processors, lpars) in [(4, [(600, 4), (300, 3), (100, 2)]), (8, [(900, 3), (50, 6), (50, 2)])] {
        let claims = lpars.map(|(weight, logicals)| Claim { part: Part::Weight(weight), logicals });
        let entitled = entitlements(processors, &claims).expect("there is something to share");
        let expected: Vec<f64> = entitled.iter().map(|entitled| entitled.contended.value()).collect();
        let lpars = lpars.map(|(weight, logicals)| lpar(weight, logicals));
        near(&got(&machine(processors, &lpars, PRSM)), &expected);
    }
}

#[test]
fn n_logical_processors_on_m_never_get_more_than_n() {
    near(&got(&machine(4, &[lpar(900, 1), lpar(100, 4).busy(0)], PRSM)), &[1.0, 0.0]);
    near(&got(&machine(4, &[lpar(999, 2).busy(8), lpar(1, 4)], PRSM)), &[2.0, 2.0]);
    near(&got(&machine(2, &[lpar(999, 4).busy(8)], PRSM)), &[2.0]);
}

/// The others are idle: neither a weight nor a share limits a partition, but a cap does.
#[test]
fn weights_bind_only_under_contention() {
    near(&got(&machine(2, &[lpar(1, 2), lpar(999, 2).busy(0)], PRSM)), &[2.0, 0.0]);
    near(&got(&machine(2, &[lpar(1, 2), lpar(999, 2).busy(1)], PRSM)), &[1.0, 1.0]);
    near(&got(&machine(2, &[lpar(250, 2).capped(), lpar(750, 2).busy(0)], PRSM)), &[0.5, 0.0]);
    near(&got(&machine(2, &[lpar(250, 2).at_most(1.7), lpar(750, 2).busy(0)], PRSM)), &[1.7, 0.0]);
    near(&got(&machine(2, &[lpar(250, 2).at_most(1.7).busy(1), lpar(750, 2).busy(0)], PRSM)), &[0.85, 0.0]);
}

/// A dispatched logical processor keeps its processor, busy or idle, so that none ever has more than its share.
#[test]
fn with_wait_completion_a_partition_that_alone_has_work_has_its_share_only() {
    let keeps = PrsmPlan { wait_completion: true, ..PRSM };
    near(&got(&machine(1, &[lpar(300, 1), lpar(700, 1).busy(0)], keeps)), &[0.3, 0.0]);
    near(&got(&machine(4, &[lpar(300, 4), lpar(700, 4).busy(0)], keeps)), &[1.2, 0.0]);
    near(&got(&machine(1, &[lpar(300, 1), lpar(700, 1).busy(0)], PRSM)), &[1.0, 0.0]);
}

/// High ones have a processor each, medium ones the rest of the share, low ones what others leave.
#[test]
fn vertical_shares_lie_on_few_processors() {
    // Entitled to 2.4 of 4: one high, two medium of 0.7, one low.
    let contended = machine(4, &[lpar(600, 4).vertical(), lpar(400, 4)], PRSM);
    near(&got(&contended), &[2.4, 1.6]);
    let alone = machine(4, &[lpar(600, 4).vertical(), lpar(400, 4).busy(0)], PRSM);
    near(&got(&alone), &[4.0, 0.0]);
    let some = machine(4, &[lpar(600, 4).vertical(), lpar(400, 4).busy(1)], PRSM);
    near(&got(&some), &[3.0, 1.0]);
}
