//! Measured intervals for Python, whatever records they are of: their tables as bytes, and files of them.

use crate::columns::interval_of;
use measures::{Columns, IntervalTotals};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use records::binary::Clock;
use records::{Measured, System};
use std::io;

/// Every table of a system: of each column its bytes; None for a counter that no row has.
///
/// A counter is a double, not a number where the row does not have it. A column that says what a row is about is its
/// different names, and a whole number for each row: a place among them, or a count. One name needs no numbers.
pub fn tables<'py>(py: Python<'py>, measured: &Measured, system: &str) -> PyResult<Bound<'py, PyDict>> {
    let columns = measured.tables(system).ok_or_else(|| PyKeyError::new_err(system.to_string()))?;
    let dict = PyDict::new(py);
    for columns in columns.tables() {
        dict.set_item(columns.table.name, table(py, columns)?)?;
    }
    Ok(dict)
}

fn table<'py>(py: Python<'py>, columns: &Columns) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    dict.set_item("interval", bytes(py, &columns.intervals, u64::to_le_bytes)?)?;
    for (key, column) in columns.table.keys.iter().zip(&columns.keys) {
        let names: Vec<&str> = column.names().collect();
        let numbers = if names.len() == 1 { &[] } else { &column.numbers[..] };
        dict.set_item(key.name, (PyList::new(py, names)?, bytes(py, numbers, u64::to_le_bytes)?))?;
    }
    for (counter, column) in columns.table.counters.iter().zip(&columns.values) {
        let known = !column.numbers.is_empty();
        dict.set_item(counter.name, known.then(|| bytes(py, &column.numbers, f64::to_le_bytes)).transpose()?)?;
    }
    Ok(dict)
}

fn bytes<'py, T: Copy>(py: Python<'py>, numbers: &[T], of: fn(T) -> [u8; 8]) -> PyResult<Bound<'py, PyBytes>> {
    PyBytes::new_with(py, 8 * numbers.len(), |bytes| {
        for (place, number) in bytes.chunks_exact_mut(8).zip(numbers) {
            place.copy_from_slice(&of(*number));
        }
        Ok(())
    })
}

/// Writes intervals of a system as a file.
type Write = fn(&[IntervalTotals], &System, Vec<u8>) -> io::Result<Vec<u8>>;

/// A file of intervals, each with `length_s`, `samples` and `tables`; `start_us` is in microseconds since 1970.
pub fn file<'py>(
    write: Write,
    intervals: &[Bound<'py, PyDict>],
    (system, start_us): (&str, i64),
    py: Python<'py>,
) -> PyResult<Bound<'py, PyBytes>> {
    let totals = intervals.iter().map(|interval| interval_of(interval, system)).collect::<PyResult<Vec<_>>>()?;
    let system = System { name: system.to_string(), start: Clock::from_unix_us(start_us) };
    let file = py.detach(|| write(&totals, &system, Vec::new()))?;
    Ok(PyBytes::new(py, &file))
}
