//! Totals of resources.

use super::interval::Interval;
use kernel::statistics::Tally;
use measures::{Figure, ResourceTotals};

impl Interval<'_> {
    pub(super) fn resources(&self) -> Vec<ResourceTotals> {
        let rows = self.plan.resources.iter().zip(&self.counts.resources);
        let mean = |tally: &Tally| Figure::exact(tally.mean_ms());
        rows.map(|(plan, counts)| ResourceTotals {
            resource: plan.name.clone(),
            count: u64::from(plan.count) * u64::from(plan.members),
            takes_per_s: self.per_s(counts.waits.count()),
            in_use: Figure::exact(counts.in_use.mean(self.end, self.length)),
            queue_depth: Figure::exact(counts.queue.mean(self.end, self.length)),
            wait_ms: mean(&counts.waits),
            hold_ms: mean(&counts.holds),
        })
        .collect()
    }
}
