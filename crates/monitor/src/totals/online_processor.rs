//! Totals of logical processors that are not online all the time.

use super::interval::Interval;
use measures::{Figure, OnlineProcessorTotals};

impl Interval<'_> {
    pub(super) fn online_processors(&self) -> Vec<OnlineProcessorTotals> {
        let mut rows = Vec::new();
        for (logical, (online, owner)) in self.counts.online.iter().zip(&self.counts.owner).enumerate() {
            if self.plan.is_partly_online(*owner) {
                let first = self.counts.owner.iter().position(|other| other == owner).unwrap_or(logical);
                rows.push(OnlineProcessorTotals {
                    partition: self.plan.partitions[*owner].name.clone(),
                    number: (logical - first) as u64,
                    online_percent: Figure::exact(100.0 * online.mean(self.end, self.length)),
                });
            }
        }
        rows
    }
}
