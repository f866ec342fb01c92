//! Live reads: threads that read a file behind permits, in numbers, and what they saw as a table; Linux only.

use crate::problems::input_error;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::path::PathBuf;

/// Threads, permits, nanoseconds between the reads of a thread (0: none), nanoseconds in all, seed.
type What = (usize, usize, u64, u64, u64);

/// Run threads that read a file past the page cache: what all of them saw. Raises `InputError` with what was refused.
#[pyfunction]
pub fn live_reads(py: Python<'_>, file: (PathBuf, usize), what: What) -> PyResult<Bound<'_, PyDict>> {
    let table = PyDict::new(py);
    #[cfg(target_os = "linux")]
    {
        let ((path, bytes), (requesters, depth, every, length, seed)) = (file, what);
        let nanoseconds = std::time::Duration::from_nanos;
        let every = (every > 0).then(|| nanoseconds(every));
        let setup = live::Reading { path, bytes, requesters, depth, every, length: nanoseconds(length), seed };
        let problems = setup.problems();
        if !problems.is_empty() {
            return Err(input_error(py, &problems));
        }
        let seen = py.detach(|| setup.run()).map_err(|problem| input_error(py, &[*problem]))?;
        let all = |of: fn(&live::Reads) -> &[u32]| seen.iter().flat_map(of).copied().collect::<Vec<u32>>();
        table.set_item("waits_ns", all(|own| &own.waits))?;
        table.set_item("reads_ns", all(|own| &own.reads))?;
        table.set_item("cpu_ns", seen.iter().map(|own| own.cpu).sum::<u64>())?;
        table.set_item("gave_up", seen.iter().map(|own| own.switches.0).sum::<u64>())?;
        table.set_item("taken_away", seen.iter().map(|own| own.switches.1).sum::<u64>())?;
        Ok(table)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (file, what, table);
        Err(input_error(py, &[units::Problem::new("there is no live measurement on this system").allowed(["Linux"])]))
    }
}
