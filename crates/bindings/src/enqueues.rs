//! Pages of what is enqueued on by name: ENQUEUE ACTIVITY, and the contention at one instant.

use crate::columns::{Columns, required};
use crate::rmf_pages::headed;
use measures::{Contended, Contender, ContentionRow, EnqueueTotals, Figure};
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A page in the style of RMF ENQUEUE ACTIVITY from the table of resources by name.
///
/// `title` holds run, interval_s, samples and note.
#[pyfunction]
pub fn enqueue_page(title: &Bound<'_, PyDict>, enqueues: &Bound<'_, PyDict>) -> PyResult<String> {
    let (mut interval, note) = headed(title)?;
    let table = Columns { table: enqueues };
    let row = |row| {
        let text = |key| table.text(key, row);
        let (name, qname, rname, scope) = (text("enqueue")?, text("qname")?, text("rname")?, text("scope")?);
        let unknown = EnqueueTotals::unknown(name, qname, rname, scope, table.count("members", row)?);
        let mut figures = [Figure::UNKNOWN; EnqueueTotals::WIDTH];
        for (figure, counter) in figures.iter_mut().zip(&EnqueueTotals::COUNTERS) {
            *figure = table.figure(counter.name, row)?;
        }
        Ok(unknown.with(figures))
    };
    let count = required(enqueues, "enqueue")?.len()?;
    interval.enqueues = (0..count).map(row).collect::<PyResult<_>>()?;
    Ok(reports::enqueue_page(&interval, &note))
}

/// The contention of one instant, in the style of DISPLAY GRS,C and DISPLAY GRS,ANALYZE, from rows of the log.
#[pyfunction]
pub fn contention_page(note: &str, rows: &Bound<'_, PyDict>) -> PyResult<String> {
    let table = Columns { table: rows };
    let row = |row| {
        let text = |key| table.text(key, row);
        let what = Contended {
            enqueue: text("enqueue")?,
            qname: text("qname")?,
            rname: text("rname")?,
            scope: text("scope")?,
        };
        let who = Contender {
            partition: text("partition")?,
            task: text("task")?,
            access: text("access")?,
            status: text("status")?,
            blockers: text("blockers")?,
        };
        let figure = |key| table.figure(key, row);
        Ok(ContentionRow::unknown(what, who).with([figure("at_s")?, figure("since_ms")?, figure("deadlock")?]))
    };
    let count = required(rows, "enqueue")?.len()?;
    let rows: Vec<ContentionRow> = (0..count).map(row).collect::<PyResult<_>>()?;
    Ok(reports::contention_page(&rows, note))
}
