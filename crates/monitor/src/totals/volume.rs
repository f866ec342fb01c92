//! Totals of volumes.

use super::device::hex;
use super::interval::{Interval, mean_of, quantile, ratio};
use super::service::Means;
use crate::counts::volume::VolumeCounts;
use machine::plan::{Aliasing, VolumePlan};
use measures::{Figure, VolumeTotals};

impl Interval<'_> {
    pub(super) fn volumes(&self) -> Vec<VolumeTotals> {
        let rows = self.plan.volumes.iter().zip(&self.counts.volumes);
        rows.map(|(plan, counts)| self.volume(plan, counts)).collect()
    }

    fn volume(&self, plan: &VolumePlan, counts: &VolumeCounts) -> VolumeTotals {
        let service = Means::of(&counts.service);
        let quantile = |share| quantile(&counts.responses, share);
        let inside = self.sampled_inside(plan, counts);
        // A mean queue over a rate, in s.
        let per_io = |queue: f64| ratio(1e3 * queue * self.length.seconds(), counts.service.ended as f64);
        VolumeTotals {
            volume: plan.name.clone(),
            device: hex(plan.device),
            pool: self.pool_of(plan),
            io_per_s: self.per_s(counts.service.ended),
            avoided_per_s: self.per_s(counts.avoided),
            reads_per_s: self.per_s(counts.service.ended - counts.writes),
            writes_per_s: self.per_s(counts.writes),
            kib_per_s: Figure::exact(counts.bytes as f64 / 1024.0 / self.length.seconds()),
            pend_ms: service.pend,
            held_ms: service.held,
            command_ms: Figure::UNKNOWN,
            disc_ms: service.disconnect,
            conn_ms: service.connect,
            service_ms: service.total,
            // No partition handles an interrupt, so none is waited for.
            hold_ms: if plan.partition.is_none() { Figure::ZERO } else { mean_of(&counts.hold) },
            queue_depth: Figure::exact(counts.queue.mean(self.end, self.length)),
            queue_depth_sampled: self.sampled_queue(counts),
            queue_depth_rmf: inside,
            iosq_ms: per_io(counts.queue.mean(self.end, self.length)),
            // What is unknown stays so to the bit: arithmetic may turn the sign of what is not a number.
            iosq_rmf_ms: if inside.is_known() { per_io(inside.value) } else { Figure::UNKNOWN },
            response_ms: mean_of(&counts.response),
            response_p50_ms: quantile(0.5),
            response_p90_ms: quantile(0.9),
            response_p95_ms: quantile(0.95),
            response_p99_ms: quantile(0.99),
            in_service: Figure::exact(counts.in_service.mean(self.end, self.length)),
            reserved_percent: Figure::exact(100.0 * counts.reserved.mean(self.end, self.length)),
            base_io_per_s: self.per_s(counts.base),
            alias_io_per_s: self.per_s(counts.service.ended - counts.base),
            exposures: Figure::UNKNOWN,
        }
    }

    /// The name of the pool that a volume has its aliases from, empty without one.
    fn pool_of(&self, volume: &VolumePlan) -> String {
        match volume.aliasing {
            Aliasing::HyperPav { pool } => self.plan.alias_pools[pool].name.clone(),
            Aliasing::None | Aliasing::Pav { .. } => String::new(),
        }
    }

    pub(super) fn sampled_queue(&self, counts: &VolumeCounts) -> Figure {
        ratio(counts.sampled as f64, self.counts.samples as f64)
    }

    /// The mean queue over the samples of the program inside the partition of a volume; unknown without such a program.
    fn sampled_inside(&self, plan: &VolumePlan, counts: &VolumeCounts) -> Figure {
        let measured = |partition: &usize| self.plan.partitions[*partition].sampler.is_some();
        match plan.partition.filter(measured) {
            Some(partition) => {
                let samples = self.counts.partitions[partition].samples.count();
                ratio(counts.sampled_inside as f64, samples as f64)
            }
            None => Figure::UNKNOWN,
        }
    }
}
