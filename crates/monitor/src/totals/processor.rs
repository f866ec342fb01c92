//! Totals of what guests do with their time.

use super::interval::{Interval, ratio};
use crate::laws::within;
use measures::{Figure, ProcessorTotals};

impl Interval<'_> {
    pub(super) fn processors(&self) -> Vec<ProcessorTotals> {
        let (start, end) = self.under_way;
        let rows = self.plan.guests.iter().zip(&self.counts.groups).enumerate();
        rows.map(|(number, (plan, counts))| {
            let present = counts.present.area(self.end) as f64;
            let ended = counts.spans();
            let spent =
                |activity: usize| within(ended[activity], start.groups[number][activity], end.groups[number][activity]);
            let percent = |spans: u128| ratio(100.0 * spans as f64, present);
            ProcessorTotals {
                guest: plan.name.clone(),
                virtual_processors: Figure::exact(counts.present.mean(self.end, self.length)),
                think_percent: percent(spent(0)),
                compute_percent: percent(spent(1)),
                io_wait_percent: percent((2..5).map(spent).sum()),
                resource_wait_percent: percent(spent(5)),
                message_percent: percent(spent(6)),
                spin_percent: percent(spent(7)),
                exchange_percent: percent(spent(8)),
            }
        })
        .collect()
    }
}
