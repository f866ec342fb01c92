//! Totals of resources.

use super::interval::{Interval, mean_of};
use measures::{Figure, ResourceTotals};

impl Interval<'_> {
    pub(super) fn resources(&self) -> Vec<ResourceTotals> {
        let rows = self.plan.resources.iter().zip(&self.counts.resources);
        rows.map(|(plan, counts)| ResourceTotals {
            resource: plan.name.clone(),
            count: u64::from(plan.count) * u64::from(plan.members),
            takes_per_s: self.per_s(counts.waits.count()),
            released_per_s: self.per_s(counts.holds.count()),
            in_use: Figure::exact(counts.in_use.mean(self.end, self.length)),
            queue_depth: Figure::exact(counts.queue.mean(self.end, self.length)),
            wait_ms: mean_of(&counts.waits),
            hold_ms: mean_of(&counts.holds),
        })
        .collect()
    }
}
