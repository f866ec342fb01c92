//! Groups of threads against theory: what a quota leaves, how fair shares are, and how late a wait in a slice is noticed.

use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::ids::{Partition, Physical};
use machine::plan::{
    Arrival, CecPlan, CfsPlan, CgroupPlan, DispatcherPlan, GuestPlan, LimitPlan, PartitionPlan, Plan, Processors,
    RunsInPlan, SharedPlan, Sizes, Step, ThreadPlan, YieldRule,
};
use measures::IntervalTotals;
use monitor::{Measurement, replicate};
use units::Span;

/// A kernel that notices everything at once.
const EXACT: CfsPlan = CfsPlan {
    bandwidth_slice: Span::from_ms(5),
    base_slice: Span::from_ms(3),
    tick: Span::ZERO,
    wakeup_preemption: true,
    yields: YieldRule::Forfeit,
    steps_notice: true,
};

fn groups(processors: u32, kernel: CfsPlan, groups: &[CgroupPlan]) -> Plan {
    let named = |(number, group): (usize, &CgroupPlan)| {
        PartitionPlan::new(&format!("G{number}"), processors, Processors::Cgroup(*group))
    };
    let cec = CecPlan { processors, dispatcher: DispatcherPlan::Cfs(kernel), switch: Span::ZERO };
    Plan { cec: Some(cec), partitions: groups.iter().enumerate().map(named).collect(), ..Plan::default() }
}

/// This many threads in a group.
fn threads(plan: &mut Plan, count: u32, (group, nice, processor): (u32, i8, Option<u32>), program: Vec<Step>) {
    let thread = ThreadPlan { group: Partition(group), nice, processor: processor.map(Physical) };
    let name = format!("T{}", plan.guests.len());
    let runs_in = Some(RunsInPlan::Cgroup(thread));
    plan.guests.push(GuestPlan { name, arrival: Arrival::Closed { count }, runs_in, program, ..Default::default() });
}

fn burns() -> Vec<Step> {
    vec![Step::Compute(Distribution::Constant(Span::from_us(7_310)))]
}

fn totals(plan: &Plan, replication: u64, interval: Span) -> IntervalTotals {
    let measurement = Measurement { warm_up: Span::SECOND, interval, intervals: 1, sample: interval };
    replicate(plan, &Streams::new(1, replication), &measurement, "threads", |_| true).expect("laws hold").remove(0)
}

fn near(value: f64, theory: f64, relative: f64) {
    assert!((value - theory).abs() <= relative * theory, "{value} where theory says {theory}");
}

/// One burner alone in a group gets the quota over the period, of any number of processors, with ticks and without.
#[test]
fn a_burner_alone_gets_its_quota() {
    for tick in [0, 1, 4] {
        let kernel = CfsPlan { tick: Span::from_ms(tick), ..EXACT };
        for (processors, quota, period) in [(1, 10, 20), (1, 20, 100), (2, 1, 10), (4, 50, 100), (1, 333, 1_000)] {
            let limit = CgroupPlan::limited(Span::from_ms(quota), Span::from_ms(period));
            let mut plan = groups(processors, kernel, &[limit]);
            threads(&mut plan, 1, (0, 0, None), burns());
            let group = totals(&plan, 0, Span::from_ms(2_000 * period)).cgroups.remove(0);
            near(group.cpu_percent.value, 100.0 * quota as f64 / period as f64, 0.001);
            near(group.nr_periods.value, 2_000.0, 0.001);
            assert_eq!(group.nr_throttled, group.nr_periods, "{quota} of {period} ms, ticks of {tick} ms");
        }
    }
}

/// More burners than the quota feeds get all of it, wherever they run.
#[test]
fn burners_on_many_processors_get_the_quota_and_no_more() {
    for (count, quota) in [(2, 150), (4, 150), (7, 390), (16, 20)] {
        let limit = CgroupPlan::limited(Span::from_ms(quota), Span::from_ms(100));
        let mut plan = groups(4, EXACT, &[limit]);
        threads(&mut plan, count, (0, 0, None), burns());
        let group = totals(&plan, 0, Span::from_ms(200_000)).cgroups.remove(0);
        near(group.cpu_percent.value, quota as f64, 0.001);
    }
}

/// Unused quota may be used later, up to the burst and no more.
#[test]
fn a_burst_is_what_was_saved_and_no_more() {
    let (quota, period, burst) = (Span::from_ms(20), Span::from_ms(100), Span::from_ms(15));
    let limit = CgroupPlan { limit: Some(LimitPlan { quota, period, burst }), ..CgroupPlan::UNLIMITED };
    let mut plan = groups(1, EXACT, &[limit]);
    let rests = Step::Think(Distribution::Constant(Span::from_ms(1_010)));
    threads(&mut plan, 1, (0, 0, None), vec![Step::Compute(Distribution::Constant(Span::from_ms(95))), rests]);
    let group = totals(&plan, 0, Span::from_ms(200_000)).cgroups.remove(0);
    assert!(group.nr_bursts.value > 100.0, "each time it has rested it has something saved");
    assert!(group.burst_usec.value <= group.nr_bursts.value * 15_000.0);
    near(group.burst_usec.value, group.nr_bursts.value * 15_000.0, 0.2);
    let mut busy = groups(1, EXACT, &[limit]);
    threads(&mut busy, 1, (0, 0, None), burns());
    let group = totals(&busy, 0, Span::from_ms(200_000)).cgroups.remove(0);
    near(group.cpu_percent.value, 20.0, 0.001);
    assert_eq!(group.nr_bursts.value, 0.0, "a group that uses all saves nothing");
}

/// Groups that always want a processor divide it by weight, and threads of a group theirs.
#[test]
fn shares_are_as_weights() {
    let weighing = |weight| CgroupPlan { weight, ..CgroupPlan::UNLIMITED };
    let mut plan = groups(1, EXACT, &[weighing(100), weighing(300), weighing(25)]);
    threads(&mut plan, 3, (0, 0, None), burns());
    threads(&mut plan, 1, (1, 0, None), burns());
    threads(&mut plan, 1, (2, 0, None), burns());
    let all = totals(&plan, 0, Span::from_ms(300_000)).cgroups;
    for (group, weight) in all.iter().zip([100.0, 300.0, 25.0]) {
        near(group.cpu_percent.value, 100.0 * weight / 425.0, 0.005);
    }
    let mut plan = groups(1, EXACT, &[CgroupPlan::UNLIMITED]);
    threads(&mut plan, 1, (0, 0, None), burns());
    threads(&mut plan, 1, (0, 5, None), burns());
    let guests = totals(&plan, 0, Span::from_ms(300_000)).guests;
    near(guests[0].cycles_per_s.value / guests[1].cycles_per_s.value, 1024.0 / 336.0, 0.01);
}

/// n threads that write shared data do n / (1 + c (n - 1)) times the work of one in n times its processor time.
#[test]
fn shared_data_makes_work_dearer_and_no_processor_idle() {
    let measured = |cost: f64, far: f64, count| {
        let sizes = Sizes { chip: 4, book: 8 };
        let shared = SharedPlan { near: (cost * 1e6) as u64, far: (far * 1e6) as u64, sizes };
        let mut plan = groups(8, EXACT, &[CgroupPlan { shared: Some(shared), ..CgroupPlan::UNLIMITED }]);
        threads(&mut plan, count, (0, 0, None), burns());
        let all = totals(&plan, 0, Span::from_ms(5_000));
        (all.guests[0].cycles_per_s.value, all.cgroups[0].cpu_percent.value)
    };
    let alone = measured(0.0, 0.0, 1).0;
    for (count, cost, far, dearer) in [
        (1, 0.15, 0.15, 1.0),
        (2, 0.15, 0.15, 1.15),
        (8, 0.15, 0.15, 1.0 + 7.0 * 0.15),
        (8, 0.02, 0.02, 1.0 + 7.0 * 0.02),
        (8, 0.01, 0.05, 1.0 + 3.0 * 0.01 + 4.0 * 0.05),
    ] {
        let (work, cpu) = measured(cost, far, count);
        near(work / alone, f64::from(count) / dearer, 0.005);
        near(cpu, 100.0 * f64::from(count), 1e-9);
    }
}

/// A group on two processors has on each the part of its weight that its threads there have.
#[test]
fn the_weight_of_a_group_lies_where_its_threads_are() {
    let mut plan = groups(2, EXACT, &[CgroupPlan::UNLIMITED, CgroupPlan::UNLIMITED]);
    threads(&mut plan, 1, (0, 0, Some(0)), burns());
    threads(&mut plan, 1, (0, 0, Some(1)), burns());
    threads(&mut plan, 1, (1, 0, Some(0)), burns());
    let all = totals(&plan, 0, Span::from_ms(200_000)).cgroups;
    // Half of the first's weight is on processor 0: a third of it, and the other one alone.
    near(all[0].cpu_percent.value, 100.0 / 3.0 + 100.0, 0.005);
    near(all[1].cpu_percent.value, 200.0 / 3.0, 0.005);
}

/// Slices of T on and T off, a wait of S from an instant uniform over the own slice. With m = S mod 2T at most T it is late
/// by m - m^2 / 2T, else by (2T - m)^2 / 2T. An I/O is late for its domain in the same way (docs/concepts/slices.md).
#[test]
fn a_wait_is_late_as_the_formula_says() {
    for t_ms in [10.0_f64, 20.0, 30.0] {
        for s_ms in [9.0_f64, 18.0, 25.0, 45.0] {
            let m = s_ms % (2.0 * t_ms);
            let theory = if m <= t_ms { m - m * m / (2.0 * t_ms) } else { (2.0 * t_ms - m).powi(2) / (2.0 * t_ms) };
            let span = |ms: f64| Span::from_us((1e3 * ms) as u64);
            let limit = CgroupPlan::limited(span(t_ms), span(2.0 * t_ms));
            // Its base slice is not to end while the waiter computes its way into the slice: the burner would get in between.
            let mut plan = groups(1, CfsPlan { base_slice: Span::SECOND, ..EXACT }, &[limit]);
            threads(&mut plan, 1, (0, 19, None), burns());
            let starts = Step::Compute(Distribution::Uniform { low: Span::ZERO, high: span(t_ms) });
            threads(&mut plan, 1, (0, -20, None), vec![starts, Step::Think(Distribution::Constant(span(s_ms)))]);
            let late: Vec<f64> = (0..10)
                .map(|replication| totals(&plan, replication, Span::from_ms(60_000)).threads[1].wake_ms.value)
                .collect();
            let mean = late.iter().sum::<f64>() / 10.0;
            let variance = late.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 9.0;
            let error = (variance / 10.0).sqrt();
            assert!(
                (mean - theory).abs() <= 5.0 * error + 1e-3,
                "T {t_ms} S {s_ms}: {mean} ± {error}, theory {theory}"
            );
        }
    }
}

/// The timer stops after a period in which no thread used quota, and keeps its beat.
#[test]
fn periods_end_only_while_a_thread_uses_them() {
    let limit = CgroupPlan::limited(Span::from_ms(50), Span::from_ms(100));
    let mut plan = groups(1, EXACT, &[limit]);
    let constant = |ms| Distribution::Constant(Span::from_ms(ms));
    threads(&mut plan, 1, (0, 0, None), vec![Step::Compute(constant(6)), Step::Think(constant(9_994))]);
    let group = totals(&plan, 0, Span::from_ms(1_000_000)).cgroups.remove(0);
    // Of each hundred periods the one in which it runs counts, and the next, at whose end the timer stops.
    near(group.nr_periods.value, 200.0, 0.02);
    assert_eq!(group.nr_throttled.value, 0.0);
    near(group.usage_usec.value, 100.0 * 6e3, 0.02);
}
