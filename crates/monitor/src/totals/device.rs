//! Totals of devices: a row for each exposure, as a DEVICE report has them.

use super::interval::Interval;
use super::service::Means;
use crate::counts::volume::VolumeCounts;
use crate::laws::within;
use machine::channel::exposure::Role as Exposed;
use machine::plan::{Aliasing, DeviceNumber, Plan};
use measures::{DeviceTotals, Figure, Role, toolkit_response_ms};

impl Interval<'_> {
    /// A row per exposure, by device number, as a DEVICE report has them.
    pub(super) fn devices(&self) -> Vec<DeviceTotals> {
        let numbers = device_numbers(self.plan);
        let mut rows: Vec<DeviceTotals> =
            (0..self.exposures.len()).map(|exposure| self.device(exposure, hex(numbers[exposure]))).collect();
        rows.sort_by(|a, b| a.device.cmp(&b.device));
        rows
    }

    fn device(&self, exposure: usize, device: String) -> DeviceTotals {
        let (role, volume) = match self.exposures[exposure].role {
            Exposed::Base(volume) => (Role::Base, Some(volume.index())),
            Exposed::Bound(volume) => {
                (Role::BoundAlias { base: hex(self.plan.volumes[volume.index()].device) }, Some(volume.index()))
            }
            Exposed::Pool(pool) => (Role::PoolAlias { pool: self.plan.alias_pools[pool.index()].name.clone() }, None),
        };
        // A pool's aliases are shown on a page as those of the first volume that may use them.
        let alike = volume.or_else(|| match self.exposures[exposure].role {
            Exposed::Pool(pool) => {
                self.plan.volumes.iter().position(|volume| volume.aliasing == Aliasing::HyperPav { pool: pool.index() })
            }
            Exposed::Base(_) | Exposed::Bound(_) => None,
        });
        let like = alike.map(|volume| &self.plan.volumes[volume]);
        let paths = like.and_then(|volume| volume.control_unit).map_or(0, |unit| self.plan.control_units[unit].paths);
        let sums = &self.counts.exposures[exposure];
        let service = Means::of(sums);
        let base = volume.filter(|_| role == Role::Base).map(|volume| &self.counts.volumes[volume]);
        let mean_queue = |counts: &VolumeCounts| Figure::exact(counts.queue.mean(self.end, self.length));
        let (io_per_s, queue_depth) = (self.per_s(sums.ended), base.map_or(Figure::ZERO, mean_queue));
        let response_ms = toolkit_response_ms(service.total, queue_depth, io_per_s);
        let (start, end) = self.under_way;
        let busy = within(sums.total(), start.service[exposure], end.service[exposure]);
        DeviceTotals {
            device,
            kind: like.map(|volume| volume.device_type.clone()).unwrap_or_default(),
            label: volume.map(|volume| self.plan.volumes[volume].name.clone()).unwrap_or_default(),
            role,
            paths: u64::from(paths),
            io_per_s,
            avoided_per_s: base.map_or(Figure::ZERO, |counts| self.per_s(counts.avoided)),
            pend_ms: service.pend,
            disc_ms: service.disconnect,
            conn_ms: service.connect,
            service_ms: service.total,
            response_ms: if sums.ended == 0 { Figure::UNKNOWN } else { response_ms },
            queue_depth,
            queue_depth_sampled: base.map_or(Figure::ZERO, |counts| self.sampled_queue(counts)),
            busy_percent: Figure::exact(100.0 * self.share(busy).value),
        }
    }
}

/// As printed: "522A".
pub(super) fn hex(device: DeviceNumber) -> String {
    format!("{:04X}", device.0)
}

/// Device numbers of the exposures: bases, bound aliases, aliases of the pools.
fn device_numbers(plan: &Plan) -> Vec<DeviceNumber> {
    let bases = plan.volumes.iter().map(|volume| volume.device);
    let bound = plan.volumes.iter().flat_map(|volume| match &volume.aliasing {
        Aliasing::Pav { aliases, .. } => aliases.clone(),
        Aliasing::None | Aliasing::HyperPav { .. } => Vec::new(),
    });
    let lent = plan.alias_pools.iter().flat_map(|pool| pool.aliases.iter().copied());
    bases.chain(bound).chain(lent).collect()
}
