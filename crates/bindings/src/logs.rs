//! Pages of a control program in the style of the z/VM Performance Toolkit, written from tables by time.

use crate::columns::{Columns, required};
use measures::{
    ControlProcessorTotals, ControlProgramTotals, Counter, DecisionRow, Figure, IntervalTotals, LockTotals,
    SpinLockTotals, VirtualMachineTotals,
};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use reports::{Log, Parking, ShareSetting, Unparking};
use units::Span;

/// A page of this name, by time: "proclog" and "vectors" of control_processors, "fcx265" of locks, "users", "shares"
/// and "privop" of virtual_machines, "system" of control_programs (with locks, the table of these, as one more key),
/// "spinlocks" of spin_locks.
///
/// `title` holds run, system, length_s, note, and for shares logical_processors and settings (kind, share as printed,
/// limit in percent of a processor or None).  `mean` is the table over all, `intervals` the end of each and its table.
#[pyfunction]
pub fn log_page(
    page: &str,
    title: &Bound<'_, PyDict>,
    mean: &Bound<'_, PyDict>,
    intervals: Vec<(f64, Bound<'_, PyDict>)>,
) -> PyResult<String> {
    let mut log = titled(title)?;
    log.mean = totals(page, mean)?;
    for (end, table) in intervals {
        log.intervals.push((Span::from_seconds(end), totals(page, &table)?));
    }
    match page {
        "proclog" => Ok(reports::processor_log_page(&log)),
        "vectors" => Ok(reports::vector_page(&log)),
        "fcx265" => Ok(reports::lock_log_page(&log)),
        "privop" => Ok(reports::privileged_operations_page(&log)),
        "system" => Ok(reports::system_counter_page(&log)),
        "spinlocks" => Ok(reports::spin_lock_page(&log)),
        "users" => Ok(reports::user_state_page(&log)),
        "shares" => {
            let settings: Vec<(String, String, Option<f64>)> = required(title, "settings")?.extract()?;
            let setting = |(kind, share, limit_percent)| ShareSetting { kind, share, limit_percent };
            let settings: Vec<ShareSetting> = settings.into_iter().map(setting).collect();
            Ok(reports::share_page(&log, required(title, "logical_processors")?.extract()?, &settings))
        }
        _ => Err(no_page(page)),
    }
}

/// A page of parking decisions, in the order of time.
///
/// `title` is that of `log_page`, with logical_processors, unparking (large, medium or small, at each decision) and
/// set: at which second what was set, in words.
#[pyfunction]
pub fn parking_page(title: &Bound<'_, PyDict>, decisions: &Bound<'_, PyDict>) -> PyResult<String> {
    let logical = required(title, "logical_processors")?.extract()?;
    let words: Vec<String> = required(title, "unparking")?.extract()?;
    let unparking = words.iter().map(|word| unparking(word)).collect::<PyResult<_>>()?;
    let parking = Parking { logical, unparking, set: required(title, "set")?.extract()? };
    let table = Columns { table: decisions };
    let decision = |row| {
        Ok(DecisionRow::unknown(table.text("partition", row)?).with(figures(&table, row, &DecisionRow::COUNTERS)?))
    };
    Ok(reports::parking_page(&titled(title)?, &rows(&table, decision)?, &parking))
}

/// The table that a page is made of, as an interval that holds nothing else.
fn totals(page: &str, columns: &Bound<'_, PyDict>) -> PyResult<IntervalTotals> {
    let table = Columns { table: columns };
    let mut totals = IntervalTotals::new("", Span::ZERO);
    match page {
        "proclog" | "vectors" => totals.control_processors = rows(&table, |row| processor(&table, row))?,
        "fcx265" => totals.locks = rows(&table, |row| lock(&table, row))?,
        "users" | "shares" | "privop" => totals.virtual_machines = rows(&table, |row| machine(&table, row))?,
        "system" => {
            totals.control_programs = rows(&table, |row| program(&table, row))?;
            let locks = required(columns, "locks")?.cast_into::<PyDict>()?;
            let locks = Columns { table: &locks };
            totals.locks = rows(&locks, |row| lock(&locks, row))?;
        }
        "spinlocks" => totals.spin_locks = rows(&table, |row| spin_lock(&table, row))?,
        _ => return Err(no_page(page)),
    }
    Ok(totals)
}

fn processor(table: &Columns<'_, '_>, row: usize) -> PyResult<ControlProcessorTotals> {
    let (partition, polarity) = (table.text("partition", row)?, table.text("polarity", row)?);
    let unknown = ControlProcessorTotals::unknown(partition, table.count("number", row)?, polarity);
    Ok(unknown.with(figures(table, row, &ControlProcessorTotals::COUNTERS)?))
}

fn lock(table: &Columns<'_, '_>, row: usize) -> PyResult<LockTotals> {
    let unknown = LockTotals::unknown(table.text("partition", row)?, table.text("lock", row)?);
    Ok(unknown.with(figures(table, row, &LockTotals::COUNTERS)?))
}

fn machine(table: &Columns<'_, '_>, row: usize) -> PyResult<VirtualMachineTotals> {
    let (partition, kind) = (table.text("partition", row)?, table.text("virtual_machine", row)?);
    let unknown = VirtualMachineTotals::unknown(partition, kind, table.count("number", row)?);
    Ok(unknown.with(figures(table, row, &VirtualMachineTotals::COUNTERS)?))
}

fn program(table: &Columns<'_, '_>, row: usize) -> PyResult<ControlProgramTotals> {
    let unknown = ControlProgramTotals::unknown(table.text("partition", row)?);
    Ok(unknown.with(figures(table, row, &ControlProgramTotals::COUNTERS)?))
}

fn spin_lock(table: &Columns<'_, '_>, row: usize) -> PyResult<SpinLockTotals> {
    let (partition, kind) = (table.text("partition", row)?, table.text("virtual_machine", row)?);
    let unknown = SpinLockTotals::unknown(partition, kind, table.count("number", row)?, table.text("lock", row)?);
    Ok(unknown.with(figures(table, row, &SpinLockTotals::COUNTERS)?))
}

/// As many rows as the table says partitions.
fn rows<T>(table: &Columns<'_, '_>, row: impl Fn(usize) -> PyResult<T>) -> PyResult<Vec<T>> {
    let count = required(table.table, "partition")?.len()?;
    (0..count).map(row).collect()
}

fn figures<const N: usize>(table: &Columns<'_, '_>, row: usize, counters: &[Counter; N]) -> PyResult<[Figure; N]> {
    let mut figures = [Figure::UNKNOWN; N];
    for (figure, counter) in figures.iter_mut().zip(counters) {
        *figure = table.figure(counter.name, row)?;
    }
    Ok(figures)
}

/// A log without rows.
fn titled(title: &Bound<'_, PyDict>) -> PyResult<Log> {
    Ok(Log {
        run: required(title, "run")?.extract()?,
        system: required(title, "system")?.extract()?,
        length: Span::from_seconds(required(title, "length_s")?.extract()?),
        mean: IntervalTotals::new("", Span::ZERO),
        intervals: Vec::new(),
        note: required(title, "note")?.extract()?,
    })
}

fn unparking(word: &str) -> PyResult<Unparking> {
    match word {
        "large" => Ok(Unparking::Large),
        "medium" => Ok(Unparking::Medium),
        "small" => Ok(Unparking::Small),
        _ => Err(PyValueError::new_err(format!("no such unparking: {word}"))),
    }
}

fn no_page(page: &str) -> PyErr {
    PyValueError::new_err(format!("no such log: {page}"))
}
