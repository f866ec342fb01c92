//! Any threads that share locks: the laws of the monitor hold, and no thread is lost.

use crate::laws::cases;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::ids::{Partition, Physical};
use machine::plan::{
    Arrival, CecPlan, CfsPlan, CgroupPlan, DispatcherPlan, GuestPlan, PartitionPlan, Plan, Processors, RunsInPlan,
    Step, ThreadLockPlan, ThreadPlan, Turns, Waiting, YieldRule,
};
use measures::IntervalTotals;
use monitor::{Measurement, replicate};
use proptest::collection::vec;
use proptest::prelude::*;
use units::Span;

const LENGTH: Span = Span::from_ms(300);

fn any_waiting() -> impl Strategy<Value = (Turns, Waiting)> {
    let us = |most: u64| (0..most).prop_map(Span::from_us);
    let turns = prop_oneof![Just(Turns::Unordered), Just(Turns::Ticket)];
    prop_oneof![
        turns.clone().prop_map(|turns| (turns, Waiting::Spin)),
        (turns, 1..200u32, us(5)).prop_map(|(turns, tries, cost)| (turns, Waiting::Yield { tries, cost })),
        (us(5), us(5)).prop_map(|(cost, wake)| (Turns::Unordered, Waiting::Sleep { cost, wake })),
    ]
}

prop_compose! {
    fn any_lock()(
        (order, waiting) in any_waiting(), attempt in 1..500u64, lift in prop::option::weighted(0.3, -20..20i8),
    ) -> ThreadLockPlan {
        ThreadLockPlan { name: "L".into(), order, waiting, attempt: Span::from_units(4 * attempt), lift }
    }
}

prop_compose! {
    fn any_user(processors: u32, locks: usize)(
        count in 1..5u32, nice in -20..20i8, pinned in prop::option::weighted(0.3, 0..processors),
        lock in prop::option::weighted(0.8, 0..locks), compute in 1..3_000u64, think in 0..3_000u64, hold in 1..2_000u64,
    ) -> GuestPlan {
        let us = |us| Distribution::Constant(Span::from_us(us));
        let plan = ThreadPlan { group: Partition(0), nice, processor: pinned.map(Physical) };
        let steps = vec![Step::Compute(us(hold))];
        let own = match lock {
            Some(lock) => Step::ThreadLock { lock, steps },
            None => Step::Compute(us(hold)),
        };
        let program = vec![Step::Compute(us(compute)), own, Step::Think(us(think))];
        GuestPlan { name: "T".into(), arrival: Arrival::Closed { count }, runs_in: Some(RunsInPlan::Cgroup(plan)), program, ..Default::default() }
    }
}

fn any_machine() -> impl Strategy<Value = Plan> {
    let shape = (1..4u32, vec(any_lock(), 1..3));
    let all = shape.prop_flat_map(|(processors, locks)| {
        let users = vec(any_user(processors, locks.len()), 1..4);
        let rule = prop_oneof![Just(YieldRule::Forfeit), Just(YieldRule::Deadline)];
        (Just(processors), Just(locks), users, prop_oneof![Just(0u64), Just(4)], any::<bool>(), rule, 0..5u64)
    });
    all.prop_map(|(processors, thread_locks, mut guests, tick, wakeup_preemption, yields, switch)| {
        for (number, guest) in guests.iter_mut().enumerate() {
            guest.name = format!("T{number}");
        }
        let steps_notice = wakeup_preemption;
        let kernel =
            CfsPlan { tick: Span::from_ms(tick), wakeup_preemption, yields, steps_notice, ..CfsPlan::default() };
        let dispatcher = DispatcherPlan::Cfs(kernel);
        let group = PartitionPlan::new("G", processors, Processors::Cgroup(CgroupPlan::UNLIMITED));
        let cec = CecPlan { processors, dispatcher, switch: Span::from_us(switch) };
        Plan { cec: Some(cec), partitions: vec![group], thread_locks, guests, ..Plan::default() }
    })
}

proptest! {
    #![proptest_config(cases(120))]

    #[test]
    fn the_laws_hold_whatever_threads_wait_for((plan, seed) in (any_machine(), any::<u64>())) {
        let measurement = Measurement { warm_up: Span::from_ms(50), interval: LENGTH, intervals: 2, sample: LENGTH };
        let run = replicate(&plan, &Streams::new(seed, 0), &measurement, "locks", |_| true).expect("the laws hold");
        for interval in run.into_iter().map(IntervalTotals::printed) {
            for lock in &interval.thread_locks {
                prop_assert!(lock.contended_per_s.value <= lock.taken_per_s.value);
                prop_assert!((0.0..=100.0).contains(&lock.held_percent.value));
                prop_assert!(lock.wait_p50_us.value <= lock.wait_p95_us.value);
                prop_assert!(lock.wait_p95_us.value <= lock.wait_p99_us.value);
            }
        }
    }
}
