//! RMF DIRECT ACCESS DEVICE ACTIVITY: read, edited to the byte, and written in its style from tables.
//!
//! It leaves out what a page means for a partition, which advice works out.

use crate::columns::{Columns, required};
use crate::problems::input_error;
use crate::tables;
use measures::{IntervalTotals, PartitionTotals, TableRows};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use records::rmf_dasd::{DirectAccessPage, Level};
use reports::{DirectAccessForm, RmfLevel, View};
use units::Span;

/// An RMF DIRECT ACCESS DEVICE ACTIVITY page, kept to the byte.
#[pyclass(module = "slicewright._core")]
pub struct DirectAccessReport {
    page: DirectAccessPage,
}

#[pymethods]
impl DirectAccessReport {
    /// Read a page; raises `InputError` with every problem.
    #[staticmethod]
    fn read(py: Python<'_>, data: &[u8], file: &str) -> PyResult<Self> {
        match DirectAccessPage::read(data, file) {
            Ok(page) => Ok(DirectAccessReport { page }),
            Err(problems) => Err(input_error(py, &problems)),
        }
    }

    /// The system, "SYSF"; empty when the page does not tell it.
    #[getter]
    fn system(&self) -> &str {
        &self.page.head().system
    }

    /// "05/11/2019 06.00.00" as printed after DATE and TIME.
    #[getter]
    fn started(&self) -> String {
        self.page.head().started().unwrap_or_default()
    }

    /// Length of the interval in seconds; zero when the page does not tell it.
    #[getter]
    fn interval_s(&self) -> f64 {
        self.page.head().length.map_or(0.0, Span::seconds)
    }

    /// Length of the cycle in seconds; zero when the page does not tell it.
    #[getter]
    fn cycle_s(&self) -> f64 {
        self.page.head().cycle.map_or(0.0, Span::seconds)
    }

    /// How many samples the interval holds; zero when the page does not tell it.
    #[getter]
    fn samples(&self) -> u64 {
        self.page.head().samples.unwrap_or(0)
    }

    /// "current" (IOSQ is measured) or "classic" (IOSQ is made of the sampled queue).
    #[getter]
    fn level(&self) -> &'static str {
        match self.page.level() {
            Level::Measured => "current",
            Level::Sampled => "classic",
        }
    }

    /// Lines that are no volumes: line, device, type, why.
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        tables::skipped(py, self.page.skipped())
    }

    /// The devices table as columns, each number `x` with `x_rounding`.
    fn devices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        tables::read(py, &TableRows::of(&self.page.totals().devices))
    }

    /// The volumes table as far as the page gives it.
    fn volumes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        tables::read(py, &TableRows::of(&self.page.totals().volumes))
    }

    /// Replace one printed field; only its bytes change.  Raises `InputError` when it does not fit.
    fn set(&mut self, py: Python<'_>, device: &str, column: &str, text: &str) -> PyResult<()> {
        self.page.set(device, column, text).map_err(|problems| input_error(py, &problems))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.page.to_bytes())
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
