//! Totals of locks that threads share.

use super::interval::{Interval, ratio};
use crate::counts::thread_lock::ThreadLockCounts;
use kernel::statistics::mean_ms;
use measures::{Figure, ThreadLockTotals};

impl Interval<'_> {
    pub(super) fn thread_locks(&self) -> Vec<ThreadLockTotals> {
        let rows = self.plan.thread_locks.iter().zip(&self.counts.thread_locks);
        rows.map(|(plan, counts)| self.thread_lock(&plan.name, counts)).collect()
    }

    fn thread_lock(&self, name: &str, counts: &ThreadLockCounts) -> ThreadLockTotals {
        let us = |spans: u128, count: u64| Figure::exact(1e3 * mean_ms(spans, count));
        let quantile = |q| Figure::exact(1e3 * counts.spread.quantile(q).ms());
        ThreadLockTotals {
            lock: name.to_string(),
            taken_per_s: self.per_s(counts.taken),
            contended_per_s: self.per_s(counts.contended),
            contended_percent: ratio(100.0 * counts.contended as f64, counts.taken as f64),
            wait_us: us(counts.wait, counts.taken),
            wait_p50_us: quantile(0.5),
            wait_p95_us: quantile(0.95),
            wait_p99_us: quantile(0.99),
            longest_wait_ms: Figure::exact(counts.longest.ms()),
            held_us: us(counts.held, counts.given),
            held_percent: Figure::exact(100.0 * self.share(counts.holding.area(self.end)).value),
            waiting: Figure::exact(counts.waiting.mean(self.end, self.length)),
            yields_per_s: self.per_s(counts.yields),
            sleeps_per_s: self.per_s(counts.sleeps),
        }
    }
}
