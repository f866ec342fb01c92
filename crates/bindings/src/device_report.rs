//! DEVICE pages: read, edited to the byte, and written in their style from a table.

use crate::columns::{Columns, required};
use crate::problems::input_error;
use crate::tables;
use measures::{IntervalTotals, TableRows};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use records::fcx108::DevicePage;
use units::Span;

/// A DEVICE (FCX108) page, kept to the byte.
#[pyclass(module = "slicewright._core")]
pub struct DeviceReport {
    page: DevicePage,
}

#[pymethods]
impl DeviceReport {
    /// Read a page; raises `InputError` with every problem.
    #[staticmethod]
    fn read(py: Python<'_>, data: &[u8], file: &str) -> PyResult<Self> {
        match DevicePage::read(data, file) {
            Ok(page) => Ok(DeviceReport { page }),
            Err(problems) => Err(input_error(py, &problems)),
        }
    }

    /// The name of the run, "Y032180H"; empty when the page has none.
    #[getter]
    fn run(&self) -> &str {
        &self.page.title().run
    }

    /// "2007/02/04 13:28:34" as printed after From.
    #[getter]
    fn started(&self) -> &str {
        self.page.title().started.as_deref().unwrap_or("")
    }

    /// Length of the interval in seconds; zero when the page does not tell it.
    #[getter]
    fn interval_s(&self) -> f64 {
        self.page.title().length.map_or(0.0, Span::seconds)
    }

    /// Rows that are not disks: line, device, type, why.
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

/// A page in the style of FCX108 from a devices table of one interval.
///
/// `title` holds run, interval_s, note, and which response is printed ("toolkit", the default, or "correct").  The
/// correct one of a base whose volume borrows aliases from a pool is known only with the volumes table.
#[pyfunction]
#[pyo3(signature = (title, devices, volumes = None))]
pub fn device_page(
    title: &Bound<'_, PyDict>,
    devices: &Bound<'_, PyDict>,
    volumes: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let text = |key: &str| -> PyResult<String> {
        if title.contains(key)? { required(title, key)?.extract() } else { Ok(String::new()) }
    };
    let seconds: f64 = required(title, "interval_s")?.extract()?;
    let mut interval = IntervalTotals::new(text("run")?, Span::from_seconds(seconds));
    interval.devices = Columns { table: devices }.devices()?;
    if let Some(table) = volumes {
        interval.volumes = Columns { table }.volumes()?;
    }
    let response = match text("response")?.as_str() {
        "" | "toolkit" => reports::Response::Toolkit,
        "correct" => reports::Response::Correct,
        other => return Err(PyValueError::new_err(format!("response `{other}`; allowed: toolkit, correct"))),
    };
    Ok(reports::device_page(&interval, response, &text("note")?))
}
