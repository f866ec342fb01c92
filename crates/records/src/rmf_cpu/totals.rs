//! The totals of the interval as far as the page gives them: the logical processors of one system.

use super::column::Column;
use super::page::CpuPage;
use super::row::Row;
use measures::{IntervalTotals, LogicalProcessorTotals};

pub(super) fn fill(page: &CpuPage, totals: &mut IntervalTotals) {
    let system = &page.head().system;
    totals.logical_processors = page.rows().iter().map(|row| processor(row, system)).collect();
}

fn processor(row: &Row, system: &str) -> LogicalProcessorTotals {
    let number = u64::from_str_radix(row.text(Column::Number), 16).unwrap_or(0);
    LogicalProcessorTotals {
        dispatched_percent: row.figure(Column::LparBusy),
        busy_percent: row.figure(Column::MvsBusy),
        interrupts_per_s: row.figure(Column::Rate),
        tpi_percent: row.figure(Column::Tpi),
        ..LogicalProcessorTotals::unknown(system.to_string(), number)
    }
}
