//! RMF CPU ACTIVITY and PARTITION DATA: read, edited to the byte, and written in their style from tables.

use crate::columns::{Columns, required};
use crate::problems::{input_error, listed};
use crate::rmf_report::rmf_report;
use crate::tables;
use measures::{Figure, IntervalTotals, TableRows};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use records::rmf_cpu::CpuPage;
use records::rmf_partition::PartitionPage;
use reports::{CpuForm, LogicalShare, Machine, Setting};
use units::Span;

rmf_report! {
    /// An RMF CPU ACTIVITY page, kept to the byte.
    CpuReport of CpuPage;

    /// The logical processors as columns, each number `x` with `x_rounding`.
    fn processors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        tables::read(py, &TableRows::of(&self.page.totals().logical_processors))
    }
}

rmf_report! {
    /// An RMF PARTITION DATA page, kept to the byte.
    PartitionReport of PartitionPage;

    /// The partitions table as far as the page gives it, each number `x` with `x_rounding`.
    fn partitions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        tables::read(py, &TableRows::of(&self.page.totals().partitions))
    }

    /// The fact in the head after such words as "WAIT COMPLETION"; empty if there is none.
    fn fact(&self, label: &str) -> &str {
        self.page.fact(label).unwrap_or("")
    }

    /// Rows whose TOTAL is not LPAR MGMT + EFFECTIVE, as problems.
    #[getter]
    fn disagreements<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        listed(py, &self.page.disagreements())
    }
}

/// A page in the style of RMF CPU ACTIVITY from the logical processors of one partition.
///
/// `title` holds run, interval_s, samples, cycle_s (None: no sampler), note, shares (percent of a physical one, and
/// HIGH, MED, LOW or nothing, of each processor), parked (percent of each processor; empty: none can be) and online
/// (percent of each processor; empty: all the time).
#[pyfunction]
pub fn cpu_page(title: &Bound<'_, PyDict>, processors: &Bound<'_, PyDict>) -> PyResult<String> {
    let (mut interval, note) = headed(title)?;
    interval.logical_processors = Columns { table: processors }.logical_processors()?;
    let shares: Vec<(Option<f64>, String)> = required(title, "shares")?.extract()?;
    let cycle: Option<f64> = required(title, "cycle_s")?.extract()?;
    let parked: Vec<Option<f64>> = required(title, "parked")?.extract()?;
    let online: Vec<f64> = required(title, "online")?.extract()?;
    let share = |(percent, polarity): (Option<f64>, String)| LogicalShare {
        percent: percent.map_or(Figure::UNKNOWN, Figure::exact),
        polarity,
    };
    let form = CpuForm {
        shares: shares.into_iter().map(share).collect(),
        parked: parked.into_iter().map(|percent| percent.map_or(Figure::UNKNOWN, Figure::exact)).collect(),
        online: online.into_iter().map(Figure::exact).collect(),
        cycle: cycle.map(Span::from_seconds),
    };
    Ok(reports::cpu_page(&interval, &form, &note))
}

/// A page in the style of RMF PARTITION DATA from the partitions of a machine.
///
/// `title` holds run, interval_s, samples, note, seen_from, physical, waits, dispatch_interval (as printed, empty: no
/// one length) and settings (weight and capping, as printed, and processors online or None, of each partition).
#[pyfunction]
pub fn partition_page(title: &Bound<'_, PyDict>, partitions: &Bound<'_, PyDict>) -> PyResult<String> {
    let (mut interval, note) = headed(title)?;
    interval.partitions = Columns { table: partitions }.partitions()?;
    let settings: Vec<(String, String, Option<f64>)> = required(title, "settings")?.extract()?;
    let machine = Machine {
        seen_from: required(title, "seen_from")?.extract()?,
        physical: required(title, "physical")?.extract()?,
        waits: required(title, "waits")?.extract()?,
        dispatch_interval: required(title, "dispatch_interval")?.extract()?,
        settings: settings.into_iter().map(|(weight, capping, online)| Setting { weight, capping, online }).collect(),
    };
    Ok(reports::partition_page(&interval, &machine, &note))
}

/// A page in the style of RMF CHANNEL PATH ACTIVITY from the channel paths of a run.
///
/// `title` holds run, interval_s, samples and note.
#[pyfunction]
pub fn channel_page(title: &Bound<'_, PyDict>, channels: &Bound<'_, PyDict>) -> PyResult<String> {
    let (mut interval, note) = headed(title)?;
    interval.channels = Columns { table: channels }.channels()?;
    Ok(reports::channel_page(&interval, &note))
}

/// An interval with what all heads have, and the note.
pub fn headed(title: &Bound<'_, PyDict>) -> PyResult<(IntervalTotals, String)> {
    let seconds: f64 = required(title, "interval_s")?.extract()?;
    let name: String = required(title, "run")?.extract()?;
    let mut interval = IntervalTotals::new(name, Span::from_seconds(seconds));
    interval.samples = required(title, "samples")?.extract()?;
    Ok((interval, required(title, "note")?.extract()?))
}
