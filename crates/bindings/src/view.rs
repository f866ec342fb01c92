//! A scenario's values for Python, and edits as Python writes them.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyMapping, PyString, PyTuple};
use scenario::{Edit, Plain, bare_or_quoted, quote};

/// A class of `slicewright.scenario.view`: name, base, doc, and its fields, each with name, type and doc.
type Described = (String, Option<String>, &'static str, Vec<(String, String, &'static str)>);

/// The tables of the scenario language as classes, those that others are made of first.
#[pyfunction]
pub fn scenario_classes() -> Vec<Described> {
    let field = |field: scenario::Field| (field.name, field.hint, field.doc);
    let class = |class: scenario::Class| {
        (class.name, class.base, class.doc, class.fields.into_iter().map(field).collect::<Vec<_>>())
    };
    scenario::classes().into_iter().map(class).collect()
}

/// The typed view of a scenario: `slicewright.scenario.view.View`.
pub fn typed(py: Python<'_>, plain: &Plain) -> PyResult<Py<PyAny>> {
    let classes = py.import("slicewright.scenario.view")?;
    Ok(object(py, plain, Some(&classes))?.unbind())
}

/// A plain value: None, text, a number, a tuple, a dictionary of numbers, or a table: of its class, else a dictionary.
pub fn object<'py>(
    py: Python<'py>,
    plain: &Plain,
    classes: Option<&Bound<'py, PyModule>>,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match plain {
        Plain::Absent => py.None().into_bound(py),
        Plain::Text(text) => PyString::new(py, text).into_any(),
        Plain::Truth(truth) => PyBool::new(py, *truth).to_owned().into_any(),
        Plain::Count(count) => PyInt::new(py, *count).into_any(),
        Plain::Number(number) => PyFloat::new(py, *number).into_any(),
        Plain::List(values) => {
            let values: Vec<Bound<'py, PyAny>> =
                values.iter().map(|value| object(py, value, classes)).collect::<PyResult<_>>()?;
            PyTuple::new(py, values)?.into_any()
        }
        Plain::Weights(weights) => {
            let dict = PyDict::new(py);
            for (name, weight) in weights {
                dict.set_item(name, weight)?;
            }
            dict.into_any()
        }
        Plain::Table(class, keys) => {
            let fields = PyDict::new(py);
            for (key, value) in keys {
                fields.set_item(key, object(py, value, classes)?)?;
            }
            match classes {
                Some(classes) => classes.getattr(class.as_str())?.call((), Some(&fields))?,
                None => fields.into_any(),
            }
        }
    })
}

/// Edits from a mapping of paths to values (None takes a key away), or from texts as `--set` has them.
pub fn edits(changes: &Bound<'_, PyAny>) -> PyResult<Vec<Edit>> {
    let Ok(mapping) = changes.cast::<PyMapping>() else {
        return Ok(changes.extract::<Vec<String>>()?.into_iter().map(Edit::Set).collect());
    };
    let edit = |item: Bound<'_, PyAny>| {
        let (path, value): (String, Bound<'_, PyAny>) = item.extract()?;
        Ok(if value.is_none() { Edit::Remove(path) } else { Edit::Set(format!("{path}={}", toml(&value)?)) })
    };
    mapping.items()?.iter().map(edit).collect()
}

/// A value as TOML has it; truth is `yes` or `no`.
fn toml(value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(truth) = value.cast::<PyBool>() {
        return Ok(quote(if truth.is_true() { "yes" } else { "no" }));
    }
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(quote(&text.to_string_lossy()));
    }
    if value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>() {
        return Ok(value.repr()?.to_string());
    }
    if value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>() {
        let values: Vec<String> = value.try_iter()?.map(|item| toml(&item?)).collect::<PyResult<_>>()?;
        return Ok(format!("[{}]", values.join(", ")));
    }
    if let Ok(table) = value.cast::<PyMapping>() {
        let pair = |item: Bound<'_, PyAny>| {
            let (key, value): (String, Bound<'_, PyAny>) = item.extract()?;
            Ok(format!("{} = {}", quote(&key), toml(&value)?))
        };
        let pairs: Vec<String> = table.items()?.iter().map(pair).collect::<PyResult<_>>()?;
        return Ok(format!("{{ {} }}", pairs.join(", ")));
    }
    Err(PyTypeError::new_err(format!("a scenario holds no {}", value.get_type().name()?)))
}

/// Values of a scenario by key as its text: bare keys first, then a section for each table; None is an absent key.
#[pyfunction]
pub fn scenario_text(values: &Bound<'_, PyMapping>) -> PyResult<String> {
    let (mut keys, mut sections) = (String::new(), String::new());
    for item in values.items()?.iter() {
        let (key, value): (String, Bound<'_, PyAny>) = item.extract()?;
        if let Ok(table) = value.cast::<PyMapping>() {
            sections += &format!("\n[{}]\n{}", bare_or_quoted(&key), lines(table)?);
        } else if let Some(tables) = tables_in(&value)? {
            for table in &tables {
                sections += &format!("\n[[{}]]\n{}", bare_or_quoted(&key), lines(table)?);
            }
        } else if !value.is_none() {
            keys += &format!("{} = {}\n", bare_or_quoted(&key), toml(&value)?);
        }
    }
    Ok((keys + &sections).trim_start().to_string())
}

/// The keys of a table, a line each.
fn lines(table: &Bound<'_, PyMapping>) -> PyResult<String> {
    let mut text = String::new();
    for item in table.items()?.iter() {
        let (key, value): (String, Bound<'_, PyAny>) = item.extract()?;
        if !value.is_none() {
            text += &format!("{} = {}\n", bare_or_quoted(&key), toml(&value)?);
        }
    }
    Ok(text)
}

/// The tables of a list that holds nothing else.
fn tables_in<'py>(value: &Bound<'py, PyAny>) -> PyResult<Option<Vec<Bound<'py, PyMapping>>>> {
    if !(value.is_instance_of::<PyList>() || value.is_instance_of::<PyTuple>()) {
        return Ok(None);
    }
    let tables: PyResult<Vec<_>> = value.try_iter()?.map(|item| Ok(item?.cast_into::<PyMapping>()?)).collect();
    Ok(tables.ok().filter(|tables| !tables.is_empty()))
}
