//! Totals of partitions: states of their logical processors, and waits of I/Os for them.

use super::interval::{Interval, mean, mean_of, ratio};
use crate::counts::processor::{LogicalCounts, PhysicalCounts};
use machine::plan::PartitionPlan;
use machine::signal::Standing;
use measures::{Figure, PartitionTotals};

impl Interval<'_> {
    pub(super) fn partitions(&self) -> Vec<PartitionTotals> {
        self.plan.partitions.iter().enumerate().map(|(number, plan)| self.partition(number, plan)).collect()
    }

    fn partition(&self, number: usize, plan: &PartitionPlan) -> PartitionTotals {
        let all = u128::from(plan.logical) * u128::from(self.length.units());
        let percent = |span: u128| ratio(100.0 * span as f64, all as f64);
        let [pending, waiting, working, interrupted] =
            [Standing::Pending, Standing::Waiting, Standing::Working, Standing::Interrupted]
                .map(|standing| self.stood(number, standing));
        let busy = working + interrupted;
        let counts = &self.counts.partitions[number];
        let (slih, tpi) = self.taken(number);
        let [samples_due, samples_taken, samples_lost, sample_delay_ms] = self.samples(number, plan);
        let (handled, held, uncleared) = self.interrupts(number);
        PartitionTotals {
            dispatched_percent: percent(busy + waiting),
            effective_percent: percent(busy),
            wait_percent: percent(waiting),
            pending_percent: percent(pending),
            management_percent: percent(self.switched(number)),
            cpu_percent: Figure::exact(100.0 * self.share(busy).value),
            interrupts_per_s: self.per_s(handled),
            tpi_percent: ratio(100.0 * tpi as f64, (slih + tpi) as f64),
            enabled: Figure::exact(counts.enabled.mean(self.end, self.length)),
            hold_ms: mean(held, handled),
            interrupts_pending: self.share(uncleared),
            samples_due,
            samples_taken,
            samples_lost,
            sample_delay_ms,
            ..PartitionTotals::unknown(plan.name.clone(), u64::from(plan.logical))
        }
    }

    /// The time of a partition's logical processors in one state, together.
    pub(super) fn stood(&self, partition: usize, standing: Standing) -> u128 {
        self.own(partition).iter().map(|logical| logical.area(standing, self.end)).sum()
    }

    /// Interrupts that its logical processors took: that interrupted, and that a handler tested for.
    fn taken(&self, partition: usize) -> (u64, u64) {
        self.own(partition).iter().fold((0, 0), |(slih, tpi), logical| (slih + logical.slih, tpi + logical.tpi))
    }

    pub(super) fn switched(&self, partition: usize) -> u128 {
        let until = |physical: &PhysicalCounts| physical.of(partition, &self.counts.owner, self.end).1;
        self.counts.physical.iter().map(until).sum()
    }

    fn own(&self, partition: usize) -> &[LogicalCounts] {
        &self.counts.logical[self.counts.logical_of(partition)]
    }

    /// I/Os whose interrupt was handled, how long they had waited for that, and the area under those that wait.
    fn interrupts(&self, partition: usize) -> (u64, u128, u128) {
        let rows = self.plan.volumes.iter().zip(&self.counts.volumes);
        let own = rows.filter(|(volume, _)| volume.partition == Some(partition)).map(|(_, counts)| counts);
        own.fold((0, 0, 0), |(count, held, area), counts| {
            (count + counts.hold.count(), held + counts.hold.sum(), area + counts.uncleared.area(self.end))
        })
    }

    /// Samples due, taken and lost, and their mean delay; unknown where a partition does not measure itself.
    fn samples(&self, number: usize, plan: &PartitionPlan) -> [Figure; 4] {
        let Some(sampler) = plan.sampler else { return [Figure::UNKNOWN; 4] };
        let counts = &self.counts.partitions[number];
        [
            Figure::exact(self.length.units() as f64 / sampler.cycle.units() as f64),
            Figure::exact(counts.samples.count() as f64),
            Figure::exact(counts.lost as f64),
            mean_of(&counts.samples),
        ]
    }
}
