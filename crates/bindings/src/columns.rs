//! Tables as Python holds them, a list per column, made into rows of totals.

use measures::{
    ChannelTotals, ControlProcessorTotals, ControlProgramTotals, DeviceTotals, EnqueueTotals, Figure, IntervalTotals,
    LockTotals, LogicalProcessorTotals, PartitionTotals, PoolTotals, Role, SerializationTotals, VolumeTotals,
};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use units::Span;

/// A table as a dictionary of lists.
pub struct Columns<'a, 'py> {
    /// The dictionary.
    pub table: &'a Bound<'py, PyDict>,
}

impl Columns<'_, '_> {
    /// The rows of a devices table.
    pub fn devices(&self) -> PyResult<Vec<DeviceTotals>> {
        self.rows("device", |row| {
            let role = match self.text("role", row)?.as_str() {
                "bound-alias" => Role::BoundAlias { base: self.text("base", row)? },
                "pool-alias" => Role::PoolAlias { pool: self.text("pool", row)? },
                _ => Role::Base,
            };
            let (device, kind, label) = (self.text("device", row)?, self.text("type", row)?, self.text("label", row)?);
            let totals = DeviceTotals::unknown(device, kind, label, role, self.count("paths", row)?);
            // A page makes a response that is not known of service, queue and rate: requests may wait where none was
            // started.
            let response_ms = self.figure("response_ms", row)?;
            let printed = totals.filled(self.of(row))?.printed();
            // A monitor prints the queue that it sampled, and a response made of it.
            let sampled = printed.queue_depth_sampled;
            Ok(if sampled.is_known() {
                DeviceTotals { queue_depth: sampled, response_ms: Figure::UNKNOWN, ..printed }
            } else {
                DeviceTotals { response_ms, ..printed }
            })
        })
    }

    /// The rows of a volumes table.
    pub fn volumes(&self) -> PyResult<Vec<VolumeTotals>> {
        self.rows("volume", |row| {
            let pool = if self.table.contains("pool")? { self.text("pool", row)? } else { String::new() };
            let unknown = VolumeTotals::unknown(self.text("volume", row)?, self.text("device", row)?, pool);
            Ok(unknown.filled(self.of(row))?.printed())
        })
    }

    /// The rows of a pools table.
    pub fn pools(&self) -> PyResult<Vec<PoolTotals>> {
        self.rows("pool", |row| PoolTotals::unknown(self.text("pool", row)?).filled(self.of(row)))
    }

    /// The rows of a channels table.
    pub fn channels(&self) -> PyResult<Vec<ChannelTotals>> {
        self.rows("channel", |row| ChannelTotals::unknown(self.text("channel", row)?).filled(self.of(row)))
    }

    /// The rows of a partitions table.
    pub fn partitions(&self) -> PyResult<Vec<PartitionTotals>> {
        self.rows("partition", |row| {
            let logical = self.count("logical_processors", row)?;
            PartitionTotals::unknown(self.text("partition", row)?, logical).filled(self.of(row))
        })
    }

    /// The rows of a table of logical processors.
    pub fn logical_processors(&self) -> PyResult<Vec<LogicalProcessorTotals>> {
        self.rows("number", |row| {
            let unknown = LogicalProcessorTotals::unknown(self.text("partition", row)?, self.count("number", row)?);
            Ok(unknown.filled(self.of(row))?.printed())
        })
    }

    /// The rows of a table of control programs.
    pub fn control_programs(&self) -> PyResult<Vec<ControlProgramTotals>> {
        self.rows("partition", |row| ControlProgramTotals::unknown(self.text("partition", row)?).filled(self.of(row)))
    }

    /// The rows of a table of processors of control programs.
    pub fn control_processors(&self) -> PyResult<Vec<ControlProcessorTotals>> {
        self.rows("number", |row| {
            let (partition, number) = (self.text("partition", row)?, self.count("number", row)?);
            ControlProcessorTotals::unknown(partition, number, self.text("polarity", row)?).filled(self.of(row))
        })
    }

    /// The rows of a table of locks.
    pub fn locks(&self) -> PyResult<Vec<LockTotals>> {
        self.rows("lock", |row| {
            LockTotals::unknown(self.text("partition", row)?, self.text("lock", row)?).filled(self.of(row))
        })
    }

    /// The rows of a table of resources.
    pub fn enqueues(&self) -> PyResult<Vec<EnqueueTotals>> {
        self.rows("enqueue", |row| {
            let [name, qname, rname, scope] = ["enqueue", "qname", "rname", "scope"].map(|name| self.text(name, row));
            EnqueueTotals::unknown(name?, qname?, rname?, scope?, self.count("members", row)?).filled(self.of(row))
        })
    }

    /// The rows of a table of the service of ENQ and DEQ.
    pub fn serialization(&self) -> PyResult<Vec<SerializationTotals>> {
        self.rows("partition", |row| SerializationTotals::unknown(self.text("partition", row)?).filled(self.of(row)))
    }

    /// Gives an interval the rows of the table of this name.
    pub fn fill(&self, totals: &mut IntervalTotals, name: &str) -> PyResult<()> {
        match name {
            "devices" => totals.devices = self.devices()?,
            "volumes" => totals.volumes = self.volumes()?,
            "pools" => totals.pools = self.pools()?,
            "channels" => totals.channels = self.channels()?,
            "partitions" => totals.partitions = self.partitions()?,
            "logical_processors" => totals.logical_processors = self.logical_processors()?,
            "control_programs" => totals.control_programs = self.control_programs()?,
            "control_processors" => totals.control_processors = self.control_processors()?,
            "locks" => totals.locks = self.locks()?,
            "enqueues" => totals.enqueues = self.enqueues()?,
            "serialization" => totals.serialization = self.serialization()?,
            other => return Err(PyKeyError::new_err(format!("no table {other} is written"))),
        }
        Ok(())
    }

    /// A row for each value of a column.
    fn rows<T>(&self, column: &str, row: impl Fn(usize) -> PyResult<T>) -> PyResult<Vec<T>> {
        (0..required(self.table, column)?.len()?).map(row).collect()
    }

    /// The figures of a row by their names.
    fn of(&self, row: usize) -> impl Fn(&'static str) -> PyResult<Figure> {
        move |name| self.figure_if_any(name, row)
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

/// An interval of a run: `length_s`, `samples` and `tables`, columns by name of those tables that are to be written.
pub fn interval_of(interval: &Bound<'_, PyDict>, system: &str) -> PyResult<IntervalTotals> {
    let length: f64 = required(interval, "length_s")?.extract()?;
    let mut totals = IntervalTotals::new(system, Span::from_seconds(length));
    totals.samples = required(interval, "samples")?.extract()?;
    let tables = required(interval, "tables")?.cast_into::<PyDict>()?;
    for (name, table) in tables.iter() {
        Columns { table: &table.cast_into::<PyDict>()? }.fill(&mut totals, &name.extract::<String>()?)?;
    }
    Ok(totals)
}
