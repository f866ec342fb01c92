//! Live system calls: the time of a cheap one on the calling thread, as a table; Linux only.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// Call the system for this many nanoseconds on the calling thread, behind whatever filters it has: the time of each
/// stretch of calls, the calls in a stretch, and the processor time of all. Raises `InputError` but on Linux.
#[pyfunction]
pub fn live_calls(py: Python<'_>, length: u64) -> PyResult<Bound<'_, PyDict>> {
    let table = PyDict::new(py);
    #[cfg(target_os = "linux")]
    {
        let called = py.detach(|| live::calls(std::time::Duration::from_nanos(length)));
        table.set_item("stretches_ns", called.stretches)?;
        table.set_item("stretch_calls", live::STRETCH)?;
        table.set_item("cpu_ns", called.cpu)?;
        Ok(table)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (length, table);
        let problem = units::Problem::new("there is no live measurement on this system").allowed(["Linux"]);
        Err(crate::problems::input_error(py, &[problem]))
    }
}
