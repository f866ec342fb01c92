//! The service of I/Os: its sums over volumes, and its parts per I/O.

use super::interval::{self, Interval};
use crate::counts::volume::ServiceSums;
use measures::Figure;

impl Interval<'_> {
    /// Sums over the volumes for which something holds.
    pub(super) fn service_of(&self, which: impl Fn(&machine::plan::VolumePlan) -> bool) -> ServiceSums {
        let mut sums = ServiceSums::default();
        for (plan, counts) in self.plan.volumes.iter().zip(&self.counts.volumes) {
            if which(plan) {
                sums.merge(&counts.service);
            }
        }
        sums
    }
}

/// The parts of service per I/O in ms.
pub(super) struct Means {
    pub pend: Figure,
    pub held: Figure,
    pub disconnect: Figure,
    pub connect: Figure,
    pub total: Figure,
}

impl Means {
    pub fn of(sums: &ServiceSums) -> Self {
        let mean = |sum| interval::mean(sum, sums.ended);
        Means {
            pend: mean(sums.pend),
            held: mean(sums.held),
            disconnect: mean(sums.disconnect),
            connect: mean(sums.connect),
            total: mean(sums.total()),
        }
    }
}
