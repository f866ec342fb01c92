//! The totals of the interval as far as the page gives them: the logical processors of one system.

use super::column::Column;
use super::page::CpuPage;
use super::row::Row;
use measures::{IntervalTotals, LogicalProcessorTotals};
use units::Span;

impl CpuPage {
    /// The interval that the page reports; its length is zero when the page does not tell it.
    pub fn totals(&self) -> IntervalTotals {
        let head = self.head();
        let mut totals = IntervalTotals::new(head.system.clone(), head.length.unwrap_or(Span::ZERO));
        totals.started = head.started();
        totals.samples = head.samples.unwrap_or(0);
        totals.logical_processors = self.rows().iter().map(|row| processor(row, &head.system)).collect();
        totals
    }
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
