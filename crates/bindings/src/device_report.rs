//! DEVICE pages: read, edited to the byte, and written in their style from a table.
//!
//! It leaves out what a page means for a pool, which advice works out.

use crate::problems::input_error;
use crate::tables;
use measures::TableRows;
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
        let list = PyList::empty(py);
        for skipped in self.page.skipped() {
            let row = PyDict::new(py);
            row.set_item("line", skipped.line)?;
            row.set_item("device", &skipped.device)?;
            row.set_item("type", &skipped.kind)?;
            row.set_item("why", skipped.why.to_string())?;
            list.append(row)?;
        }
        Ok(list)
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
