//! Pool listings: the responses to CP QUERY PAV read, and written in their style from tables.

use crate::columns::Columns;
use crate::problems::input_error;
use measures::IntervalTotals;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use records::query_pav::{self, Standing};
use units::Span;

/// The responses to CP QUERY PAV, as far as they say which device belongs where.
#[pyclass(module = "slicewright._core")]
pub struct PoolListing {
    listing: query_pav::PoolListing,
}

#[pymethods]
impl PoolListing {
    /// Read a listing; raises `InputError` with every problem.
    #[staticmethod]
    fn read(py: Python<'_>, data: &[u8], file: &str) -> PyResult<Self> {
        match query_pav::PoolListing::read(data, file) {
            Ok(listing) => Ok(PoolListing { listing }),
            Err(problems) => Err(input_error(py, &problems)),
        }
    }

    /// A row per device: device, role, pool, base, aliases, line.
    fn devices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for listed in self.listing.devices() {
            let (role, pool, base, aliases) = match &listed.standing {
                Standing::PoolBase { pool } => ("base", pool.as_str(), "", &[][..]),
                Standing::PoolAlias { pool } => ("pool-alias", pool.as_str(), "", &[][..]),
                Standing::Base { aliases } => ("base", "", "", aliases.as_slice()),
                Standing::BoundAlias { base } => ("bound-alias", "", base.as_str(), &[][..]),
            };
            let row = PyDict::new(py);
            row.set_item("device", &listed.device)?;
            row.set_item("role", role)?;
            row.set_item("pool", pool)?;
            row.set_item("base", base)?;
            row.set_item("aliases", aliases)?;
            row.set_item("line", listed.line)?;
            list.append(row)?;
        }
        Ok(list)
    }

    /// Lines that were passed over: line, why.
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for skipped in self.listing.skipped() {
            let row = PyDict::new(py);
            row.set_item("line", skipped.line)?;
            row.set_item("why", skipped.why.text())?;
            list.append(row)?;
        }
        Ok(list)
    }
}

/// A listing in the style of CP QUERY PAV from a devices and a volumes table; `note` says where they come from.
#[pyfunction]
pub fn pool_listing(note: &str, devices: &Bound<'_, PyDict>, volumes: &Bound<'_, PyDict>) -> PyResult<String> {
    let mut interval = IntervalTotals::new("", Span::ZERO);
    interval.devices = Columns { table: devices }.devices()?;
    interval.volumes = Columns { table: volumes }.volumes()?;
    Ok(reports::pool_listing(&interval, note))
}
