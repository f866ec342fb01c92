//! Totals of logical processors one by one: time in each state, and interrupts.

use super::interval::{Interval, ratio};
use crate::counts::processor::LogicalCounts;
use machine::signal::Standing;
use measures::{Figure, LogicalProcessorTotals};

impl Interval<'_> {
    pub(super) fn logical_processors(&self) -> Vec<LogicalProcessorTotals> {
        let partitions = self.plan.partitions.iter();
        let numbered = partitions.flat_map(|plan| (0..plan.logical).map(|number| (plan.name.as_str(), number)));
        let rows = numbered.zip(&self.counts.logical);
        rows.map(|((name, number), counts)| self.logical_processor(name, u64::from(number), counts)).collect()
    }

    fn logical_processor(&self, partition: &str, number: u64, counts: &LogicalCounts) -> LogicalProcessorTotals {
        let [pending, waiting, working, interrupted] =
            [Standing::Pending, Standing::Waiting, Standing::Working, Standing::Interrupted]
                .map(|standing| counts.area(standing, self.end));
        let percent = |span: u128| Figure::exact(100.0 * self.share(span).value);
        let effective = working + interrupted;
        let (slih, tpi) = (counts.slih, counts.tpi);
        LogicalProcessorTotals {
            partition: partition.to_string(),
            number,
            dispatched_percent: percent(effective + waiting),
            effective_percent: percent(effective),
            wait_percent: percent(waiting),
            pending_percent: percent(pending),
            busy_percent: percent(effective + pending),
            interrupts_per_s: self.per_s(slih + tpi),
            tpi_percent: ratio(100.0 * tpi as f64, (slih + tpi) as f64),
        }
    }
}
