//! Totals of logical processors one by one: time in each state, and interrupts.

use super::interval::{Interval, ratio};
use machine::signal::Standing;
use measures::{Figure, LogicalProcessorTotals};

impl Interval<'_> {
    pub(super) fn logical_processors(&self) -> Vec<LogicalProcessorTotals> {
        let partitions = self.plan.partitions.iter();
        let numbered = partitions.flat_map(|plan| (0..plan.logical).map(|number| (plan.name.as_str(), number)));
        let mut switched_to = self.counts.switched_to.clone();
        for (logical, spent) in self.counts.physical.iter().filter_map(|physical| physical.switches(self.end)) {
            switched_to[logical] += spent;
        }
        let rows = numbered.zip(switched_to).enumerate();
        rows.map(|(logical, (own, switched))| self.logical_processor(own, (logical, switched))).collect()
    }

    fn logical_processor(
        &self,
        (partition, number): (&str, u32),
        (logical, switched): (usize, u128),
    ) -> LogicalProcessorTotals {
        let counts = &self.counts.logical[logical];
        let [pending, waiting, working, interrupted] =
            [Standing::Pending, Standing::Waiting, Standing::Working, Standing::Interrupted]
                .map(|standing| counts.area(standing, self.end));
        let percent = |span: u128| Figure::exact(100.0 * self.share(span).value);
        let effective = working + interrupted;
        let (slih, tpi) = (counts.slih, counts.tpi);
        LogicalProcessorTotals {
            partition: partition.to_string(),
            number: u64::from(number),
            dispatched_percent: percent(effective + waiting),
            effective_percent: percent(effective),
            wait_percent: percent(waiting),
            pending_percent: percent(pending),
            management_percent: percent(switched),
            busy_percent: percent(effective + pending),
            interrupts_per_s: self.per_s(slih + tpi),
            tpi_percent: ratio(100.0 * tpi as f64, (slih + tpi) as f64),
        }
    }
}
