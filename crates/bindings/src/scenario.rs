//! Scenarios and their simulation.

use crate::problems::{input_error, listed, run_error};
use crate::{replay, tables, view};
use machine::plan::Redispatch;
use monitor::{Experiment, Kept, Measurement, RunError, Watch};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::{PyDict, PyList, PyMapping};
use scenario::{File, Given, WarmUp};
use std::collections::BTreeMap;
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::Duration;
use units::{Problem, Span};

/// A scenario that was read, checked and resolved.
#[pyclass(frozen, module = "slicewright._core")]
pub struct Scenario {
    scenario: scenario::Scenario,
    kept: OnceLock<Kept>,
    view: PyOnceLock<Py<PyAny>>,
}

impl Scenario {
    /// A scenario for Python.
    pub fn of(scenario: scenario::Scenario) -> Self {
        Scenario { scenario, kept: OnceLock::new(), view: PyOnceLock::new() }
    }

    /// The scenario that was read.
    pub fn get(&self) -> &scenario::Scenario {
        &self.scenario
    }

    /// How much memory its results take.
    fn kept(&self) -> &Kept {
        self.kept.get_or_init(|| Kept::of(self.scenario.plan()))
    }
}

#[pymethods]
impl Scenario {
    /// Read TOML, with the files that it names in place of texts: name, what messages call it, bytes; raises
    /// `InputError` with every problem.
    #[staticmethod]
    #[pyo3(signature = (text, file, set = Vec::new(), files = Vec::new()))]
    fn read(
        py: Python<'_>,
        text: &[u8],
        file: &str,
        set: Vec<String>,
        files: Vec<(String, String, Vec<u8>)>,
    ) -> PyResult<Self> {
        let files: Vec<File> = files.into_iter().map(|(name, shown, bytes)| File { name, shown, bytes }).collect();
        checked(py, scenario::Scenario::read_with(text, file, &set, &files))
    }

    /// A scenario of values by key, as `scenario_text` writes them; raises `InputError` with every problem.
    #[staticmethod]
    #[pyo3(name = "of", signature = (values, file = "scenario"))]
    fn of_values(py: Python<'_>, values: &Bound<'_, PyMapping>, file: &str) -> PyResult<Self> {
        checked(py, scenario::Scenario::read(view::scenario_text(values)?.as_bytes(), file, &[]))
    }

    /// The readable part of a text that may be no scenario, as a view in which everything else is absent.
    #[staticmethod]
    fn outline(py: Python<'_>, text: &[u8]) -> PyResult<Py<PyAny>> {
        view::typed(py, &scenario::outline(text))
    }

    /// The resolved scenario, typed, its numbers with units in their names; made once.
    #[getter]
    fn view(&self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        let view = self.view.get_or_try_init(py, || view::typed(py, &self.scenario.view()))?;
        Ok(view.clone_ref(py))
    }

    /// The origin of the value at a path: "written", "set", "default", or None without a value; raises `InputError`.
    fn given(&self, py: Python<'_>, path: &str) -> PyResult<Option<&'static str>> {
        let given = self.scenario.given(path).map_err(|problem| input_error(py, &[*problem]))?;
        Ok(given.map(|given| match given {
            Given::Written => "written",
            Given::Set => "set",
            Given::Default => "default",
        }))
    }

    /// The scenario with values changed by path, all of it checked again; raises `InputError` with every problem.
    fn with_(&self, py: Python<'_>, changes: &Bound<'_, PyAny>) -> PyResult<Self> {
        checked(py, self.scenario.with(&view::edits(changes)?))
    }

    /// The scenario in which nothing changes while the machine runs; raises `InputError`.
    fn without_changes(&self, py: Python<'_>) -> PyResult<Self> {
        checked(py, self.scenario.without_changes())
    }

    /// The scenario with this many times the demand; raises `InputError` beyond the bounds of the language.
    fn grown(&self, py: Python<'_>, factor: f64) -> PyResult<Self> {
        if !(factor.is_finite() && factor > 0.0) {
            return Err(PyValueError::new_err(format!("demand times {factor} is no demand")));
        }
        checked(py, self.scenario.grown(factor))
    }

    /// The scenario with the demand of some guests multiplied, by name; raises `InputError` as `grown` does.
    fn grown_by(&self, py: Python<'_>, factors: BTreeMap<String, f64>) -> PyResult<Self> {
        if let Some((guest, factor)) = factors.iter().find(|(_, factor)| !(factor.is_finite() && **factor > 0.0)) {
            return Err(PyValueError::new_err(format!("demand of {guest} times {factor} is no demand")));
        }
        checked(py, self.scenario.grown_by(&factors))
    }

    #[getter]
    fn name(&self) -> &str {
        self.scenario.name()
    }

    /// The complete scenario as TOML, every default written out.
    #[getter]
    fn resolved(&self) -> &str {
        self.scenario.resolved_toml()
    }

    /// `resolved` without marks: equal whether a value was written, set or left to its default.
    #[getter]
    fn unmarked(&self) -> String {
        self.scenario.unmarked_toml()
    }

    /// SHA-256 of `resolved`, in hex.
    #[getter]
    fn checksum(&self) -> &str {
        self.scenario.checksum()
    }

    /// The axes of `[[sweep]]`, each as `KEY=VALUES`; they are not in `resolved`.
    #[getter]
    fn swept(&self) -> Vec<String> {
        self.scenario.swept().to_vec()
    }

    /// The parts that its fit left open, as dictionaries: `fit` (or None), `opens`, `readings`.
    /// They are not in `resolved`.
    #[getter]
    fn left_open<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        view::object(py, &self.scenario.left_open(), None)
    }

    /// Probable mistakes in a scenario that can be simulated: problems as dictionaries.
    #[getter]
    fn warnings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        listed(py, self.scenario.warnings())
    }

    /// The replayed guests: guest, file, supplied, and where the file is named (line, column, key).
    #[getter]
    fn replays<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        replay::replays(py, &self.scenario)
    }

    /// `interval_s`, `intervals`, `warm_up_s` (None: automatic), `replications`, `sample_s`.
    #[getter]
    fn measure<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let measure = self.scenario.measure();
        let warm_up = match measure.warm_up {
            WarmUp::Auto => None,
            WarmUp::Fixed(span) => Some(span.seconds()),
        };
        let dict = PyDict::new(py);
        dict.set_item("interval_s", measure.interval.seconds())?;
        dict.set_item("intervals", measure.intervals)?;
        dict.set_item("warm_up_s", warm_up)?;
        dict.set_item("replications", measure.replications)?;
        dict.set_item("sample_s", measure.sample.seconds())?;
        Ok(dict)
    }

    /// A row per number: key, value, role, why.
    fn explain<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for row in self.scenario.explain() {
            let dict = PyDict::new(py);
            dict.set_item("key", &row.key)?;
            dict.set_item("value", &row.value)?;
            dict.set_item("role", row.role.to_string())?;
            dict.set_item("why", &row.why)?;
            list.append(dict)?;
        }
        Ok(list)
    }

    /// How many replications fit the memory that the results of a run may take.
    fn most_replications(&self) -> u64 {
        self.kept().most_replications(u64::from(self.scenario.measure().intervals))
    }

    /// Bytes of the results of this many replications until they are written.
    fn result_bytes(&self, replications: u64) -> u64 {
        self.kept().bytes(u64::from(self.scenario.measure().intervals), replications)
    }

    /// Raise `InputError` unless this many replications fit the memory for the results of a run.
    fn refuse_beyond_memory(&self, py: Python<'_>, replications: u64) -> PyResult<()> {
        let most = self.most_replications();
        if replications <= most {
            return Ok(());
        }
        let intervals = self.scenario.measure().intervals;
        let most_intervals = self.kept().most_intervals(replications);
        let fewer = [
            (most, format!("up to {most} replications")),
            (most_intervals, format!("measure.intervals up to {most_intervals} with {replications} replications")),
        ];
        let problem = Problem::new(format!("{intervals} intervals in each of {replications} replications"))
            .key("measure.intervals")
            .because(format!("their results would take more than {} GiB of memory", monitor::MOST_KEPT >> 30))
            .allowed(fewer.into_iter().filter(|(most, _)| *most > 0).map(|(_, text)| text));
        Err(input_error(py, &[problem]))
    }

    /// The warm-up to cut in seconds, and whether the pilots settled within it: the declared one, or MSER-5.
    #[pyo3(signature = (seed, progress = None, threads = None))]
    fn warm_up(
        &self,
        py: Python<'_>,
        seed: u64,
        progress: Option<Py<PyAny>>,
        threads: Option<usize>,
    ) -> PyResult<(f64, bool)> {
        replay::require_records(&self.scenario)?;
        let measure = self.scenario.measure();
        match measure.warm_up {
            WarmUp::Fixed(span) => Ok((span.seconds(), true)),
            WarmUp::Auto => {
                let plan = self.scenario.plan();
                let threads = threads.unwrap_or_else(|| std::thread::available_parallelism().map_or(1, usize::from));
                let settled = watched(py, progress.as_ref(), measure.interval.seconds(), |watch| {
                    monitor::settle(plan, seed, measure.interval, threads, watch)
                        .map_err(|failure| RunError { replication: 0, failure })
                })?;
                let warm_up = settled.map_err(|error| run_error(&error, self.name(), seed))?;
                Ok((warm_up.cut.seconds(), warm_up.settled))
            }
        }
    }

    /// Simulate replications first..last (half open); a table of columns per entity kind.
    #[pyo3(signature = (seed, replications, threads, warm_up_s, progress = None))]
    #[expect(clippy::too_many_arguments, reason = "the keywords are what Python calls it with")]
    fn simulate<'py>(
        &self,
        py: Python<'py>,
        seed: u64,
        replications: (u64, u64),
        threads: usize,
        warm_up_s: f64,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<Bound<'py, PyDict>> {
        replay::require_records(&self.scenario)?;
        self.refuse_beyond_memory(py, replications.1)?;
        let measure = self.scenario.measure();
        let measurement = Measurement {
            warm_up: Span::from_seconds(warm_up_s),
            interval: measure.interval,
            intervals: measure.intervals,
            sample: measure.sample,
        };
        let (plan, name) = (self.scenario.plan(), self.scenario.name());
        let experiment = Experiment { plan, name, seed, measurement };
        let (first, last) = replications;
        let simulated_s = measurement.stops().total().seconds() * last.saturating_sub(first) as f64;
        let run = |watch: &Watch| experiment.run(first..last.max(first), threads, watch);
        let done = watched(py, progress.as_ref(), simulated_s, run)?;
        let replications = done.map_err(|error| run_error(&error, name, seed))?;
        tables::simulated(py, first, &replications)
    }
}

/// A scenario for Python, or its problems.
fn checked(py: Python<'_>, read: Result<scenario::Scenario, Vec<Problem>>) -> PyResult<Scenario> {
    read.map(Scenario::of).map_err(|problems| input_error(py, &problems))
}

/// How often Python is asked for signals and gets the progress.
const GLANCE: Duration = Duration::from_millis(100);

/// Runs work on a thread of its own while this one watches for Ctrl-C and reports progress.
pub fn watched<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    simulated_s: f64,
    work: impl FnOnce(&Watch) -> Result<T, RunError> + Send,
) -> PyResult<Result<T, RunError>> {
    let watch = Watch::default();
    let (sender, mut done) = channel();
    let watch = &watch;
    std::thread::scope(|scope| {
        // The sender is its own: when a bug ends it, the channel ends too.
        let worker = scope.spawn(move || {
            let result = work(watch);
            // The watcher may have gone after an interrupt: the result is then not needed.
            sender.send(()).ok();
            result
        });
        let mut interrupt = None;
        loop {
            let news;
            (done, news) = py.detach(move || {
                let news = done.recv_timeout(GLANCE);
                (done, news)
            });
            match news {
                Ok(()) | Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) if interrupt.is_none() => {
                    interrupt = glance(py, progress, watch.simulated_s() / simulated_s).err();
                    if interrupt.is_some() {
                        watch.stop();
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
        }
        let result = py.detach(|| worker.join());
        match (interrupt, result) {
            (Some(interrupt), _) => Err(interrupt),
            (None, Ok(result)) => Ok(result),
            (None, Err(bug)) => std::panic::resume_unwind(bug),
        }
    })
}

fn glance(py: Python<'_>, progress: Option<&Py<PyAny>>, share: f64) -> PyResult<()> {
    py.check_signals()?;
    if let Some(progress) = progress {
        progress.call1(py, (share.min(1.0),))?;
    }
    Ok(())
}

/// The files that a scenario names in place of texts: file, and where it is named (line, column, key).
#[pyfunction]
#[pyo3(signature = (text, file, set = Vec::new()))]
pub fn scenario_files<'py>(py: Python<'py>, text: &[u8], file: &str, set: Vec<String>) -> PyResult<Bound<'py, PyList>> {
    let list = PyList::empty(py);
    for named in scenario::named_files(text, file, &set) {
        let row = PyDict::new(py);
        row.set_item("file", &named.file)?;
        row.set_item("line", named.place.line.unwrap_or(0))?;
        row.set_item("column", named.place.column.unwrap_or(0))?;
        row.set_item("key", &named.place.key)?;
        list.append(row)?;
    }
    Ok(list)
}

/// JSON Schema of scenario files.
#[pyfunction]
pub fn schema() -> String {
    scenario::schema()
}

/// The policies of a freed alias, the default first.
#[pyfunction]
pub fn redispatch_policies() -> Vec<&'static str> {
    Redispatch::NAMES.to_vec()
}

/// The channels that ship: name, serial time per I/O and per KiB, both in ms.
#[pyfunction]
pub fn channel_types() -> Vec<(&'static str, f64, f64)> {
    scenario::published_channels().map(|(name, per_io, per_kib)| (name, per_io.ms(), per_kib.ms())).collect()
}

/// The kinds of starter scenarios, each with one line on what it is.
#[pyfunction]
pub fn starters() -> Vec<(&'static str, &'static str)> {
    scenario::starters()
}

/// A commented starter scenario; raises `InputError` with the nearest kind.
#[pyfunction]
pub fn starter(py: Python<'_>, kind: &str) -> PyResult<&'static str> {
    scenario::starter(kind).map_err(|problems| input_error(py, &problems))
}
