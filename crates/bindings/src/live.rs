//! Live measurement: a setup in numbers, threads that run while Python lets go, and what they saw as lists.

use crate::problems::input_error;
use live::{Outcome, Setup, Start, Wait, Waiter, control_group_version, measure, tick_ns};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use std::path::PathBuf;
use std::time::Duration;

/// Start: "uniform" or "locked", over or after this many nanoseconds.
type Begins = (String, u64);

/// A timer's length in nanoseconds, or a file and the bytes of a read.
type Waits = (u64, Option<(PathBuf, usize)>);

/// Processor, nanoseconds, whether there is a burner, seed.
type Frame = (usize, u64, bool, u64);

/// Run threads on this machine; `ready` is called with the burner's thread id (or None) before they start. Raises
/// `InputError` with what the system refused, or what `ready` raised.
#[pyfunction]
pub fn live_waits<'py>(
    py: Python<'py>,
    frame: Frame,
    waiters: Vec<(Waits, Begins)>,
    ready: Py<PyAny>,
) -> PyResult<Bound<'py, PyDict>> {
    let (processor, length, burner, seed) = frame;
    let waiters = waiters.into_iter().map(waiter).collect();
    let setup = Setup { processor, length: Duration::from_nanos(length), burner, waiters, seed };
    let mut raised = None;
    let outcome = py.detach(|| {
        measure(&setup, |thread| {
            let called = Python::attach(|py| ready.call1(py, (thread,)).map(|_| ()));
            called.map_err(|error| {
                let why = error.to_string();
                raised = Some(error);
                why
            })
        })
    });
    match (raised, outcome) {
        (Some(error), _) => Err(error),
        (None, Err(problems)) => Err(input_error(py, &problems)),
        (None, Ok(outcome)) => seen(py, &outcome),
    }
}

/// The step of the kernel's timer tick in seconds. Raises `InputError` on systems that have no such clock.
#[pyfunction]
pub fn live_tick_s(py: Python<'_>) -> PyResult<f64> {
    let tick = tick_ns().map_err(|problem| input_error(py, &[*problem]))?;
    Ok(tick as f64 / 1e9)
}

/// The version of control groups that a directory belongs to, by its file system; 0 for any other.
#[pyfunction]
pub fn live_control_group_version(directory: PathBuf) -> u8 {
    control_group_version(&directory)
}

/// Have the system kill this process when the one that started it ends. Raises `InputError` where it cannot.
#[pyfunction]
pub fn live_end_with_parent(py: Python<'_>) -> PyResult<()> {
    live::end_with_parent().map_err(|problem| input_error(py, &[*problem]))
}

fn waiter(((timer, read), (word, length)): (Waits, Begins)) -> Waiter {
    let length = Duration::from_nanos(length);
    let wait = match read {
        Some((path, bytes)) => Wait::Read { path, bytes },
        None => Wait::Timer(Duration::from_nanos(timer)),
    };
    Waiter { wait, start: if word == "locked" { Start::Locked(length) } else { Start::Uniform(length) } }
}

fn seen<'py>(py: Python<'py>, outcome: &Outcome) -> PyResult<Bound<'py, PyDict>> {
    let waiters = PyList::empty(py);
    for one in &outcome.waiters {
        let row = PyDict::new(py);
        row.set_item("began_ns", one.waits.iter().map(|seen| seen.began).collect::<Vec<u64>>())?;
        row.set_item("started_ns", one.waits.iter().map(|seen| seen.started).collect::<Vec<u64>>())?;
        row.set_item("due_ns", one.waits.iter().map(|seen| seen.due).collect::<Vec<Option<u64>>>())?;
        row.set_item("seen_ns", one.waits.iter().map(|seen| seen.seen).collect::<Vec<u64>>())?;
        row.set_item("missed", one.missed)?;
        waiters.append(row)?;
    }
    let table = PyDict::new(py);
    table.set_item("waiters", waiters)?;
    table.set_item("gaps_ns", outcome.gaps.iter().map(|gap| (gap.from, gap.to)).collect::<Vec<(u64, u64)>>())?;
    Ok(table)
}
