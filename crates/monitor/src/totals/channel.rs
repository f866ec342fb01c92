//! Totals of channel paths.

use super::interval::{Interval, mean, mean_of};
use machine::io::Access;
use measures::{ChannelTotals, Figure};

impl Interval<'_> {
    pub(super) fn channels(&self) -> Vec<ChannelTotals> {
        let rows = self.plan.channels.iter().zip(&self.counts.channels);
        rows.map(|(plan, counts)| {
            let percent = |level: f64| Figure::exact(100.0 * level);
            let carries = |access: Access| percent(counts.carries[access.index()].mean(self.end, self.length));
            let kib_per_s =
                |access: Access| Figure::exact(counts.bytes[access.index()] as f64 / 1024.0 / self.length.seconds());
            let ended = counts.times.iter().map(|times| times.count()).sum();
            let carried = counts.times.iter().map(|times| times.sum()).sum();
            ChannelTotals {
                channel: plan.name.clone(),
                io_per_s: self.per_s(ended),
                busy_percent: percent(counts.busy.mean(self.end, self.length)),
                read_busy_percent: carries(Access::Read),
                write_busy_percent: carries(Access::Write),
                read_kib_per_s: kib_per_s(Access::Read),
                write_kib_per_s: kib_per_s(Access::Write),
                carry_ms: mean(carried, ended),
                wait_ms: mean_of(&counts.waits),
            }
        })
        .collect()
    }
}
