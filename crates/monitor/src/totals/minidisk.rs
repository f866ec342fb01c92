//! Totals of minidisks.

use super::interval::{Interval, mean};
use measures::{Figure, MinidiskTotals};

impl Interval<'_> {
    pub(super) fn minidisks(&self) -> Vec<MinidiskTotals> {
        let rows = self.plan.minidisks.iter().zip(&self.counts.minidisks);
        rows.map(|(plan, counts)| {
            let ios = counts.through.count() + counts.avoided.count();
            let spans = counts.turns.sum() + counts.through.sum() + counts.avoided.sum();
            MinidiskTotals {
                minidisk: plan.name.clone(),
                volume: self.plan.volumes[plan.volume].name.clone(),
                io_per_s: self.per_s(counts.through.count()),
                avoided_per_s: self.per_s(counts.avoided.count()),
                queue_depth: Figure::exact(counts.queue.mean(self.end, self.length)),
                wait_ms: mean(counts.turns.sum(), ios),
                response_ms: mean(spans, ios),
            }
        })
        .collect()
    }
}
