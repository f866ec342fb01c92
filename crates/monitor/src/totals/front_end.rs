//! Totals of front ends.

use super::interval::{Interval, mean_of, ratio};
use measures::{Figure, FrontEndTotals};

impl Interval<'_> {
    pub(super) fn front_ends(&self) -> Vec<FrontEndTotals> {
        let rows = self.plan.front_ends.iter().zip(&self.counts.front_ends);
        rows.map(|(plan, counts)| {
            let ended = self.counts.volumes[plan.volume].service.ended;
            let [came, went] = &counts.waits;
            let [coming, going] = &counts.queues;
            FrontEndTotals {
                front_end: plan.name.clone(),
                io_per_s: self.per_s(ended),
                messages_per_io: ratio((came.count() + went.count()) as f64, ended as f64),
                in_per_s: self.per_s(came.count()),
                out_per_s: self.per_s(went.count()),
                in_wait_ms: mean_of(came),
                out_wait_ms: mean_of(went),
                in_queue: Figure::exact(coming.mean(self.end, self.length)),
                out_queue: Figure::exact(going.mean(self.end, self.length)),
            }
        })
        .collect()
    }
}
