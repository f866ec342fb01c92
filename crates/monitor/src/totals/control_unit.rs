//! Totals of control units.

use super::interval::{Interval, ratio};
use measures::{ControlUnitTotals, Figure};

impl Interval<'_> {
    pub(super) fn control_units(&self) -> Vec<ControlUnitTotals> {
        let rows = self.plan.control_units.iter().enumerate();
        rows.map(|(number, plan)| {
            let sums = self.service_of(|volume| volume.control_unit == Some(number));
            ControlUnitTotals {
                control_unit: plan.name.clone(),
                paths: u64::from(plan.paths),
                io_per_s: self.per_s(sums.ended),
                paths_online: Figure::exact(self.counts.paths[number].mean(self.end, self.length)),
                connected: self.share(sums.connect),
                slowdown: if sums.connect_alone == 0 {
                    Figure::exact(1.0)
                } else {
                    ratio(sums.connect as f64, sums.connect_alone as f64)
                },
            }
        })
        .collect()
    }
}
