//! Any groups of threads: no group exceeds its quota, all together run no more than the machine has, and every stopped group
//! wanted to run.

use super::any_plan::any_distribution;
use super::cases;
use kernel::draw::Streams;
use machine::ids::{Partition, Physical};
use machine::plan::{
    Arrival, Batch, CecPlan, CfsPlan, CgroupPlan, DispatcherPlan, GuestPlan, LimitPlan, PartitionPlan, Plan,
    Processors, RunsInPlan, SharedPlan, Sizes, Step, ThreadPlan, YieldRule,
};
use monitor::{Measurement, replicate};
use proptest::collection::vec;
use proptest::prelude::*;
use units::{PerSecond, Span};

const LENGTH: Span = Span::from_ms(400);

prop_compose! {
    fn any_kernel()(
        slice in 1..9u64, base in prop_oneof![Just(700u64), Just(3_000)], tick in prop_oneof![Just(0u64), Just(1), Just(4)],
        wakeup_preemption in any::<bool>(), yields in prop_oneof![Just(YieldRule::Forfeit), Just(YieldRule::Deadline)],
        steps_notice in any::<bool>(),
    ) -> CfsPlan {
        CfsPlan {
            bandwidth_slice: Span::from_ms(slice),
            base_slice: Span::from_us(base),
            tick: Span::from_ms(tick),
            wakeup_preemption,
            yields,
            steps_notice,
        }
    }
}

prop_compose! {
    fn any_group(processors: u32)(
        weight in 1..10_000u32, limited in any::<bool>(), period in 1..60u64, share in 0.02..1.0f64, saved in 0.0..1.0f64,
        shared in prop::option::weighted(0.3, (0..200_000u64, 0..500_000u64, 1..3u32)),
    ) -> CgroupPlan {
        let most = period as f64 * 1e3 * f64::from(processors);
        let quota = Span::from_us(((most * share) as u64).max(1_000));
        let burst = Span::from_us((saved * quota.ms() * 1e3) as u64);
        let limit = limited.then_some(LimitPlan { quota, period: Span::from_ms(period), burst });
        let shared = shared.map(|(near, far, chip)| SharedPlan { near, far, sizes: Sizes { chip, book: 4 } });
        CgroupPlan { limit, weight, shared }
    }
}

prop_compose! {
    fn any_threads(processors: u32, groups: u32)(
        group in 0..groups, nice in -20..20i8, pinned in prop::option::weighted(0.3, 0..processors), count in 1..6u32,
        rate in prop::option::weighted(0.3, 1.0..200.0f64), compute in any_distribution(20_000), think in any_distribution(20_000),
        more in any_distribution(20_000),
    ) -> GuestPlan {
        let plan = ThreadPlan { group: Partition(group), nice, processor: pinned.map(Physical) };
        let arrival = match rate {
            Some(rate) => Arrival::Open { rate: PerSecond::new(rate), batch: Batch::Of(count) },
            None => Arrival::Closed { count },
        };
        let program = vec![Step::Compute(compute), Step::Think(think), Step::Compute(more)];
        GuestPlan { name: "T".into(), arrival, runs_in: Some(RunsInPlan::Cgroup(plan)), program, ..Default::default() }
    }
}

fn any_machine() -> impl Strategy<Value = Plan> {
    let groups = (1..5u32).prop_flat_map(|processors| (Just(processors), vec(any_group(processors), 1..4)));
    let all = groups.prop_flat_map(|(processors, groups)| {
        let guests = vec(any_threads(processors, groups.len() as u32), 1..5);
        (Just(processors), Just(groups), guests, any_kernel())
    });
    all.prop_map(|(processors, groups, mut guests, kernel)| {
        for (number, guest) in guests.iter_mut().enumerate() {
            guest.name = format!("T{number}");
        }
        let named = |(number, group): (usize, CgroupPlan)| {
            PartitionPlan::new(&format!("G{number}"), processors, Processors::Cgroup(group))
        };
        Plan {
            cec: Some(CecPlan { processors, dispatcher: DispatcherPlan::Cfs(kernel), switch: Span::ZERO }),
            partitions: groups.into_iter().enumerate().map(named).collect(),
            guests,
            ..Plan::default()
        }
    })
}

/// The most that a group may run in an interval, in ms. It has its savings, the slices that processors had taken before,
/// and a quota for each period that ends in it. At each tick, time that was noticed too late is added.
fn most(limit: LimitPlan, kernel: CfsPlan, processors: f64) -> f64 {
    let periods = (LENGTH.ms() / limit.period.ms()).ceil() + 1.0;
    let late = kernel.bandwidth_slice.ms() + kernel.tick.ms() + 1.0;
    limit.burst.ms() + limit.quota.ms() * periods + processors * late
}

proptest! {
    #![proptest_config(cases(150))]

    #[test]
    fn no_group_runs_more_than_it_may((plan, seed) in (any_machine(), any::<u64>())) {
        let cec = plan.cec.as_ref().expect("it has one");
        let DispatcherPlan::Cfs(kernel) = cec.dispatcher else { unreachable!("threads compete") };
        let processors = f64::from(cec.processors);
        let measurement = Measurement { warm_up: Span::from_ms(50), interval: LENGTH, intervals: 2, sample: LENGTH };
        // Open loads may outgrow the limit of their group: in so short a time nothing does.
        let run = replicate(&plan, &Streams::new(seed, 0), &measurement, "threads", |_| true).expect("the laws hold");
        for interval in run {
            let used: f64 = interval.cgroups.iter().map(|group| group.usage_usec.value).sum();
            prop_assert!(used <= processors * LENGTH.ms() * 1e3 * (1.0 + 1e-12));
            for (group, partition) in interval.cgroups.iter().zip(&plan.partitions) {
                let Processors::Cgroup(own) = partition.processors else { unreachable!("all are groups") };
                prop_assert!(group.nr_throttled.value <= group.nr_periods.value);
                prop_assert!(group.throttled_usec.value <= processors * LENGTH.ms() * 1e3);
                prop_assert!(group.threads_throttled.value <= group.runnable.value);
                match own.limit {
                    Some(limit) => {
                        prop_assert!(group.usage_usec.value <= 1e3 * most(limit, kernel, processors));
                        let burst = limit.burst.ms() * 1e3 + processors * 1e3 * (kernel.bandwidth_slice + kernel.tick).ms();
                        prop_assert!(group.burst_usec.value <= group.nr_bursts.value * (burst + 1e3 * processors));
                    }
                    None => prop_assert_eq!([group.nr_periods.value, group.throttled_usec.value], [0.0; 2]),
                }
            }
        }
    }
}
