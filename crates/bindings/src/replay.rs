//! Recorded I/Os on their way into a scenario: which files it names, what their texts mean, and the records themselves.

use crate::problems::{RunError, input_error, listed};
use crate::scenario::Scenario;
use machine::plan::{Access, Record, Target};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use units::Span;

/// Units of the TOD clock in this many nanoseconds: 4,096 in a microsecond.
const UNITS_PER_US: u128 = 4_096;

/// The replayed guests of a scenario: guest, file, supplied, and the place that names the file (line, column, key).
pub fn replays<'py>(py: Python<'py>, scenario: &scenario::Scenario) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for replay in scenario.replays() {
        let place = replay.problem("");
        let row = PyDict::new(py);
        row.set_item("guest", &replay.guest)?;
        row.set_item("file", &replay.file)?;
        row.set_item("supplied", replay.supplied)?;
        row.set_item("line", place.line.unwrap_or(0))?;
        row.set_item("column", place.column.unwrap_or(0))?;
        row.set_item("key", place.key)?;
        list.append(row)?;
    }
    Ok(list)
}

/// Raises `RunError` while recorded I/Os are missing.
pub fn require_records(scenario: &scenario::Scenario) -> PyResult<()> {
    let missing = scenario.missing();
    match missing.as_slice() {
        [] => Ok(()),
        problems => Err(RunError::new_err(units::listing(problems))),
    }
}

/// What is wrong with texts that say where recorded I/Os go: a problem of each that names nothing, None of the others.
#[pyfunction]
pub fn unknown_targets<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    texts: Vec<String>,
) -> PyResult<Vec<Option<Bound<'py, PyAny>>>> {
    let targets = scenario.get().targets();
    let problem = |text: &String| match targets.find(text) {
        Ok(_) => Ok(None),
        Err(problem) => Ok(Some(listed(py, &[*problem])?.get_item(0)?)),
    };
    texts.iter().map(problem).collect()
}

/// The scenario with the recorded I/Os of one guest: instants in nanoseconds, texts and their number, bytes, writes.
///
/// Raises `InputError` when a text names nothing, or when the records cannot be replayed.
#[pyfunction]
pub fn supply(py: Python<'_>, scenario: &Scenario, guest: &str, records: &Bound<'_, PyDict>) -> PyResult<Scenario> {
    let columns = Columns::of(records)?;
    let targets = scenario.get().targets();
    let found: Result<Vec<Target>, _> = columns.texts.iter().map(|text| targets.find(text)).collect();
    let found = found.map_err(|problem| input_error(py, &[*problem]))?;
    let records = columns.records(&found)?;
    match scenario.get().supply(guest, records) {
        Ok(supplied) => Ok(Scenario::of(supplied)),
        Err(problems) => Err(input_error(py, &problems)),
    }
}

/// Records as columns of one length; `texts` has the meaning of each text once, and a record has its number.
struct Columns {
    time_ns: Vec<u64>,
    texts: Vec<String>,
    text: Vec<usize>,
    bytes: Vec<u32>,
    write: Vec<bool>,
}

impl Columns {
    fn of(records: &Bound<'_, PyDict>) -> PyResult<Columns> {
        let records = records.as_any();
        let columns = Columns {
            time_ns: records.get_item("time_ns")?.extract()?,
            texts: records.get_item("texts")?.extract()?,
            text: records.get_item("text")?.extract()?,
            bytes: records.get_item("bytes")?.extract()?,
            write: records.get_item("write")?.extract()?,
        };
        let length = columns.time_ns.len();
        if [columns.text.len(), columns.bytes.len(), columns.write.len()] != [length; 3] {
            return Err(PyValueError::new_err("the columns of a recording have one length"));
        }
        Ok(columns)
    }

    fn records(&self, targets: &[Target]) -> PyResult<Vec<Record>> {
        let rows = self.time_ns.iter().zip(&self.text).zip(self.bytes.iter().zip(&self.write));
        let record = |((time_ns, text), (bytes, write)): ((&u64, &usize), (&u32, &bool))| {
            let target =
                *targets.get(*text).ok_or_else(|| PyValueError::new_err("a record has a text that is not there"))?;
            let access = if *write { Access::Write } else { Access::Read };
            Ok(Record { at: from_ns(*time_ns), target, bytes: *bytes, access })
        };
        rows.map(record).collect()
    }
}

/// The nearest unit of the TOD clock, computed without floating point.
fn from_ns(ns: u64) -> Span {
    let units = (u128::from(ns) * UNITS_PER_US + 500) / 1_000;
    Span::from_units(u64::try_from(units).unwrap_or(u64::MAX))
}
