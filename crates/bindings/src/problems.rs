//! Problems and failures as Python exceptions.

use monitor::Failure;
use pyo3::create_exception;
use pyo3::exceptions::{PyKeyboardInterrupt, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};
use units::Problem;

create_exception!(
    _core,
    InputError,
    PyValueError,
    "Something that was written or fed is wrong; `problems` lists all of it."
);
create_exception!(
    _core,
    RunError,
    PyRuntimeError,
    "A run that could not go on, with the simulated time and the reason."
);

/// All problems in one exception, each also as a dictionary in its attribute `problems`.
pub fn input_error(py: Python<'_>, problems: &[Problem]) -> PyErr {
    match listed(py, problems) {
        Ok(list) => {
            let text: Vec<String> = problems.iter().map(ToString::to_string).collect();
            let error = InputError::new_err(text.join("\n"));
            match error.value(py).setattr("problems", list) {
                Ok(()) => error,
                Err(unexpected) => unexpected,
            }
        }
        Err(unexpected) => unexpected,
    }
}

/// Problems as a list of dictionaries.
pub fn listed<'py>(py: Python<'py>, problems: &[Problem]) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for problem in problems {
        let row = PyDict::new(py);
        row.set_item("file", &problem.file)?;
        row.set_item("line", problem.line.unwrap_or(0))?;
        row.set_item("column", problem.column.unwrap_or(0))?;
        row.set_item("key", &problem.key)?;
        row.set_item("what", &problem.what)?;
        row.set_item("why", &problem.why)?;
        row.set_item("allowed", problem.allowed.join(", "))?;
        row.set_item("nearest", problem.nearest.as_deref().unwrap_or(""))?;
        row.set_item("remedy", &problem.remedy)?;
        list.append(row)?;
    }
    Ok(list)
}

/// A run that failed.
///
/// # Panics
/// When a conservation law does not hold: that is a bug of the engine, and the text says with which run it shows.
pub fn run_error(error: &monitor::RunError, scenario: &str, seed: u64) -> PyErr {
    let replication = error.replication;
    match &error.failure {
        Failure::Overrun(overrun) => RunError::new_err(format!(
            "replication {replication} of {scenario}: after {} of simulated time {} requesters from outside were in the \
             system and more kept coming; the load exceeds what the volumes can serve",
            overrun.at, overrun.present
        )),
        Failure::Violation(violation) => panic!(
            "{violation} (replication {replication} of {scenario}, seed {seed}, version {})",
            env!("CARGO_PKG_VERSION")
        ),
        Failure::Stopped => PyKeyboardInterrupt::new_err("stopped"),
    }
}
