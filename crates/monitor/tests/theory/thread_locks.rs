//! Locks that threads share against theory: what an uncontended lock costs, what spinning burns, what a yield takes, and
//! machine repair where every thread has a processor.

use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::ids::{Partition, Physical};
use machine::plan::{
    Arrival, CecPlan, CfsPlan, CgroupPlan, DispatcherPlan, GuestPlan, PartitionPlan, Plan, Processors, RunsInPlan,
    Step, ThreadLockPlan, ThreadPlan, Turns, Waiting, YieldRule,
};
use measures::{IntervalTotals, ThreadLockTotals};
use monitor::{Measurement, replicate};
use units::Span;

const KERNEL: CfsPlan = CfsPlan {
    bandwidth_slice: Span::from_ms(5),
    base_slice: Span::from_ms(3),
    tick: Span::ZERO,
    wakeup_preemption: true,
    yields: YieldRule::Forfeit,
    steps_notice: true,
};
const NS: Span = Span::from_units(4);

fn lock(order: Turns, waiting: Waiting) -> ThreadLockPlan {
    ThreadLockPlan { name: "L".into(), order, waiting, attempt: NS, lift: None }
}

/// Every way to wait, at next to no cost.
fn ways() -> [ThreadLockPlan; 5] {
    let yields = Waiting::Yield { tries: 1, cost: NS };
    [
        lock(Turns::Unordered, Waiting::Spin),
        lock(Turns::Ticket, Waiting::Spin),
        lock(Turns::Unordered, yields),
        lock(Turns::Ticket, yields),
        lock(Turns::Unordered, Waiting::Sleep { cost: NS, wake: NS }),
    ]
}

fn machine(processors: u32, kernel: CfsPlan, lock: ThreadLockPlan) -> Plan {
    let cec = CecPlan { processors, dispatcher: DispatcherPlan::Cfs(kernel), switch: Span::ZERO };
    let group = PartitionPlan::new("G", processors, Processors::Cgroup(CgroupPlan::UNLIMITED));
    Plan { cec: Some(cec), partitions: vec![group], thread_locks: vec![lock], ..Plan::default() }
}

fn threads(plan: &mut Plan, count: u32, processor: Option<u32>, program: Vec<Step>) {
    let thread = ThreadPlan { group: Partition(0), nice: 0, processor: processor.map(Physical) };
    let name = format!("T{}", plan.guests.len());
    let runs_in = Some(RunsInPlan::Cgroup(thread));
    plan.guests.push(GuestPlan { name, arrival: Arrival::Closed { count }, runs_in, program, ..Default::default() });
}

fn constant(us: u64) -> Step {
    Step::Compute(Distribution::Constant(Span::from_us(us)))
}

fn under(step: Step) -> Step {
    Step::ThreadLock { lock: 0, steps: vec![step] }
}

fn totals(plan: &Plan, replication: u64, interval: Span) -> IntervalTotals {
    let measurement = Measurement { warm_up: Span::SECOND, interval, intervals: 1, sample: interval };
    replicate(plan, &Streams::new(1, replication), &measurement, "locks", |_| true).expect("laws hold").remove(0)
}

fn measured(plan: &Plan, seconds: u64) -> ThreadLockTotals {
    totals(plan, 0, Span::from_ms(1_000 * seconds)).thread_locks.remove(0)
}

fn near(value: f64, theory: f64, relative: f64) {
    assert!((value - theory).abs() <= relative * theory, "{value} where theory says {theory}");
}

/// One thread: a lock is taken once in think + try + hold, whatever it would do if it waited.
#[test]
fn a_thread_alone_takes_its_lock_once_a_turn() {
    for lock in ways() {
        let mut plan = machine(1, KERNEL, ThreadLockPlan { attempt: Span::from_us(2), ..lock });
        threads(&mut plan, 1, None, vec![constant(71), under(constant(27))]);
        let found = measured(&plan, 10);
        near(found.taken_per_s.value, 1e6 / 100.0, 1e-4);
        near(found.held_us.value, 27.0, 1e-6);
        assert_eq!((found.contended_per_s.value, found.wait_us.value), (0.0, 0.0));
    }
}

/// On one processor a lock whose waiters sleep or yield at no cost loses nothing: some thread always does its work.
#[test]
fn threads_that_sleep_or_yield_lose_nothing_on_one_processor() {
    for lock in [&ways()[2], &ways()[4]] {
        for count in [2, 5] {
            let mut plan = machine(1, KERNEL, lock.clone());
            threads(&mut plan, count, None, vec![constant(71), under(constant(29))]);
            near(measured(&plan, 10).taken_per_s.value, 1e4, 2e-3);
        }
    }
}

/// Threads that do nothing but hold: each loses its processor while it holds, and the others burn their slices.  One in n
/// slices is of use.
#[test]
fn threads_that_spin_on_one_processor_burn_all_slices_but_one() {
    for count in [2, 4, 7] {
        let mut plan = machine(1, KERNEL, lock(Turns::Unordered, Waiting::Spin));
        threads(&mut plan, count, None, vec![under(constant(41))]);
        let found = measured(&plan, 20);
        near(found.taken_per_s.value, 1e6 / 41.0 / f64::from(count), 5e-3);
        near(found.waiting.value, f64::from(count) - 1.0, 5e-3);
    }
}

/// A waiter beside a holder that never releases: each yield costs it a base slice of virtual time, and the holder runs
/// that long.  Where the deadline alone moves, it burns half of the processor.
#[test]
fn a_yield_takes_a_base_slice_or_nothing() {
    let cost = Span::from_us(100);
    let found = |yields| {
        let waits = lock(Turns::Unordered, Waiting::Yield { tries: 1, cost });
        let mut plan = machine(1, CfsPlan { yields, ..KERNEL }, waits);
        threads(&mut plan, 1, None, vec![under(constant(100_000_000))]);
        threads(&mut plan, 1, None, vec![constant(1), under(constant(1))]);
        measured(&plan, 30).yields_per_s.value
    };
    // A yield comes after .1 ms of its own, which count too.
    near(found(YieldRule::Forfeit), 1e3 / (3.0 + 0.1), 0.05);
    near(found(YieldRule::Deadline), 0.5 * 1e6 / 100.0, 0.01);
}

/// A holder at nice -20 has 88,761 of 88,761 + 2 x 1,024 of the processor beside two burners.
#[test]
fn a_lifted_holder_has_the_share_of_its_weight() {
    let lifted = ThreadLockPlan { lift: Some(-20), ..lock(Turns::Unordered, Waiting::Spin) };
    let mut plan = machine(1, KERNEL, lifted);
    threads(&mut plan, 1, None, vec![under(constant(500_000))]);
    threads(&mut plan, 2, None, vec![constant(7_310)]);
    let share = measured(&plan, 600).taken_per_s.value * 0.5;
    near(share, 88_818.0 / (88_818.0 + 2.0 * 1_024.0), 0.01);
}

/// Where each thread has a processor, all ways to wait are machine repair: one holder at a time, exponential times.
///
/// With a = hold / think the lock is idle with the probability 1 / sum of N! / (N - k)! a^k.
#[test]
fn with_a_processor_for_each_a_lock_is_machine_repair() {
    let (think, hold, count) = (Span::from_us(300), Span::from_us(100), 4_u32);
    let exponential = |mean| Step::Compute(Distribution::Exponential { mean });
    let a: f64 = 100.0 / 300.0;
    let mut term = 1.0;
    let mut sum = 1.0;
    for k in 0..count {
        term *= f64::from(count - k) * a;
        sum += term;
    }
    let theory = (1.0 - 1.0 / sum) * 1e4;
    for mut lock in ways() {
        // A thread that is alone on its processor yields for nothing: it need not do so all the time.
        if let Waiting::Yield { cost, .. } = &mut lock.waiting {
            *cost = Span::from_us(50);
        }
        let mut plan = machine(count, KERNEL, lock.clone());
        for processor in 0..count {
            threads(&mut plan, 1, Some(processor), vec![exponential(think), under(exponential(hold))]);
        }
        let found: Vec<f64> = (0..8)
            .map(|replication| {
                let own = totals(&plan, replication, Span::from_ms(4_000)).thread_locks.remove(0);
                own.taken_per_s.value
            })
            .collect();
        let mean = found.iter().sum::<f64>() / 8.0;
        let error = (found.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / 7.0 / 8.0).sqrt();
        assert!((mean - theory).abs() <= 5.0 * error, "{lock:?}: {mean} ± {error}, theory {theory}");
        assert!(error < 0.005 * theory);
    }
}
