//! Totals of what guests queue for besides I/O: resources and front ends; and queues as a partition's own program sees them.

use crate::counts::VolumeCounts;
use crate::totals::{Interval, ratio};
use kernel::statistics::Tally;
use machine::plan::{PartitionPlan, VolumePlan};
use measures::{Figure, FrontEndTotals, ResourceTotals};

impl Interval<'_> {
    pub(crate) fn resources(&self) -> Vec<ResourceTotals> {
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

    pub(crate) fn front_ends(&self) -> Vec<FrontEndTotals> {
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
                in_wait_ms: Figure::exact(came.mean_ms()),
                out_wait_ms: Figure::exact(went.mean_ms()),
                in_queue: Figure::exact(coming.mean(self.end, self.length)),
                out_queue: Figure::exact(going.mean(self.end, self.length)),
            }
        })
        .collect()
    }

    /// The mean queue over the samples of the program inside the partition of a volume; unknown without such a program.
    pub(crate) fn sampled_inside(&self, plan: &VolumePlan, counts: &VolumeCounts) -> Figure {
        let measured = |partition: &usize| self.plan.partitions[*partition].sampler.is_some();
        match plan.partition.filter(measured) {
            Some(partition) => {
                let samples = self.counts.partitions[partition].samples.count();
                if samples == 0 { Figure::UNKNOWN } else { ratio(counts.sampled_inside as f64, samples as f64) }
            }
            None => Figure::UNKNOWN,
        }
    }

    /// Samples due, taken and lost, and their mean delay; unknown where a partition does not measure itself.
    pub(crate) fn samples(&self, number: usize, plan: &PartitionPlan) -> [Figure; 4] {
        let Some(sampler) = plan.sampler else { return [Figure::UNKNOWN; 4] };
        let counts = &self.counts.partitions[number];
        [
            Figure::exact(self.length.units() as f64 / sampler.cycle.units() as f64),
            Figure::exact(counts.samples.count() as f64),
            Figure::exact(counts.lost as f64),
            Figure::exact(counts.samples.mean_ms()),
        ]
    }
}
