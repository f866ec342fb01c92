//! Live locks: threads that share one, in numbers, and what they saw as a table; Linux only.

use crate::problems::input_error;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use units::Problem;

/// Processors, threads that take the lock, threads that compute beside them.
type Who = (Vec<usize>, usize, usize);

/// Turns of work outside the lock and under it, tries before a yield, nanoseconds, seed.
type What = (u64, u64, u32, u64, u64);

/// Run threads that share a lock by a method: what each of them saw. Raises `InputError` with what the system refused.
#[pyfunction]
pub fn live_locks<'py>(py: Python<'py>, method: &str, who: Who, what: What) -> PyResult<Bound<'py, PyDict>> {
    let table = PyDict::new(py);
    #[cfg(target_os = "linux")]
    {
        let Some(method) = live::Method::NAMED.iter().find(|(name, _)| *name == method).map(|(_, own)| *own) else {
            let allowed = live::Method::NAMED.map(|(name, _)| name);
            return Err(refused(py, Problem::new(format!("no method `{method}`")).key("methods").allowed(allowed)));
        };
        let ((processors, threads, hogs), (outside, under, tries, length, seed)) = (who, what);
        let length = std::time::Duration::from_nanos(length);
        let setup = live::Contention { processors, threads, hogs, work: (outside, under), method, tries, length, seed };
        let problems = setup.problems();
        if !problems.is_empty() {
            return Err(input_error(py, &problems));
        }
        let seen = py.detach(|| setup.run()).map_err(|problem| refused(py, *problem))?;
        table.set_item("taken", seen.iter().map(|own| own.taken).collect::<Vec<_>>())?;
        table.set_item("cpu_ns", seen.iter().map(|own| own.cpu).collect::<Vec<_>>())?;
        table.set_item("switches", seen.iter().map(|own| own.switches).collect::<Vec<_>>())?;
        let waits: Vec<u32> = seen.iter().flat_map(|own| own.waits.iter().copied()).collect();
        let holds: Vec<u32> = seen.iter().flat_map(|own| own.holds.iter().copied()).collect();
        table.set_item("waits_ns", waits)?;
        table.set_item("holds_ns", holds)?;
        Ok(table)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (method, who, what, table);
        Err(refused(py, elsewhere()))
    }
}

/// Costs of work, tries, calls and switches on a processor, in nanoseconds. Raises `InputError` where it cannot be used.
#[pyfunction]
pub fn live_lock_costs(py: Python<'_>, processor: usize) -> PyResult<Bound<'_, PyDict>> {
    let table = PyDict::new(py);
    #[cfg(target_os = "linux")]
    {
        let costs = py.detach(|| live::costs(processor)).map_err(|problem| refused(py, *problem))?;
        for (name, value) in [
            ("turn_ns", costs.turn),
            ("attempt_ns", costs.attempt),
            ("yield_ns", costs.yields),
            ("switch_ns", costs.switch),
            ("sleep_ns", costs.sleep),
            ("wake_ns", costs.wake),
            ("yields_per_s", costs.yields_per_s),
            ("yielder_share", costs.yielder_share),
        ] {
            table.set_item(name, value)?;
        }
        Ok(table)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (processor, table);
        Err(refused(py, elsewhere()))
    }
}

fn refused(py: Python<'_>, problem: Problem) -> PyErr {
    input_error(py, &[problem])
}

#[cfg(not(target_os = "linux"))]
fn elsewhere() -> Problem {
    Problem::new("there is no live measurement on this system").allowed(["Linux"])
}
