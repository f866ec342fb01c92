//! The totals of the interval as far as the page gives them: its partitions.

use super::column::Column;
use super::page::{Partition, PartitionPage};
use super::row::Row;
use crate::rmf::Page;
use measures::{Figure, IntervalTotals, PartitionTotals};

pub(super) fn fill(page: &PartitionPage, totals: &mut IntervalTotals) {
    let rows = page.rows().iter().zip(Partition::keys(page.rows()));
    let of_partitions = rows.filter(|(row, key)| !row.is_nobody() && key == row.name());
    totals.partitions = of_partitions.map(|(row, _)| partition(row, page.keeps_waiting())).collect();
}

impl PartitionPage {
    /// Whether a partition that waits stays dispatched; none when the page does not tell.
    pub fn keeps_waiting(&self) -> Option<bool> {
        match self.fact("WAIT COMPLETION")? {
            "YES" => Some(true),
            "NO" => Some(false),
            _ => None,
        }
    }
}

/// Where a wait ends the dispatch, what is effective is work; where it does not, the page does not tell them apart.
fn partition(row: &Row, keeps_waiting: Option<bool>) -> PartitionTotals {
    let (effective, total) = (row.figure(Column::LogicalEffective), row.figure(Column::LogicalTotal));
    let ends_at_a_wait = keeps_waiting == Some(false);
    let work = if ends_at_a_wait { effective } else { Figure::UNKNOWN };
    let processors = row.figure(Column::Processors);
    let count = if processors.is_known() { processors.value.round() as u64 } else { 0 };
    PartitionTotals {
        dispatched_percent: effective,
        effective_percent: work,
        wait_percent: if ends_at_a_wait { Figure::ZERO } else { Figure::UNKNOWN },
        management_percent: less(total, effective),
        cpu_percent: work.times(processors),
        ..PartitionTotals::unknown(row.name().to_string(), count)
    }
}

/// The difference of two figures, which rounding may have put below zero.
fn less(whole: Figure, part: Figure) -> Figure {
    if !whole.is_known() || !part.is_known() {
        return Figure::UNKNOWN;
    }
    Figure { value: (whole.value - part.value).max(0.0), rounding: whole.rounding + part.rounding }
}
