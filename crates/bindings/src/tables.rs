//! Totals of intervals as tables of columns, all in one way, whatever the table.

use measures::{IntervalTotals, Key, LOGS, TABLES, Table, TableRows};
use monitor::Replicated;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use records::row::Skipped;
use std::fmt::Display;

/// Columns of one table while rows are added.
struct Columns<'py> {
    table: Table,
    place: [Bound<'py, PyList>; 2],
    keys: Vec<Bound<'py, PyList>>,
    values: Vec<Bound<'py, PyList>>,
    roundings: Vec<Bound<'py, PyList>>,
}

impl<'py> Columns<'py> {
    fn new(py: Python<'py>, table: Table) -> Self {
        let lists = |count: usize| (0..count).map(|_| PyList::empty(py)).collect::<Vec<_>>();
        Columns {
            table,
            place: [PyList::empty(py), PyList::empty(py)],
            keys: lists(table.keys.len()),
            values: lists(table.counters.len()),
            roundings: lists(table.counters.len()),
        }
    }

    fn add(&mut self, rows: &TableRows, beside: Beside) -> PyResult<()> {
        for row in &rows.rows {
            let place = match beside {
                Beside::Place([replication, interval]) => [Some(replication), Some(interval)],
                Beside::Replication(replication) => [Some(replication), None],
                Beside::Rounding | Beside::Nothing => [None; 2],
            };
            for (column, number) in self.place.iter().zip(place) {
                number.map_or(Ok(()), |number| column.append(number))?;
            }
            for (column, key) in self.keys.iter().zip(&row.keys) {
                match key {
                    Key::Text(text) => column.append(text)?,
                    Key::Count(count) => column.append(count)?,
                }
            }
            let counters = self.values.iter().zip(&self.roundings).zip(&row.figures);
            for ((values, roundings), figure) in counters {
                values.append(figure.is_known().then_some(figure.value))?;
                if let Beside::Rounding = beside {
                    roundings.append(figure.is_known().then_some(figure.rounding))?;
                }
            }
        }
        Ok(())
    }

    fn dict(&self, py: Python<'py>, beside: Beside) -> PyResult<Bound<'py, PyDict>> {
        let dict = PyDict::new(py);
        for (name, column) in ["replication", "interval"].into_iter().zip(&self.place).take(match beside {
            Beside::Place(_) => 2,
            Beside::Replication(_) => 1,
            Beside::Rounding | Beside::Nothing => 0,
        }) {
            dict.set_item(name, column)?;
        }
        for (key, column) in self.table.keys.iter().zip(&self.keys) {
            dict.set_item(key.name, column)?;
        }
        for (number, counter) in self.table.counters.iter().enumerate() {
            dict.set_item(counter.name, &self.values[number])?;
            if let Beside::Rounding = beside {
                dict.set_item(format!("{}_rounding", counter.name), &self.roundings[number])?;
            }
        }
        Ok(dict)
    }
}

/// The attributes beside the keys and counters of a row.
#[derive(Clone, Copy)]
enum Beside {
    /// Replication and interval, for simulated totals.
    Place([u64; 2]),
    /// The replication alone, for totals over all of its intervals.
    Replication(u64),
    /// How far each number may have been rounded, for read totals.
    Rounding,
    /// None, for the rows of a log.
    Nothing,
}

/// Every table of replications (the first of which has a number) as columns, and the logs of replication 0.
///
/// `pooled` has the same tables over all intervals of each replication as one, where there are several.  A mean of
/// nothing is None.
pub fn simulated<'py>(
    py: Python<'py>,
    first: u64,
    replications: &[Replicated<IntervalTotals>],
) -> PyResult<Bound<'py, PyDict>> {
    let numbered = || (first..).zip(replications);
    let places = numbered().flat_map(|(replication, made)| {
        (0..).zip(&made.intervals).map(move |(interval, totals)| (Beside::Place([replication, interval]), totals))
    });
    let dict = columns_of(py, places, Beside::Place([0; 2]))?;
    if replications.iter().any(|made| made.pooled.is_some()) {
        let pooled = numbered().flat_map(|(replication, made)| {
            made.pooled.iter().map(move |totals| (Beside::Replication(replication), totals))
        });
        dict.set_item("pooled", columns_of(py, pooled, Beside::Replication(0))?)?;
    }
    let logged = if first == 0 { replications.first() } else { None };
    for (number, table) in LOGS.iter().enumerate() {
        let mut columns = Columns::new(py, *table);
        for totals in logged.into_iter().flat_map(|made| &made.intervals) {
            columns.add(&totals.logs()[number], Beside::Nothing)?;
        }
        dict.set_item(table.name, columns.dict(py, Beside::Nothing)?)?;
    }
    Ok(dict)
}

/// Every table of some totals, each with the attributes beside its rows, in a form that `beside` gives.
fn columns_of<'a, 'py>(
    py: Python<'py>,
    all: impl Iterator<Item = (Beside, &'a IntervalTotals)>,
    beside: Beside,
) -> PyResult<Bound<'py, PyDict>> {
    let mut tables: Vec<Columns> = TABLES.iter().map(|table| Columns::new(py, *table)).collect();
    for (place, totals) in all {
        for (columns, rows) in tables.iter_mut().zip(totals.tables()) {
            columns.add(&rows.measured(), place)?;
        }
    }
    let dict = PyDict::new(py);
    for columns in &tables {
        dict.set_item(columns.table.name, columns.dict(py, beside)?)?;
    }
    Ok(dict)
}

/// One table of one interval that was read.
pub fn read<'py>(py: Python<'py>, rows: &TableRows) -> PyResult<Bound<'py, PyDict>> {
    let mut columns = Columns::new(py, rows.table);
    columns.add(rows, Beside::Rounding)?;
    columns.dict(py, Beside::Rounding)
}

/// The tables, then the logs: name, what a row is, whether it is a log.
#[pyfunction]
pub fn tables(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for (log, table) in TABLES.iter().map(|table| (false, table)).chain(LOGS.iter().map(|log| (true, log))) {
        let row = PyDict::new(py);
        row.set_item("name", table.name)?;
        row.set_item("rows", table.rows)?;
        row.set_item("log", log)?;
        list.append(row)?;
    }
    Ok(list)
}

/// The table of counters, those of logs too: a row for each, with a key for each field of `Counter`.
#[pyfunction]
pub fn counters(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for table in TABLES.iter().chain(LOGS) {
        for counter in table.counters {
            let row = PyDict::new(py);
            row.set_item("table", table.name)?;
            row.set_item("name", counter.name)?;
            row.set_item("header", counter.header)?;
            row.set_item("unit", counter.unit)?;
            row.set_item("digits", counter.digits.word())?;
            row.set_item("how", counter.how.word())?;
            row.set_item("over_intervals", counter.over_intervals.word())?;
            row.set_item("by", counter.by)?;
            row.set_item("formula", counter.formula)?;
            row.set_item("source", counter.source)?;
            list.append(row)?;
        }
    }
    Ok(list)
}

/// The columns that say what a row of each table is about: table, name, meaning, whether it belongs to the row's name.
#[pyfunction]
pub fn key_columns(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for table in TABLES.iter().chain(LOGS) {
        for key in table.keys {
            let row = PyDict::new(py);
            row.set_item("table", table.name)?;
            row.set_item("name", key.name)?;
            row.set_item("meaning", key.meaning)?;
            row.set_item("identifies", key.identifies)?;
            list.append(row)?;
        }
    }
    Ok(list)
}

/// Lines of a page that were passed over, whatever page it is: line, device, type, why.
pub fn skipped<'py, W: Display>(py: Python<'py>, skipped: &[Skipped<W>]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for skipped in skipped {
        let row = PyDict::new(py);
        row.set_item("line", skipped.line)?;
        row.set_item("device", &skipped.name)?;
        row.set_item("type", &skipped.kind)?;
        row.set_item("why", skipped.why.to_string())?;
        list.append(row)?;
    }
    Ok(list)
}
