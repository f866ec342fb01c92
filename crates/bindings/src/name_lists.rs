//! Resource name lists: `GRSRNLxx` texts read, searched for requests, changed and compared.

use crate::problems::{input_error, listed};
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use serialization::ResourceName;
use serialization::name_list::{Asked, Entry, Kind, List, NameListText, as_written, differences, read_name};
use units::Problem;

/// List, type, qname, rname.
type Written = (String, String, String, Option<String>);

/// The text of resource name lists, kept to the byte.
#[pyclass(module = "slicewright._core")]
pub struct NameLists {
    text: NameListText,
}

#[pymethods]
impl NameLists {
    /// Read a text; raises `InputError` with every problem.
    #[staticmethod]
    fn read(py: Python<'_>, data: &[u8], file: &str) -> PyResult<Self> {
        match NameListText::read(data, file) {
            Ok(text) => Ok(NameLists { text }),
            Err(problems) => Err(input_error(py, &problems)),
        }
    }

    /// The name of the text.
    #[getter]
    fn file(&self) -> &str {
        self.text.file()
    }

    /// A row per entry, in the order of the text: list, type, qname, rname (maybe None), line, column, text.
    fn entries<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for (number, entry) in self.text.lists().entries().iter().enumerate() {
            let (line, column) = self.text.place(number);
            let row = PyDict::new(py);
            row.set_item("list", entry.list().word())?;
            row.set_item("type", entry.kind().word())?;
            row.set_item("qname", plain(entry.qname()))?;
            row.set_item("rname", entry.rname().map(plain))?;
            row.set_item("line", line)?;
            row.set_item("column", column)?;
            row.set_item("text", entry.to_string())?;
            list.append(row)?;
        }
        Ok(list)
    }

    /// Problems that do not keep the lists from being used: entries without effect, wildcards that are none.
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        listed(py, &self.text.warnings())
    }

    /// What becomes of a request: asked, scope, hardware_reserve, and searches: list, name, entry (number or None).
    fn settle<'py>(&self, py: Python<'py>, asked: &str, qname: &str, rname: &str) -> PyResult<Bound<'py, PyDict>> {
        let (asked, name) = request(asked, qname, rname).map_err(|problems| input_error(py, &problems))?;
        let outcome = self.text.lists().settle(asked, &name);
        let searches = PyList::empty(py);
        for search in outcome.searches() {
            let row = PyDict::new(py);
            row.set_item("list", search.list.word())?;
            row.set_item("name", search.list.name())?;
            row.set_item("entry", search.found)?;
            searches.append(row)?;
        }
        let settled = PyDict::new(py);
        settled.set_item("asked", asked.word())?;
        settled.set_item("scope", outcome.scope.word())?;
        settled.set_item("hardware_reserve", outcome.hardware_reserve)?;
        settled.set_item("searches", searches)?;
        Ok(settled)
    }

    /// Put another entry (list, type, qname, rname) in the place of one; every other byte stays.
    fn replace(&mut self, py: Python<'_>, number: usize, entry: Written) -> PyResult<()> {
        if number >= self.text.lists().entries().len() {
            return Err(PyIndexError::new_err(format!("there is no entry {number}")));
        }
        let replaced = made(&entry).and_then(|entry| self.text.replace(number, &entry));
        replaced.map_err(|problems| input_error(py, &problems))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.text.to_bytes())
    }
}

/// The text of entries, each list, type, qname, rname.
#[pyfunction]
pub fn name_list_text(py: Python<'_>, entries: Vec<Written>) -> PyResult<String> {
    let (mut good, mut problems) = (Vec::new(), Vec::new());
    for entry in &entries {
        match made(entry) {
            Ok(entry) => good.push(entry),
            Err(wrong) => problems.extend(wrong),
        }
    }
    if problems.is_empty() { Ok(NameListText::write(&good)) } else { Err(input_error(py, &problems)) }
}

/// How the lists of each system differ from those of the first, as problems; none when all are the same.
#[pyfunction]
pub fn name_list_differences<'py>(
    py: Python<'py>,
    systems: Vec<PyRef<'py, NameLists>>,
) -> PyResult<Bound<'py, PyList>> {
    let texts: Vec<NameListText> = systems.iter().map(|system| system.text.clone()).collect();
    listed(py, &differences(&texts))
}

/// A request, or everything that is wrong with it.
fn request(asked: &str, qname: &str, rname: &str) -> Result<(Asked, ResourceName), Vec<Problem>> {
    let mut problems = Vec::new();
    let asked = Asked::read(asked).map_err(|problem| problems.push(*problem)).ok();
    let [qname, rname] = [("qname", qname), ("rname", rname)]
        .map(|(key, text)| read_name(text).map_err(|problem| problems.push(problem.key(key))).ok());
    let name = ResourceName::new(qname.as_deref().unwrap_or(b"Q"), rname.as_deref().unwrap_or(b"R"));
    match (asked, name) {
        (Some(asked), Ok(name)) if problems.is_empty() => Ok((asked, name)),
        (_, Ok(_)) => Err(problems),
        (_, Err(wrong)) => {
            problems.extend(wrong);
            Err(problems)
        }
    }
}

/// An entry, or everything that is wrong with it.
fn made((list, kind, qname, rname): &Written) -> Result<Entry, Vec<Problem>> {
    let mut problems = Vec::new();
    let list = List::read(list).map_err(|problem| problems.push(*problem)).ok();
    let kind = Kind::read(kind).map_err(|problem| problems.push(*problem)).ok();
    let mut name = |key: &str, text: &str| read_name(text).map_err(|problem| problems.push(problem.key(key))).ok();
    let qname = name("QNAME", qname);
    let rname = rname.as_ref().map(|text| name("RNAME", text));
    match (list, kind, qname, rname) {
        (Some(list), Some(kind), Some(qname), rname) if problems.is_empty() => {
            Entry::new(list, kind, &qname, rname.flatten().as_deref())
        }
        _ => Err(problems),
    }
}

/// A name as it is, or in hex where it cannot be shown.
fn plain(name: &[u8]) -> String {
    let written = as_written(name);
    written.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')).map_or(written.clone(), str::to_string)
}
