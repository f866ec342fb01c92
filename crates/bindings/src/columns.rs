//! Tables as Python holds them, a list per column, made into rows of totals.

use measures::{ChannelTotals, DeviceTotals, Figure, LogicalProcessorTotals, PartitionTotals, Role, VolumeTotals};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A table as a dictionary of lists.
pub struct Columns<'a, 'py> {
    /// The dictionary.
    pub table: &'a Bound<'py, PyDict>,
}

impl Columns<'_, '_> {
    /// The rows of a devices table.
    pub fn devices(&self) -> PyResult<Vec<DeviceTotals>> {
        let count = required(self.table, "device")?.len()?;
        (0..count).map(|row| self.device(row)).collect()
    }

    /// Of each volume its base, its pool and its rate, and the other figures of pages where the table has them.
    pub fn volumes(&self) -> PyResult<Vec<VolumeTotals>> {
        let count = required(self.table, "volume")?.len()?;
        let volume = |row| {
            let pool = if self.table.contains("pool")? { self.text("pool", row)? } else { String::new() };
            let unknown = VolumeTotals::unknown(self.text("volume", row)?, self.text("device", row)?, pool);
            Ok(VolumeTotals {
                io_per_s: self.figure("io_per_s", row)?,
                pend_ms: self.figure_if_any("pend_ms", row)?,
                held_ms: self.figure_if_any("held_ms", row)?,
                hold_ms: self.figure_if_any("hold_ms", row)?,
                disc_ms: self.figure_if_any("disc_ms", row)?,
                conn_ms: self.figure_if_any("conn_ms", row)?,
                service_ms: self.figure_if_any("service_ms", row)?,
                queue_depth: self.figure_if_any("queue_depth", row)?,
                queue_depth_sampled: self.figure_if_any("queue_depth_sampled", row)?,
                queue_depth_rmf: self.figure_if_any("queue_depth_rmf", row)?,
                alias_io_per_s: self.figure_if_any("alias_io_per_s", row)?,
                reserved_percent: self.figure_if_any("reserved_percent", row)?,
                ..unknown
            }
            .printed())
        };
        (0..count).map(volume).collect()
    }

    /// Of each partition what a page of partitions shows.
    pub fn partitions(&self) -> PyResult<Vec<PartitionTotals>> {
        let count = required(self.table, "partition")?.len()?;
        let partition = |row| {
            let logical: u64 = required(self.table, "logical_processors")?.get_item(row)?.extract()?;
            Ok(PartitionTotals {
                dispatched_percent: self.figure("dispatched_percent", row)?,
                management_percent: self.figure("management_percent", row)?,
                ..PartitionTotals::unknown(self.text("partition", row)?, logical)
            })
        };
        (0..count).map(partition).collect()
    }

    /// Of each channel path what a page of channels shows.
    pub fn channels(&self) -> PyResult<Vec<ChannelTotals>> {
        let count = required(self.table, "channel")?.len()?;
        let channel = |row| {
            Ok(ChannelTotals {
                io_per_s: self.figure("io_per_s", row)?,
                busy_percent: self.figure("busy_percent", row)?,
                read_busy_percent: self.figure("read_busy_percent", row)?,
                write_busy_percent: self.figure("write_busy_percent", row)?,
                read_kib_per_s: self.figure("read_kib_per_s", row)?,
                write_kib_per_s: self.figure("write_kib_per_s", row)?,
                carry_ms: self.figure("carry_ms", row)?,
                wait_ms: self.figure("wait_ms", row)?,
                ..ChannelTotals::unknown(self.text("channel", row)?)
            })
        };
        (0..count).map(channel).collect()
    }

    /// Of each logical processor what a page of processors shows.
    pub fn logical_processors(&self) -> PyResult<Vec<LogicalProcessorTotals>> {
        let count = required(self.table, "number")?.len()?;
        let processor = |row| {
            let number: u64 = required(self.table, "number")?.get_item(row)?.extract()?;
            Ok(LogicalProcessorTotals {
                dispatched_percent: self.figure("dispatched_percent", row)?,
                management_percent: self.figure_if_any("management_percent", row)?,
                busy_percent: self.figure("busy_percent", row)?,
                interrupts_per_s: self.figure("interrupts_per_s", row)?,
                tpi_percent: self.figure("tpi_percent", row)?,
                ..LogicalProcessorTotals::unknown(self.text("partition", row)?, number)
            }
            .printed())
        };
        (0..count).map(processor).collect()
    }

    fn device(&self, row: usize) -> PyResult<DeviceTotals> {
        let paths: u64 = required(self.table, "paths")?.get_item(row)?.extract()?;
        let role = match self.text("role", row)?.as_str() {
            "bound-alias" => Role::BoundAlias { base: self.text("base", row)? },
            "pool-alias" => Role::PoolAlias { pool: self.text("pool", row)? },
            _ => Role::Base,
        };
        let (device, kind, label) = (self.text("device", row)?, self.text("type", row)?, self.text("label", row)?);
        let response_ms = self.figure("response_ms", row)?;
        let totals = DeviceTotals {
            io_per_s: self.figure("io_per_s", row)?,
            avoided_per_s: self.figure("avoided_per_s", row)?,
            pend_ms: self.figure("pend_ms", row)?,
            disc_ms: self.figure("disc_ms", row)?,
            conn_ms: self.figure("conn_ms", row)?,
            service_ms: self.figure("service_ms", row)?,
            queue_depth: self.figure("queue_depth", row)?,
            busy_percent: self.figure("busy_percent", row)?,
            ..DeviceTotals::unknown(device, kind, label, role, paths)
        };
        // A page makes a response that is not known of service, queue and rate: requests may wait where none was started.
        Ok(DeviceTotals { response_ms, ..totals.printed() })
    }

    /// A word in a column.
    pub fn text(&self, column: &str, row: usize) -> PyResult<String> {
        required(self.table, column)?.get_item(row)?.extract()
    }

    /// A whole number in a column.
    pub fn count(&self, column: &str, row: usize) -> PyResult<u64> {
        required(self.table, column)?.get_item(row)?.extract()
    }

    /// The figure of a column that a table may lack.
    fn figure_if_any(&self, column: &str, row: usize) -> PyResult<Figure> {
        if self.table.contains(column)? { self.figure(column, row) } else { Ok(Figure::UNKNOWN) }
    }

    /// A number in a column; what Python does not know is None.
    pub fn figure(&self, column: &str, row: usize) -> PyResult<Figure> {
        let value: Option<f64> = required(self.table, column)?.get_item(row)?.extract()?;
        Ok(value.map_or(Figure::UNKNOWN, Figure::exact))
    }
}

/// A value of a dictionary; raises `KeyError` where it is missing.
pub fn required<'py>(table: &Bound<'py, PyDict>, key: &str) -> PyResult<Bound<'py, PyAny>> {
    table.as_any().get_item(key)
}
