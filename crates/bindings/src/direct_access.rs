//! RMF DIRECT ACCESS DEVICE ACTIVITY: read, edited to the byte, and written in its style from tables.

use crate::columns::{Columns, required};
use crate::problems::input_error;
use crate::rmf_report::rmf_report;
use crate::tables;
use measures::{IntervalTotals, PartitionTotals, TableRows};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use records::rmf_dasd::{DirectAccessPage, Level};
use reports::{DirectAccessForm, RmfLevel, View};
use units::Span;

rmf_report! {
    /// An RMF DIRECT ACCESS DEVICE ACTIVITY page, kept to the byte.
    DirectAccessReport of DirectAccessPage;

    /// "current" (IOSQ is measured) or "classic" (IOSQ is made of the sampled queue).
    #[getter]
    fn level(&self) -> &'static str {
        match self.page.level() {
            Level::Measured => "current",
            Level::Sampled => "classic",
        }
    }

    /// The devices table as columns, each number `x` with `x_rounding`.
    fn devices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        tables::read(py, &TableRows::of(&self.page.totals().devices))
    }

    /// The volumes table as far as the page gives it.
    fn volumes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        tables::read(py, &TableRows::of(&self.page.totals().volumes))
    }
}

/// A page in the style of RMF from a volumes and a devices table of one interval.
///
/// `title` holds run, interval_s, samples, cycle_s (None: the interval over the samples), note, level ("current" or
/// "classic"), view ("true" or "sampled") and partitions (their names).
#[pyfunction]
pub fn direct_access_page(
    title: &Bound<'_, PyDict>,
    devices: &Bound<'_, PyDict>,
    volumes: &Bound<'_, PyDict>,
) -> PyResult<String> {
    let text = |key: &str| -> PyResult<String> { required(title, key)?.extract() };
    let seconds: f64 = required(title, "interval_s")?.extract()?;
    let mut interval = IntervalTotals::new(text("run")?, Span::from_seconds(seconds));
    interval.samples = required(title, "samples")?.extract()?;
    interval.devices = Columns { table: devices }.devices()?;
    interval.volumes = Columns { table: volumes }.volumes()?;
    let partitions: Vec<String> = required(title, "partitions")?.extract()?;
    interval.partitions = partitions.into_iter().map(|name| PartitionTotals::unknown(name, 0)).collect();
    let level = match text("level")?.as_str() {
        "current" => RmfLevel::Current,
        "classic" => RmfLevel::Classic,
        other => return Err(PyValueError::new_err(format!("level `{other}`; allowed: current, classic"))),
    };
    let view = match text("view")?.as_str() {
        "true" => View::True,
        "sampled" => View::Sampled,
        other => return Err(PyValueError::new_err(format!("view `{other}`; allowed: true, sampled"))),
    };
    let cycle: Option<f64> = required(title, "cycle_s")?.extract()?;
    let form = DirectAccessForm { level, view, cycle: cycle.map(Span::from_seconds) };
    Ok(reports::direct_access_page(&interval, form, &text("note")?))
}
