//! Totals of threads under Linux's fair scheduler, by group and by guest.

use super::interval::{Interval, mean_of, quantile, ratio};
use crate::counts::thread::groups;
use machine::plan::RunsInPlan;
use machine::signal::Standing;
use measures::{CgroupTotals, Figure, ThreadTotals};
use units::Span;

impl Interval<'_> {
    pub(super) fn cgroups(&self) -> Vec<CgroupTotals> {
        groups(self.plan).map(|(number, name)| self.cgroup(number, name)).collect()
    }

    fn cgroup(&self, number: usize, name: &str) -> CgroupTotals {
        let counts = &self.counts.threads.groups[number];
        let us = |units: u128| Figure::exact(units as f64 / Span::from_us(1).units() as f64);
        let used = self.stood(number, Standing::Working);
        CgroupTotals {
            cgroup: name.to_string(),
            usage_usec: us(used),
            nr_periods: Figure::exact(counts.periods as f64),
            nr_throttled: Figure::exact(counts.throttled as f64),
            throttled_usec: us(counts.queues.area(self.end)),
            nr_bursts: Figure::exact(counts.bursts as f64),
            burst_usec: us(counts.over),
            throttled_percent: ratio(100.0 * counts.throttled as f64, counts.periods as f64),
            cpu_percent: Figure::exact(100.0 * self.share(used).value),
            runnable: Figure::exact(counts.runnable.mean(self.end, self.length)),
            threads_throttled: Figure::exact(counts.stopped.mean(self.end, self.length)),
        }
    }

    pub(super) fn threads(&self) -> Vec<ThreadTotals> {
        let rows = self.plan.guests.iter().zip(&self.counts.threads.guests);
        rows.filter_map(|(plan, counts)| {
            let Some(RunsInPlan::Cgroup(thread)) = plan.runs_in else { return None };
            let quantile = |share| quantile(&counts.spread, share);
            Some(ThreadTotals {
                guest: plan.name.clone(),
                cgroup: self.plan.partitions[thread.group.index()].name.clone(),
                wakes: Figure::exact(counts.wakes.count() as f64),
                wakes_per_s: self.per_s(counts.wakes.count()),
                wake_ms: mean_of(&counts.wakes),
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
