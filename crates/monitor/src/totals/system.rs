//! Totals of the whole system.

use super::interval::{Interval, mean};
use super::service::Means;
use crate::counts::volume::VolumeCounts;
use measures::{Figure, SystemTotals};
use units::Tod;

impl Interval<'_> {
    pub(super) fn system(&self) -> SystemTotals {
        let sums = self.service_of(|_| true);
        let response: u128 = self.counts.volumes.iter().map(|volume| volume.response.sum()).sum();
        let responses: u64 = self.counts.volumes.iter().map(|volume| volume.response.count()).sum();
        let level = |area: fn(&VolumeCounts, Tod) -> u128| {
            self.share(self.counts.volumes.iter().map(|volume| area(volume, self.end)).sum())
        };
        SystemTotals {
            events: Figure::exact(self.events as f64),
            io_per_s: self.per_s(sums.ended),
            response_ms: mean(response, responses),
            service_ms: Means::of(&sums).total,
            queue_depth: level(|volume, end| volume.queue.area(end)),
            in_service: level(|volume, end| volume.in_service.area(end)),
        }
    }
}
