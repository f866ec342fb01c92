//! Counts and totals of threads under Linux's fair scheduler, by group and by guest.

use crate::totals::{Interval, ratio};
use kernel::statistics::{Histogram, Tally, TimeAverage};
use machine::ids::Partition;
use machine::plan::{CgroupPlan, Plan, Processors, RunsInPlan};
use machine::signal::{Standing, Threading};
use measures::{CgroupTotals, Figure, ThreadTotals};
use units::{Span, Tod};

/// Of groups and of guests; nothing where none are threads.
#[derive(Clone, Debug, Default)]
pub struct ThreadCounts {
    groups: Vec<GroupCounts>,
    guests: Vec<GuestCounts>,
}

/// Of a group.
#[derive(Clone, Debug, Default)]
struct GroupCounts {
    runnable: TimeAverage,
    queues: TimeAverage,
    stopped: TimeAverage,
    periods: u64,
    throttled: u64,
    bursts: u64,
    over: u128,
}

/// Of a guest.
#[derive(Clone, Debug, Default)]
struct GuestCounts {
    wakes: Tally,
    spread: Histogram,
    longest: Span,
    migrations: u64,
}

impl ThreadCounts {
    pub fn new(plan: &Plan) -> Self {
        if groups(plan).next().is_none() {
            return ThreadCounts::default();
        }
        ThreadCounts {
            groups: vec![GroupCounts::default(); plan.partitions.len()],
            guests: vec![GuestCounts::default(); plan.guests.len()],
        }
    }

    pub fn signal(&mut self, now: Tod, partition: Partition, what: Threading) {
        let group = &mut self.groups[partition.index()];
        match what {
            Threading::Runnable(more) => group.runnable.change(now, more),
            Threading::Stopped { queues, threads } => {
                group.queues.change(now, queues);
                group.stopped.change(now, threads);
            }
            Threading::Period { throttled, over } => {
                group.periods += 1;
                group.throttled += u64::from(throttled);
                group.bursts += u64::from(!over.is_zero());
                group.over += u128::from(over.units());
            }
            Threading::Ran(guest, span) => {
                let guest = &mut self.guests[guest.index()];
                guest.wakes.add(span);
                guest.spread.add(span);
                guest.longest = guest.longest.max(span);
            }
            Threading::Migrated(guest) => self.guests[guest.index()].migrations += 1,
        }
    }

    pub fn reset(&mut self, now: Tod) {
        for group in &mut self.groups {
            for level in [&mut group.runnable, &mut group.queues, &mut group.stopped] {
                level.reset(now);
            }
            (group.periods, group.throttled, group.bursts, group.over) = (0, 0, 0, 0);
        }
        for guest in &mut self.guests {
            guest.spread.reset();
            (guest.wakes, guest.longest, guest.migrations) = (Tally::default(), Span::ZERO, 0);
        }
    }
}

/// The partitions of a plan that are groups of threads.
fn groups(plan: &Plan) -> impl Iterator<Item = (usize, &str, CgroupPlan)> {
    plan.partitions.iter().enumerate().filter_map(|(number, partition)| match partition.processors {
        Processors::Cgroup(own) => Some((number, partition.name.as_str(), own)),
        Processors::Shared { .. } | Processors::Weighted(_) | Processors::Dedicated => None,
    })
}

impl Interval<'_> {
    pub(crate) fn cgroups(&self) -> Vec<CgroupTotals> {
        groups(self.plan).map(|(number, name, plan)| self.cgroup(number, name, plan)).collect()
    }

    fn cgroup(&self, number: usize, name: &str, plan: CgroupPlan) -> CgroupTotals {
        let counts = &self.counts.threads.groups[number];
        let us = |units: u128| Figure::exact(units as f64 / Span::from_us(1).units() as f64);
        let used = self.stood(number, Standing::Working);
        // A group without a limit has no periods: that is no share of none.
        let limited = |figure| if plan.limit.is_some() { figure } else { Figure::UNKNOWN };
        CgroupTotals {
            cgroup: name.to_string(),
            usage_usec: us(used),
            nr_periods: Figure::exact(counts.periods as f64),
            nr_throttled: Figure::exact(counts.throttled as f64),
            throttled_usec: us(counts.queues.area(self.end)),
            nr_bursts: Figure::exact(counts.bursts as f64),
            burst_usec: us(counts.over),
            throttled_percent: limited(ratio(100.0 * counts.throttled as f64, counts.periods as f64)),
            cpu_percent: Figure::exact(100.0 * self.share(used).value),
            runnable: Figure::exact(counts.runnable.mean(self.end, self.length)),
            threads_throttled: Figure::exact(counts.stopped.mean(self.end, self.length)),
        }
    }

    pub(crate) fn threads(&self) -> Vec<ThreadTotals> {
        let rows = self.plan.guests.iter().zip(&self.counts.threads.guests);
        rows.filter_map(|(plan, counts)| {
            let Some(RunsInPlan::Cgroup(thread)) = plan.runs_in else { return None };
            let quantile = |q| Figure::exact(counts.spread.quantile(q).ms());
            Some(ThreadTotals {
                guest: plan.name.clone(),
                cgroup: self.plan.partitions[thread.group.index()].name.clone(),
                wakes: Figure::exact(counts.wakes.count() as f64),
                wakes_per_s: self.per_s(counts.wakes.count()),
                wake_ms: Figure::exact(counts.wakes.mean_ms()),
                wake_p50_ms: quantile(0.5),
                wake_p90_ms: quantile(0.9),
                wake_p95_ms: quantile(0.95),
                wake_p99_ms: quantile(0.99),
                wake_max_ms: Figure::exact(counts.longest.ms()),
                migrations_per_s: self.per_s(counts.migrations),
            })
        })
        .collect()
    }
}
