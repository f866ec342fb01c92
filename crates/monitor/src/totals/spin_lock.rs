//! Totals of spin locks in virtual machines, a row for those of one name in one machine.

use super::interval::{Interval, mean_us, ratio};
use crate::counts::spin_lock::{Row, RowCounts, rows};
use measures::{Figure, SpinLockTotals};

impl Interval<'_> {
    pub(super) fn spin_locks(&self) -> Vec<SpinLockTotals> {
        rows(self.plan).zip(&self.counts.spin_locks.rows).map(|(row, counts)| self.spin_lock(&row, counts)).collect()
    }

    fn spin_lock(&self, row: &Row, counts: &RowCounts) -> SpinLockTotals {
        let kind = &self.plan.virtual_machines[row.lock.machines];
        SpinLockTotals {
            partition: self.plan.partitions[kind.partition].name.clone(),
            virtual_machine: kind.name.clone(),
            number: row.machine.into(),
            lock: row.lock.name.clone(),
            taken_per_s: self.per_s(counts.taken),
            contended_per_s: self.per_s(counts.contended),
            released_per_s: self.per_s(counts.given),
            contended_percent: ratio(100.0 * counts.contended as f64, counts.taken as f64),
            wait_us: mean_us(counts.wait, counts.contended),
            longest_wait_ms: Figure::exact(counts.longest.ms()),
            held_us: mean_us(counts.held, counts.given),
            held_percent: Figure::exact(100.0 * self.share(counts.any(self.end).into()).value),
            spinning: Figure::exact(counts.spinning.mean(self.end, self.length)),
        }
    }
}
