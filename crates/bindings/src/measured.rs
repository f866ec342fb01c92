//! Measured intervals for Python, whatever records they are of: their tables as bytes, and files of them.

use crate::columns::interval_of;
use crate::problems::input_error;
use measures::{Columns, IntervalTotals};
use pyo3::exceptions::{PyKeyError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use records::binary::Clock;
use records::{Damage, Measured, System, source};
use std::io::{self, Read};
use std::path::PathBuf;

/// A form of monitor data, while records of it become rows.
pub trait Form {
    /// A file of it while it is read.
    type Reader;

    /// Starts to read a file.
    fn reader(input: Box<dyn Read + Send>) -> Self::Reader;

    /// Takes in the next record of a file of this name; false at its end.
    fn record(&mut self, file: &str, reader: &mut Self::Reader) -> Result<bool, Damage>;

    /// Takes in that no file follows.
    fn end(&mut self);

    /// The rows.
    fn measured(&mut self) -> &mut Measured;
}

/// Files that follow each other, while they are read.
pub struct Files<F: Form> {
    /// Their records so far.
    pub form: F,
    left: std::vec::IntoIter<(PathBuf, String)>,
    open: Option<(String, F::Reader)>,
    ended: bool,
}

impl<F: Form + Send> Files<F>
where
    F::Reader: Send,
{
    /// Files before their first record: pairs of a path and the name that problems show.
    pub fn new(form: F, files: Vec<(PathBuf, String)>) -> Self {
        Files { form, left: files.into_iter(), open: None, ended: false }
    }

    /// The next rows, at least `most` unless the files end: of each system every table; None at the end.
    ///
    /// Raises `InputError` for damage, `OSError` as `open`.
    pub fn rows<'py>(&mut self, py: Python<'py>, most: usize) -> PyResult<Option<Bound<'py, PyDict>>> {
        if self.ended {
            return Ok(None);
        }
        self.form.measured().clear();
        py.detach(|| self.read_on(most)).map_err(|(file, failure)| raised(py, failure, &file))?;
        let systems = PyDict::new(py);
        for (name, columns) in self.form.measured().systems() {
            systems.set_item(name, tables(py, columns.tables().into_iter())?)?;
        }
        Ok(Some(systems))
    }

    fn read_on(&mut self, most: usize) -> Result<(), (String, Failure)> {
        while !self.form.measured().has(most) {
            let Some((file, reader)) = &mut self.open else {
                let Some((path, file)) = self.left.next() else {
                    self.form.end();
                    self.ended = true;
                    return Ok(());
                };
                let input = source::open(&path).map_err(|error| (file.clone(), Failure::System(error)))?;
                self.open = Some((file, F::reader(input)));
                continue;
            };
            match self.form.record(file, reader) {
                Ok(true) => {}
                Ok(false) => self.open = None,
                Err(damage) => return Err((file.clone(), Failure::Damage(damage))),
            }
        }
        Ok(())
    }
}

/// The cause for which a file cannot be read.
enum Failure {
    Damage(Damage),
    System(io::Error),
}

fn raised(py: Python<'_>, failure: Failure, file: &str) -> PyErr {
    match failure {
        Failure::Damage(damage) => input_error(py, &[damage.problem(file)]),
        Failure::System(error) => PyOSError::new_err(format!("{file}: {error}")),
    }
}

/// The tables of a system over all intervals, those that had rows in several: a row for each entity.
pub fn pooled<'py>(py: Python<'py>, measured: &Measured, system: &str) -> PyResult<Bound<'py, PyDict>> {
    let found = measured.systems().find(|(name, _)| *name == system);
    let (_, columns) = found.ok_or_else(|| PyKeyError::new_err(system.to_string()))?;
    let pooled: Vec<Columns> = columns.tables().into_iter().filter_map(Columns::pooled).collect();
    tables(py, pooled.iter())
}

/// Tables by name: of each column its bytes; None for a counter that no row has.
///
/// A counter is a double, not a number where the row does not have it. A column that says what a row is about is its
/// different names, and a whole number for each row: a place among them, or a count. One name needs no numbers.
fn tables<'a, 'py>(py: Python<'py>, tables: impl Iterator<Item = &'a Columns>) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    for columns in tables {
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
