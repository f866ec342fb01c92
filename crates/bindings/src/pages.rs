//! Pages that analysts know: read and edited to the byte, and written in their style from tables.

use crate::columns::{Columns, required};
use crate::problems::{input_error, listed};
use crate::tables;
use measures::{Contended, Contender, ContentionRow, Figure, IntervalTotals, PartitionTotals};
use pyo3::exceptions::{PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList, PyString, PyTuple, PyType};
use records::pages::{AnyPage, KINDS};
use reports::{CpuForm, DirectAccessForm, LogicalShare, Machine, RmfLevel, Setting, TABLE_PAGES, View};
use units::Span;

/// A page of some kind, kept to the byte; each kind is a class of its own with nothing more in it.
#[pyclass(module = "slicewright._core", subclass)]
pub struct Page {
    page: Box<dyn AnyPage>,
}

#[pymethods]
impl Page {
    #[new]
    #[classmethod]
    fn new(class: &Bound<'_, PyType>, data: &[u8], file: &str) -> PyResult<Self> {
        let named = class.getattr_opt("kind")?.map(|kind| kind.extract::<String>()).transpose()?;
        let kind = KINDS.iter().find(|kind| named.as_deref() == Some(kind.class));
        let kind = kind.ok_or_else(|| {
            let classes: Vec<&str> = KINDS.iter().map(|kind| kind.class).collect();
            PyTypeError::new_err(format!("a page is of a kind; allowed: {}", classes.join(", ")))
        })?;
        (kind.read)(data, file).map(|page| Page { page }).map_err(|problems| input_error(class.py(), &problems))
    }

    /// Read a page; raises `InputError` with every problem.
    #[classmethod]
    fn read<'py>(
        class: &Bound<'py, PyType>,
        data: Bound<'py, PyBytes>,
        file: Bound<'py, PyString>,
    ) -> PyResult<Bound<'py, PyAny>> {
        class.call1((data, file))
    }

    /// The name of the run, "Y032180H", or the system as printed; empty when the page has none.
    #[getter]
    fn run(&self) -> String {
        self.page.totals().name
    }

    /// The same of a page of RMF.
    #[getter]
    fn system(&self) -> String {
        self.page.totals().name
    }

    /// When it started, as printed: "2007/02/04 13:28:34".
    #[getter]
    fn started(&self) -> String {
        self.page.totals().started.unwrap_or_default()
    }

    /// Length of the interval in seconds; zero when the page does not tell it.
    #[getter]
    fn interval_s(&self) -> f64 {
        self.page.totals().length.seconds()
    }

    /// Length of the cycle in seconds; zero when the page does not tell it.
    #[getter]
    fn cycle_s(&self) -> f64 {
        self.page.cycle().map_or(0.0, Span::seconds)
    }

    /// How many samples the interval holds; zero when the page does not tell it.
    #[getter]
    fn samples(&self) -> u64 {
        self.page.totals().samples
    }

    /// "current" or "classic", of pages that two levels of RMF print differently; else empty.
    #[getter]
    fn level(&self) -> &'static str {
        self.page.level()
    }

    /// Lines that are no rows: line, device, type, why.
    #[getter]
    fn skipped<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        tables::skipped(py, &self.page.skipped())
    }

    /// Rows whose figures do not agree with each other, as problems.
    #[getter]
    fn disagreements<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        listed(py, &self.page.disagreements())
    }

    /// The fact in the head after such words as "WAIT COMPLETION"; empty if there is none.
    fn fact(&self, label: &str) -> &str {
        self.page.fact(label)
    }

    /// Every field that is printed: a row per row of the page, headings to texts.
    fn fields<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for row in self.page.fields() {
            let fields = PyDict::new(py);
            for (heading, text) in row {
                fields.set_item(heading, text)?;
            }
            list.append(fields)?;
        }
        Ok(list)
    }

    /// A table as columns, as far as the page gives it, each number `x` with `x_rounding`.
    fn table<'py>(&self, py: Python<'py>, name: &str) -> PyResult<Bound<'py, PyDict>> {
        let totals = self.page.totals();
        let tables = totals.tables();
        let table = tables.iter().find(|rows| rows.table.name == name);
        tables::read(py, table.ok_or_else(|| PyValueError::new_err(format!("no such table: {name}")))?)
    }

    /// The devices table.
    fn devices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.table(py, "devices")
    }

    /// The volumes table.
    fn volumes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.table(py, "volumes")
    }

    /// The table of logical processors.
    fn processors<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.table(py, "logical_processors")
    }

    /// The partitions table.
    fn partitions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.table(py, "partitions")
    }

    /// Replace one printed field; only its bytes change.  Raises `InputError` when it does not fit.
    fn set(&mut self, py: Python<'_>, row: &str, column: &str, text: &str) -> PyResult<()> {
        self.page.set(row, column, text).map_err(|problems| input_error(py, &problems))
    }

    fn to_bytes<'py>(&self, py: Python<'py>) -> Bound<'py, PyBytes> {
        PyBytes::new(py, self.page.to_bytes())
    }
}

/// Adds a class for each kind of page.
pub fn add_kinds(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    let bases = PyTuple::new(py, [py.get_type::<Page>()])?;
    for kind in &KINDS {
        let members = PyDict::new(py);
        let mut about = kind.about.to_string();
        about[..1].make_ascii_uppercase();
        members.set_item("__doc__", format!("{about}, kept to the byte."))?;
        members.set_item("__module__", "slicewright._core")?;
        members.set_item("__slots__", PyTuple::empty(py))?;
        members.set_item("kind", kind.class)?;
        module.add(kind.class, py.get_type::<PyType>().call1((kind.class, &bases, members))?)?;
    }
    Ok(())
}

/// A page of this name in its style, made of one table.
///
/// `title` holds run, interval_s, samples and note.
#[pyfunction]
pub fn table_page(page: &str, title: &Bound<'_, PyDict>, table: &Bound<'_, PyDict>) -> PyResult<String> {
    let known = TABLE_PAGES.iter().find(|known| known.name == page);
    let known = known.ok_or_else(|| PyValueError::new_err(format!("no such page: {page}")))?;
    let (mut interval, note) = headed(title)?;
    Columns { table }.fill(&mut interval, known.table)?;
    Ok((known.print)(&interval, &note))
}

/// A page in the style of FCX108 from a devices table of one interval.
///
/// `title` holds run, interval_s, note, and which response is printed ("toolkit", the default, or "correct").  The
/// correct one of a base whose volume borrows aliases from a pool is known only with the volumes table.
#[pyfunction]
#[pyo3(signature = (title, devices, volumes = None))]
pub fn device_page(
    title: &Bound<'_, PyDict>,
    devices: &Bound<'_, PyDict>,
    volumes: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    let text = |key: &str| -> PyResult<String> {
        if title.contains(key)? { required(title, key)?.extract() } else { Ok(String::new()) }
    };
    let seconds: f64 = required(title, "interval_s")?.extract()?;
    let mut interval = IntervalTotals::new(text("run")?, Span::from_seconds(seconds));
    interval.devices = Columns { table: devices }.devices()?;
    if let Some(table) = volumes {
        interval.volumes = Columns { table }.volumes()?;
    }
    let response = match text("response")?.as_str() {
        "" | "toolkit" => reports::Response::Toolkit,
        "correct" => reports::Response::Correct,
        other => return Err(PyValueError::new_err(format!("response `{other}`; allowed: toolkit, correct"))),
    };
    Ok(reports::device_page(&interval, response, &text("note")?))
}

/// A page in the style of RMF from a volumes and a devices table of one interval.
///
/// `title` holds run, interval_s, samples, cycle_s (None: the interval over the samples), note, level ("current" or
/// "classic"), view ("true" or "sampled") and partitions (their names).
#[pyfunction]
pub fn direct_access_page(
    title: &Bound<'_, PyDict>,
    devices: &Bound<'_, PyDict>,
    volumes: &Bound<'_, PyDict>,
) -> PyResult<String> {
    let text = |key: &str| -> PyResult<String> { required(title, key)?.extract() };
    let seconds: f64 = required(title, "interval_s")?.extract()?;
    let mut interval = IntervalTotals::new(text("run")?, Span::from_seconds(seconds));
    interval.samples = required(title, "samples")?.extract()?;
    interval.devices = Columns { table: devices }.devices()?;
    interval.volumes = Columns { table: volumes }.volumes()?;
    let partitions: Vec<String> = required(title, "partitions")?.extract()?;
    interval.partitions = partitions.into_iter().map(|name| PartitionTotals::unknown(name, 0)).collect();
    let level = match text("level")?.as_str() {
        "current" => RmfLevel::Current,
        "classic" => RmfLevel::Classic,
        other => return Err(PyValueError::new_err(format!("level `{other}`; allowed: current, classic"))),
    };
    let view = match text("view")?.as_str() {
        "true" => View::True,
        "sampled" => View::Sampled,
        other => return Err(PyValueError::new_err(format!("view `{other}`; allowed: true, sampled"))),
    };
    let cycle: Option<f64> = required(title, "cycle_s")?.extract()?;
    let form = DirectAccessForm { level, view, cycle: cycle.map(Span::from_seconds) };
    Ok(reports::direct_access_page(&interval, form, &text("note")?))
}

/// A page in the style of RMF CPU ACTIVITY from the logical processors of one partition.
///
/// `title` holds run, interval_s, samples, cycle_s (None: no sampler), note, shares (percent of a physical one, and
/// HIGH, MED, LOW or nothing, of each processor), parked (percent of each processor; empty: none can be) and online
/// (percent of each processor; empty: all the time).
#[pyfunction]
pub fn cpu_page(title: &Bound<'_, PyDict>, processors: &Bound<'_, PyDict>) -> PyResult<String> {
    let (mut interval, note) = headed(title)?;
    interval.logical_processors = Columns { table: processors }.logical_processors()?;
    let shares: Vec<(Option<f64>, String)> = required(title, "shares")?.extract()?;
    let cycle: Option<f64> = required(title, "cycle_s")?.extract()?;
    let parked: Vec<Option<f64>> = required(title, "parked")?.extract()?;
    let online: Vec<f64> = required(title, "online")?.extract()?;
    let share = |(percent, polarity): (Option<f64>, String)| LogicalShare {
        percent: percent.map_or(Figure::UNKNOWN, Figure::exact),
        polarity,
    };
    let form = CpuForm {
        shares: shares.into_iter().map(share).collect(),
        parked: parked.into_iter().map(|percent| percent.map_or(Figure::UNKNOWN, Figure::exact)).collect(),
        online: online.into_iter().map(Figure::exact).collect(),
        cycle: cycle.map(Span::from_seconds),
    };
    Ok(reports::cpu_page(&interval, &form, &note))
}

/// A page in the style of RMF PARTITION DATA from the partitions of a machine.
///
/// `title` holds run, interval_s, samples, note, seen_from, physical, waits, dispatch_interval (as printed, empty: no
/// one length) and settings (weight and capping, as printed, and processors online or None, of each partition).
#[pyfunction]
pub fn partition_page(title: &Bound<'_, PyDict>, partitions: &Bound<'_, PyDict>) -> PyResult<String> {
    let (mut interval, note) = headed(title)?;
    interval.partitions = Columns { table: partitions }.partitions()?;
    let settings: Vec<(String, String, Option<f64>)> = required(title, "settings")?.extract()?;
    let machine = Machine {
        seen_from: required(title, "seen_from")?.extract()?,
        physical: required(title, "physical")?.extract()?,
        waits: required(title, "waits")?.extract()?,
        dispatch_interval: required(title, "dispatch_interval")?.extract()?,
        settings: settings.into_iter().map(|(weight, capping, online)| Setting { weight, capping, online }).collect(),
    };
    Ok(reports::partition_page(&interval, &machine, &note))
}

/// The contention of one instant, in the style of DISPLAY GRS,C and DISPLAY GRS,ANALYZE, from rows of the log.
#[pyfunction]
pub fn contention_page(note: &str, rows: &Bound<'_, PyDict>) -> PyResult<String> {
    let table = Columns { table: rows };
    let row = |row| {
        let text = |key| table.text(key, row);
        let what = Contended {
            enqueue: text("enqueue")?,
            qname: text("qname")?,
            rname: text("rname")?,
            scope: text("scope")?,
        };
        let who = Contender {
            partition: text("partition")?,
            task: text("task")?,
            access: text("access")?,
            status: text("status")?,
            blockers: text("blockers")?,
        };
        let figure = |key| table.figure(key, row);
        Ok(ContentionRow::unknown(what, who).with([figure("at_s")?, figure("since_ms")?, figure("deadlock")?]))
    };
    let count = required(rows, "enqueue")?.len()?;
    let rows: Vec<ContentionRow> = (0..count).map(row).collect::<PyResult<_>>()?;
    Ok(reports::contention_page(&rows, note))
}

/// An interval with what all heads have, and the note.
fn headed(title: &Bound<'_, PyDict>) -> PyResult<(IntervalTotals, String)> {
    let seconds: f64 = required(title, "interval_s")?.extract()?;
    let name: String = required(title, "run")?.extract()?;
    let mut interval = IntervalTotals::new(name, Span::from_seconds(seconds));
    interval.samples = required(title, "samples")?.extract()?;
    Ok((interval, required(title, "note")?.extract()?))
}
