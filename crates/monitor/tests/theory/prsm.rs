//! Partitions by weight against exact results: water-filling with caps, n logical processors on m, a share under Wait
//! Completion, weights that bind under contention only.

use crate::plans::closed;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::plan::{
    CecPlan, Change, ChangePlan, DispatcherPlan, GroupPlan, PartitionPlan, Plan, Polarization, Preemption, Processors,
    PrsmPlan, RunsInPlan, Step, WeightPlan,
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

    fn in_group(mut self, group: usize) -> Lpar {
        self.plan.group = Some(group);
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

/// The machine with groups of these caps.
fn grouped(caps: &[f64], mut plan: Plan) -> Plan {
    plan.lpar_groups =
        caps.iter().enumerate().map(|(number, cap)| GroupPlan { name: format!("GROUP{number}"), cap: *cap }).collect();
    plan
}

/// The processors' worth of each partition when all want what they can get.
///
/// A group with more than its cap divides that by weight, and the others divide the rest.  That is repeated until no
/// group has more than its cap.
fn filled_in_groups(processors: u32, lpars: &[Lpar], caps: &[f64]) -> Vec<f64> {
    let total: u32 = lpars.iter().map(|lpar| lpar.plan.weight).sum();
    let own = |lpar: &Lpar, level: f64| {
        let logicals = f64::from(lpar.logicals);
        let share = f64::from(processors * lpar.plan.weight) / f64::from(total) / logicals;
        logicals * (level * share).min(lpar.plan.cap.map_or(1.0, |cap| cap / logicals)).min(1.0)
    };
    let level = |of: &[&Lpar], amount: f64| {
        let (mut low, mut high) = (0.0, 1e6);
        for _ in 0..200 {
            let level = f64::midpoint(low, high);
            let sum: f64 = of.iter().map(|lpar| own(lpar, level)).sum();
            if sum < amount { low = level } else { high = level }
        }
        low
    };
    let members = |group: usize| lpars.iter().filter(|lpar| lpar.plan.group == Some(group)).collect::<Vec<_>>();
    let mut levels: Vec<Option<f64>> = vec![None; caps.len()];
    loop {
        let bound = |lpar: &&Lpar| lpar.plan.group.and_then(|group| levels[group]).is_some();
        let taken: f64 = (0..caps.len()).filter(|group| levels[*group].is_some()).map(|group| caps[group]).sum();
        let free: Vec<&Lpar> = lpars.iter().filter(|lpar| !bound(lpar)).collect();
        let rest = level(&free, f64::from(processors) - taken);
        let over = (0..caps.len()).find(|group| {
            levels[*group].is_none()
                && members(*group).iter().map(|lpar| own(lpar, rest)).sum::<f64>() > caps[*group] + 1e-9
        });
        let Some(group) = over else {
            return lpars
                .iter()
                .map(|lpar| own(lpar, lpar.plan.group.and_then(|own| levels[own]).unwrap_or(rest)))
                .collect();
        };
        levels[group] = Some(level(&members(group), caps[group]));
    }
}

/// A group has its cap, which its members divide by weight.  Others have the rest.
#[test]
fn groups_under_a_cap_fill_processors_like_water() {
    let machines: [(u32, Vec<Lpar>, Vec<f64>); 8] = [
        (4, vec![lpar(300, 4).in_group(0), lpar(100, 4).in_group(0)], vec![2.0]),
        (4, vec![lpar(300, 2).in_group(0), lpar(100, 3).in_group(0), lpar(200, 4)], vec![1.5]),
        (2, vec![lpar(500, 2).in_group(0), lpar(100, 1).in_group(0), lpar(10, 2)], vec![0.5]),
        (6, vec![lpar(800, 1).in_group(0), lpar(100, 4).in_group(0), lpar(100, 6)], vec![2.5]),
        (4, vec![lpar(600, 4).in_group(0).at_most(0.5), lpar(300, 3).in_group(0), lpar(100, 2)], vec![2.0]),
        (4, vec![lpar(100, 4).in_group(0), lpar(100, 4).in_group(0), lpar(800, 4)], vec![3.0]),
        (
            6,
            vec![lpar(400, 3).in_group(0), lpar(200, 3).in_group(1), lpar(100, 4).in_group(1), lpar(50, 2)],
            vec![1.0, 2.2],
        ),
        (3, vec![lpar(999, 3).in_group(0), lpar(1, 3)], vec![0.25]),
    ];
    for (processors, lpars, caps) in machines {
        let plan = grouped(&caps, machine(processors, &lpars, PRSM));
        near(&got(&plan), &filled_in_groups(processors, &lpars, &caps));
    }
}

/// Members have the part of the cap that others of their group do not want.
#[test]
fn members_have_what_others_of_their_group_leave() {
    let idle = [lpar(600, 4).in_group(0).busy(0), lpar(100, 4).in_group(0), lpar(300, 4).busy(0)];
    near(&got(&grouped(&[1.5], machine(4, &idle, PRSM))), &[0.0, 1.5, 0.0]);
    let some = [lpar(600, 4).in_group(0).busy(1), lpar(100, 4).in_group(0), lpar(300, 4).busy(0)];
    near(&got(&grouped(&[2.5], machine(4, &some, PRSM))), &[1.0, 1.5, 0.0]);
}

/// A group of one caps a partition as a whole; a cap of its own lies evenly on its logical processors.
#[test]
fn a_group_of_one_caps_the_partition_as_a_whole() {
    let own = machine(2, &[lpar(250, 2).at_most(0.6).busy(1)], PRSM);
    near(&got(&own), &[0.3]);
    let group = machine(2, &[lpar(250, 2).in_group(0).busy(1)], PRSM);
    near(&got(&grouped(&[0.6], group)), &[0.6]);
}

/// The high processors of a member run first, and the cap of the group holds for all its processors together.
#[test]
fn a_vertical_member_is_capped_as_others_are() {
    let lpars = [lpar(600, 4).vertical().in_group(0), lpar(400, 4)];
    near(&got(&grouped(&[1.7], machine(4, &lpars, PRSM))), &[1.7, 2.3]);
}

/// Half a processor's worth is missing to two logical processors: one of them waits half the time, or both at times.
#[test]
fn a_group_is_held_back_where_its_cap_binds() {
    let held = |cap: f64, busy: u32| {
        let lpars = [lpar(100, 2).in_group(0).busy(busy), lpar(100, 2).busy(0)];
        let totals = totals(&grouped(&[cap], machine(4, &lpars, PRSM)), Span::from_ms(20_000));
        let group = &totals.lpar_groups[0];
        assert_eq!((group.partitions, group.cap.value), (1, cap));
        (group.held_percent.value, group.used.value)
    };
    assert_eq!(held(1.5, 1), (0.0, 1.0));
    let (percent, used) = held(1.5, 2);
    assert!((25.0..=50.01).contains(&percent) && (used - 1.5).abs() < 5e-3, "held {percent} %, used {used}");
}

fn online(mut lpar: Lpar, online: u32) -> Lpar {
    lpar.plan.online = Some(online);
    lpar
}

/// A share lies on the logical processors that are online, and offline ones get nothing.
#[test]
fn shares_lie_on_processors_that_are_online() {
    let as_if = |lpars: &[Lpar]| {
        let less = |lpar: &Lpar| Lpar { logicals: lpar.plan.online.unwrap_or(lpar.logicals), ..*lpar };
        filled(4, &lpars.iter().map(less).collect::<Vec<_>>())
    };
    for lpars in [
        [online(lpar(600, 4), 2), lpar(400, 4)],
        [online(lpar(300, 4), 3), online(lpar(700, 4), 3)],
        [online(lpar(500, 4), 1).at_most(0.5), lpar(500, 4)],
    ] {
        near(&got(&machine(4, &lpars, PRSM)), &as_if(&lpars));
    }
}

/// A change in the middle of an interval: two processors first, all four then.
#[test]
fn a_partly_online_interval_has_both_shares() {
    let mut plan = machine(4, &[online(lpar(600, 4), 2), lpar(400, 4)], PRSM);
    let half = LONG.units() / 2;
    let at = |units: u64, online| ChangePlan {
        at: Span::from_units(units),
        change: Change::Online { partition: 0, online },
    };
    plan.changes = vec![at(half, 4)];
    let more = totals(&plan, LONG);
    let got = |totals: &IntervalTotals| [0, 1].map(|number| totals.partitions[number].cpu_percent.value / 100.0);
    near(&got(&more), &[2.2, 1.8]);
    let percents = |totals: &IntervalTotals| -> Vec<f64> {
        totals.online_processors.iter().map(|row| row.online_percent.value).collect()
    };
    near(&percents(&more), &[100.0, 100.0, 50.0, 50.0]);
    plan.changes = vec![at(half, 1)];
    let fewer = totals(&plan, LONG);
    near(&got(&fewer), &[1.5, 2.5]);
    near(&percents(&fewer), &[100.0, 50.0, 0.0, 0.0]);
}
