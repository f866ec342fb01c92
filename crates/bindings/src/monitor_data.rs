//! Monitor data of z/VM in Python: what a MONWRITE file holds, its intervals as tables, and intervals written as one.

use crate::measured::{self, Files, Form};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use records::binary::{Field, Layout};
use records::monitor::export::{FILLED, export};
use records::monitor::{Contents, Intervals, Reader, is_used, layout};
use records::{Damage, Measured};
use std::io::Read;
use std::path::PathBuf;
use std::sync::Mutex;

/// The contents of MONWRITE files, and their intervals.
#[derive(Default)]
struct Monwrite {
    contents: Contents,
    intervals: Intervals<Measured>,
    bytes: u64,
}

/// MONWRITE files while they are read.
#[pyclass(module = "slicewright._core")]
pub struct MonitorFile {
    files: Mutex<Files<Monwrite>>,
}

#[pymethods]
impl MonitorFile {
    /// Files that follow each other: pairs of a path and the name that problems show.
    #[new]
    fn new(files: Vec<(PathBuf, String)>) -> Self {
        MonitorFile { files: Mutex::new(Files::new(Monwrite::default(), files)) }
    }

    /// The next rows of every table of each system, at least `most` unless the files end; None at the end.
    ///
    /// Raises `InputError` for damage, `OSError` as `open`.
    fn rows<'py>(&mut self, py: Python<'py>, most: usize) -> PyResult<Option<Bound<'py, PyDict>>> {
        self.files().rows(py, most)
    }

    /// Records by kind: domain, record, name, title, samples, events, bytes, used, certainty.
    #[getter]
    fn kinds<'py>(&mut self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for kind in self.files().form.contents.kinds() {
            let row = PyDict::new(py);
            row.set_item("domain", kind.code.0)?;
            row.set_item("record", kind.code.1)?;
            row.set_item("name", kind.layout.map_or("", |layout| layout.name))?;
            row.set_item("title", kind.layout.map_or("", |layout| layout.title))?;
            row.set_item("samples", kind.counts[0])?;
            row.set_item("events", kind.counts[1])?;
            row.set_item("bytes", kind.bytes)?;
            row.set_item("used", is_used(kind.code))?;
            row.set_item("certainty", kind.layout.map_or("", |layout| layout.source.certainty.word()))?;
            list.append(row)?;
        }
        Ok(list)
    }

    /// How many bytes and records there are, those of kinds beyond `kinds` too.
    #[getter]
    fn size(&mut self) -> (u64, u64) {
        let form = &self.files().form;
        (form.bytes, form.contents.records())
    }

    /// Notes on the intervals, a sentence each.
    #[getter]
    fn notices(&mut self) -> Vec<String> {
        self.files().form.intervals.notes()
    }

    /// The intervals: system, start and end in microseconds since 1970.
    #[getter]
    fn intervals(&mut self) -> Vec<(String, i64, i64)> {
        self.files().form.intervals.intervals.intervals.clone()
    }

    /// The tables of a system over all intervals that were read, those that had rows in several.
    fn pooled<'py>(&mut self, py: Python<'py>, system: &str) -> PyResult<Bound<'py, PyDict>> {
        measured::pooled(py, &self.files().form.intervals.intervals, system)
    }
}

impl MonitorFile {
    fn files(&mut self) -> &mut Files<Monwrite> {
        self.files.get_mut().expect("nothing panicked with it")
    }
}

impl Form for Monwrite {
    type Reader = Reader<Box<dyn Read + Send>>;

    fn reader(input: Box<dyn Read + Send>) -> Self::Reader {
        Reader::new(input)
    }

    fn record(&mut self, _file: &str, reader: &mut Self::Reader) -> Result<bool, Damage> {
        let Some(record) = reader.read_record()? else {
            self.bytes += reader.place();
            return Ok(false);
        };
        self.contents.take(&record);
        self.intervals.take(&record);
        Ok(true)
    }

    fn end(&mut self) {}

    fn measured(&mut self) -> &mut Measured {
        &mut self.intervals.intervals
    }
}

/// The form of a file of monitor data, "smf" or "monwrite", plain or in gzip; None for any other file.
///
/// Raises `OSError` as `open`.
#[pyfunction]
pub fn monitor_form(path: PathBuf) -> PyResult<Option<&'static str>> {
    Ok(records::Form::of_file(&path)?.map(|form| match form {
        records::Form::Smf => "smf",
        records::Form::Monwrite => "monwrite",
    }))
}

/// Intervals as a MONWRITE file.
///
/// Each interval holds `length_s`, `samples` and `tables`: columns by name of devices, volumes, pools, partitions,
/// logical_processors, control_programs, control_processors and locks.  `start_us` is in microseconds since 1970.
#[pyfunction]
pub fn monitor_file<'py>(
    py: Python<'py>,
    intervals: Vec<Bound<'py, PyDict>>,
    system: &str,
    start_us: i64,
) -> PyResult<Bound<'py, PyBytes>> {
    measured::file(export, &intervals, (system, start_us), py)
}

/// The layouts of monitor records and of their entries: a dictionary each, with its fields.
#[pyfunction]
pub fn monitor_layouts(py: Python<'_>) -> PyResult<Bound<'_, PyList>> {
    let list = PyList::empty(py);
    for layout in layout::RECORDS.iter().chain(layout::ENTRIES) {
        let row = described(py, layout, FILLED)?;
        row.set_item("domain", layout.code.0)?;
        row.set_item("record", layout.code.1)?;
        row.set_item("used", is_used(layout.code))?;
        list.append(row)?;
    }
    Ok(list)
}

/// A layout: name, title, length, certainty, source and fields; `filled` has those that are written.
pub fn described<'py>(
    py: Python<'py>,
    layout: &Layout,
    filled: &[(&Layout, &[Field])],
) -> PyResult<Bound<'py, PyDict>> {
    let filled = filled.iter().find(|(of, _)| of.name == layout.name).map_or(&[][..], |(_, fields)| fields);
    let fields = PyList::empty(py);
    for field in layout.fields {
        let row = PyDict::new(py);
        row.set_item("name", field.name)?;
        row.set_item("offset", field.offset)?;
        row.set_item("length", field.length)?;
        row.set_item("kind", field.kind.words())?;
        row.set_item("since", field.since())?;
        row.set_item("meaning", field.meaning)?;
        row.set_item("source", field.source.key)?;
        row.set_item("written", filled.contains(field))?;
        fields.append(row)?;
    }
    let row = PyDict::new(py);
    row.set_item("name", layout.name)?;
    row.set_item("title", layout.title)?;
    row.set_item("length", layout.length)?;
    row.set_item("certainty", layout.source.certainty.word())?;
    row.set_item("source", layout.source.text)?;
    row.set_item("source_key", layout.source.key)?;
    row.set_item("fields", fields)?;
    Ok(row)
}
