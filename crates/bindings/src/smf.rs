//! SMF records of z/OS in Python: contents of a dump, its intervals as tables, and intervals written as a dump.

use crate::measured::{self, Files, Form};
use crate::monitor_data::described;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use records::smf::export::{FILLED, export};
use records::smf::framing::Reader;
use records::smf::intervals::{Ends, is_used};
use records::smf::{File, layout};
use records::{Damage, Measured, source};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Mutex;

/// The contents of SMF dumps, and their intervals.
#[derive(Default)]
struct Dumps {
    dump: File,
    intervals: Measured,
    notes: Vec<String>,
}

/// SMF dumps while they are read.
#[pyclass(module = "slicewright._core")]
pub struct SmfFile {
    files: Mutex<Files<Dumps>>,
}

#[pymethods]
impl SmfFile {
    /// Dumps that follow each other: pairs of a path and the name that problems show.
    ///
    /// They are read once to find the last record of each interval; damage is for `rows` to name.
    #[new]
    fn new(py: Python<'_>, files: Vec<(PathBuf, String)>) -> Self {
        let ends = py.detach(|| ends(&files));
        let dumps = Dumps { dump: File::ending(ends), ..Dumps::default() };
        SmfFile { files: Mutex::new(Files::new(dumps, files)) }
    }

    /// The next rows of every table of each system, at least `most` unless the files end; None at the end.
    ///
    /// Raises `InputError` for damage after which nothing can be found, `OSError` as `open`.
    fn rows<'py>(&mut self, py: Python<'py>, most: usize) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.files().rows(py, most)
    }

    /// Records by kind: type, subtype, title, records, of_rmf, bytes, used.
    #[getter]
    fn kinds<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for kind in self.files().form.dump.contents.kinds() {
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
    fn size(&mut self) -> (u64, u64) {
        let dump = &self.files().form.dump;
        (dump.bytes, dump.contents.records())
    }

    /// The systems: name, records, local times of the first and of the last record in microseconds since 1970.
    #[getter]
    fn systems(&mut self) -> Vec<(String, u64, i64, i64)> {
        let systems = self.files().form.dump.contents.systems.iter();
        let row =
            |of: &records::smf::contents::OfSystem| (of.name(), of.records, of.span.0.unix_us(), of.span.1.unix_us());
        systems.map(row).collect()
    }

    /// Notes about the intervals, a sentence each.
    #[getter]
    fn notices(&mut self) -> Vec<String> {
        self.files().form.notes.clone()
    }

    /// The intervals: system, local start and end in microseconds since 1970.
    #[getter]
    fn intervals(&mut self) -> Vec<(String, i64, i64)> {
        self.files().form.intervals.intervals.clone()
    }

    /// The tables of a system over all intervals that were read, those that had rows in several.
    fn pooled<'py>(&mut self, py: Python<'py>, system: &str) -> PyResult<Bound<'py, PyDict>> {
        measured::pooled(py, &self.files().form.intervals, system)
    }
}

impl SmfFile {
    fn files(&mut self) -> &mut Files<Dumps> {
        self.files.get_mut().expect("nothing panicked with it")
    }
}

impl Form for Dumps {
    type Reader = Reader<Box<dyn Read + Send>>;

    fn reader(input: Box<dyn Read + Send>) -> Self::Reader {
        Reader::new(input)
    }

    fn record(&mut self, file: &str, reader: &mut Self::Reader) -> Result<bool, Damage> {
        let more = self.dump.take_record(file, reader)?;
        self.dump.pass_on(&mut self.intervals);
        Ok(more)
    }

    fn end(&mut self) {
        self.notes = self.dump.end(&mut self.intervals);
        self.intervals.intervals.sort_by(|a, b| a.0.cmp(&b.0));
    }

    fn measured(&mut self) -> &mut Measured {
        &mut self.intervals
    }
}

/// The last record of each interval in files, as far as they can be read.
fn ends(files: &[(PathBuf, String)]) -> Ends {
    let mut ends = Ends::default();
    for (path, _) in files {
        let Ok(input) = source::open(path) else { continue };
        let mut reader = Reader::new(input);
        while !reader.is_lost() {
            match reader.read_record() {
                Ok(Some(record)) => ends.take(&record),
                Ok(None) => break,
                Err(_) => {}
            }
        }
    }
    ends
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
