//! SMF records of z/OS in Python: contents of a dump, its intervals as tables, and intervals written as a dump.

use crate::measured;
use crate::monitor_data::{described, told};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use records::smf::export::{FILLED, export};
use records::smf::intervals::is_used;
use records::smf::{Contents, File, layout};
use records::{Measured, source};
use std::path::PathBuf;

/// SMF dumps that were read to their end: what they hold, and their intervals.
#[pyclass(module = "slicewright._core")]
pub struct SmfFile {
    contents: Contents,
    intervals: Measured,
    notes: Vec<String>,
    bytes: u64,
}

#[pymethods]
impl SmfFile {
    /// Read dumps; raises `InputError` for damage after which nothing can be found, `OSError` as `open`.
    ///
    /// `files` are pairs of a path and the name that problems show.
    #[staticmethod]
    fn read(py: Python<'_>, files: Vec<(PathBuf, String)>) -> PyResult<Self> {
        let mut dump = File::default();
        for (path, file) in files {
            let read = py.detach(|| Ok(dump.take(&file, source::open(&path)?)));
            told(py, read, &file)?;
        }
        Ok(dump.into())
    }

    /// Read bytes; raises `InputError` for damage after which nothing can be found.
    #[staticmethod]
    fn read_bytes(py: Python<'_>, data: Vec<u8>, file: &str) -> PyResult<Self> {
        let mut dump = File::default();
        let read = py.detach(|| Ok(dump.take(file, source::of_bytes(data)?)));
        told(py, read, file)?;
        Ok(dump.into())
    }

    /// Records by kind: type, subtype, title, records, of_rmf, bytes, used.
    #[getter]
    fn kinds<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for kind in self.contents.kinds() {
            let row = PyDict::new(py);
            row.set_item("type", kind.code.0)?;
            row.set_item("subtype", kind.code.1)?;
            row.set_item("title", kind.title.unwrap_or_default())?;
            row.set_item("records", kind.counts.records)?;
            row.set_item("of_rmf", kind.counts.rmf)?;
            row.set_item("bytes", kind.counts.bytes)?;
            row.set_item("used", is_used(kind.code))?;
            list.append(row)?;
        }
        Ok(list)
    }

    /// How many bytes and records the files have, those of kinds beyond `kinds` too.
    #[getter]
    fn size(&self) -> (u64, u64) {
        (self.bytes, self.contents.records())
    }

    /// The systems: name, records, local times of the first and of the last record in microseconds since 1970.
    #[getter]
    fn systems(&self) -> Vec<(String, u64, i64, i64)> {
        let systems = self.contents.systems.iter();
        let row =
            |of: &records::smf::contents::OfSystem| (of.name(), of.records, of.span.0.unix_us(), of.span.1.unix_us());
        systems.map(row).collect()
    }

    /// Notes about the intervals, a sentence each.
    #[getter]
    fn notices(&self) -> Vec<String> {
        self.notes.clone()
    }

    /// The intervals: system, local start and end in microseconds since 1970.
    #[getter]
    fn intervals(&self) -> Vec<(String, i64, i64)> {
        self.intervals.intervals.clone()
    }

    /// Every table of the intervals of a system, each column as bytes.
    fn tables<'py>(&self, py: Python<'py>, system: &str) -> PyResult<Bound<'py, PyDict>> {
        measured::tables(py, &self.intervals, system)
    }
}

impl From<File> for SmfFile {
    fn from(file: File) -> Self {
        let bytes = file.bytes;
        let (contents, read, notes) = file.finish::<Measured>();
        SmfFile { contents, intervals: read.intervals, notes, bytes }
    }
}

/// Intervals as an SMF dump with block and record descriptor words.
///
/// Each interval holds `length_s`, `samples` and `tables`: columns by name of volumes, devices, pools, partitions,
/// logical_processors, enqueues and serialization.  `start_us` is local time in microseconds since 1970.
#[pyfunction]
pub fn smf_file<'py>(
    py: Python<'py>,
    intervals: Vec<Bound<'py, PyDict>>,
    system: &str,
    start_us: i64,
) -> PyResult<Bound<'py, PyBytes>> {
    measured::file(export, &intervals, (system, start_us), py)
}

/// The layouts of the sections of SMF records: a dictionary each, with its fields.
#[pyfunction]
pub fn smf_layouts(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for layout in layout::LAYOUTS {
        let triplet = layout::LOCATED.iter().find(|located| located.layout == *layout).map(|located| located.triplet);
        let row = described(py, layout, FILLED)?;
        row.set_item("type", layout.code.0)?;
        row.set_item("subtype", layout.code.1)?;
        row.set_item("triplet", triplet)?;
        list.append(row)?;
    }
    Ok(list)
}
