//! Totals of locks that threads share.

use super::interval::{Interval, mean_us, quantile, ratio};
use crate::counts::thread_lock::ThreadLockCounts;
use measures::{Figure, ThreadLockTotals};

impl Interval<'_> {
    pub(super) fn thread_locks(&self) -> Vec<ThreadLockTotals> {
        let rows = self.plan.thread_locks.iter().zip(&self.counts.thread_locks);
        rows.map(|(plan, counts)| self.thread_lock(&plan.name, counts)).collect()
    }

    fn thread_lock(&self, name: &str, counts: &ThreadLockCounts) -> ThreadLockTotals {
        let quantile = |share| Figure::exact(1e3 * quantile(&counts.spread, share).value);
        ThreadLockTotals {
            lock: name.to_string(),
            taken_per_s: self.per_s(counts.taken),
            contended_per_s: self.per_s(counts.contended),
            released_per_s: self.per_s(counts.given),
            contended_percent: ratio(100.0 * counts.contended as f64, counts.taken as f64),
            wait_us: mean_us(counts.wait, counts.taken),
            wait_p50_us: quantile(0.5),
            wait_p95_us: quantile(0.95),
            wait_p99_us: quantile(0.99),
            longest_wait_ms: Figure::exact(counts.longest.ms()),
            held_us: mean_us(counts.held, counts.given),
            held_percent: Figure::exact(100.0 * self.share(counts.holding.area(self.end)).value),
            waiting: Figure::exact(counts.waiting.mean(self.end, self.length)),
            yields_per_s: self.per_s(counts.yields),
            sleeps_per_s: self.per_s(counts.sleeps),
        }
    }
}
