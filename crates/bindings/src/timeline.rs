//! The timeline of a stretch of simulated time as columns.

use crate::problems::{input_error, run_error};
use crate::replay::require_records;
use crate::scenario::{Scenario, watched};
use monitor::{RunError, Timeline, Untraceable, Watch, Window};
use pyo3::prelude::*;
use pyo3::types::PyDict;
use std::cell::RefCell;
use units::{Problem, Span, Tod};

/// The events in a window of one replication; without a length it is as long as about forty I/Os or dispatches take.
/// `part` gets what is complete, now and then: the result has then the rest.
#[pyfunction]
#[pyo3(signature = (scenario, which, warm_up_s, stretch, progress = None, part = None))]
#[expect(clippy::too_many_arguments, reason = "the keywords are what Python calls it with")]
pub fn timeline<'py>(
    py: Python<'py>,
    scenario: &Scenario,
    which: (u64, u64),
    warm_up_s: f64,
    stretch: (f64, Option<f64>),
    progress: Option<Py<PyAny>>,
    part: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let ((seed, replication), (from_s, for_s)) = (which, stretch);
    let scenario = scenario.get();
    require_records(scenario)?;
    let measure = scenario.measure();
    let window = Window {
        warm_up: Span::from_seconds(warm_up_s),
        from: Span::from_seconds(from_s),
        length: for_s.map(Span::from_seconds),
        end: measure.interval * u64::from(measure.intervals),
    };
    let simulated_s = warm_up_s + from_s + for_s.unwrap_or_default();
    let work = |watch: &Watch| {
        let mut reached = Tod::START;
        let refused = RefCell::new(None);
        let go_on = |now: Tod| watch.passed(std::mem::replace(&mut reached, now), now) && refused.borrow().is_none();
        let take = |part: &Py<PyAny>, timeline: Timeline| {
            let taken = Python::attach(|py| part.call1(py, (columns(py, &timeline)?,)).map(drop));
            *refused.borrow_mut() = taken.err();
        };
        let traced = match &part {
            None => monitor::trace(scenario.plan(), which, &window, go_on),
            Some(part) => {
                monitor::trace_in_parts(scenario.plan(), which, &window, |timeline| take(part, timeline), go_on)
            }
        };
        Ok((traced, refused.into_inner()))
    };
    let ended = watched(py, progress.as_ref(), simulated_s, work)?;
    match ended.map(|(traced, refused)| refused.map_or(Ok(traced), Err)) {
        Ok(Err(error)) => Err(error),
        Ok(Ok(Ok(timeline))) => columns(py, &timeline),
        Ok(Ok(Err(Untraceable::TooMuch(most, reached)))) => Err(input_error(py, &[too_much(most, reached)])),
        Ok(Ok(Err(Untraceable::Failure(failure)))) => {
            Err(run_error(&RunError { replication, failure }, scenario.name(), seed))
        }
        Err(error) => Err(run_error(&error, scenario.name(), seed)),
    }
}

/// The seconds of a span as people write it, "100 ms"; raises `InputError` that names the key.
#[pyfunction]
pub fn span_s(py: Python<'_>, text: &str, key: &str) -> PyResult<f64> {
    text.parse::<Span>().map(Span::seconds).map_err(|error| {
        let problem = Problem::new(format!("{text:?} {error}")).key(key).allowed(["a span of time: 100 ms"]);
        input_error(py, &[problem])
    })
}

fn too_much(most: usize, reached: Span) -> Problem {
    Problem::new(format!("more than {},000 spans and waits in this stretch", most / 1_000))
        .key("for")
        .because(format!("the first {:.3} s of it have as many", reached.seconds()))
        .allowed(["a shorter stretch"])
}

/// Microseconds from the instant that a timeline counts from.
fn timeline_us(timeline: &Timeline, at: Tod) -> f64 {
    (at.units() as i128 - timeline.origin.units() as i128) as f64 / Span::from_us(1).units() as f64
}

fn table<'py>(py: Python<'py>, columns: &[(&str, Bound<'py, PyAny>)]) -> PyResult<Bound<'py, PyDict>> {
    let dict = PyDict::new(py);
    columns.iter().try_for_each(|(name, column)| dict.set_item(name, column))?;
    Ok(dict)
}

fn columns<'py>(py: Python<'py>, timeline: &Timeline) -> PyResult<Bound<'py, PyDict>> {
    let us = |at: Tod| timeline_us(timeline, at);
    let table = |columns: &[(&str, Bound<'py, PyAny>)]| table(py, columns);
    macro_rules! column {
        ($rows:expr, $value:expr) => {
            $rows.iter().map($value).collect::<Vec<_>>().into_pyobject(py)?.into_any()
        };
    }
    let dict = PyDict::new(py);
    dict.set_item("from_us", us(timeline.from))?;
    dict.set_item("to_us", us(timeline.until))?;
    dict.set_item(
        "lanes",
        table(&[
            ("name", column!(timeline.lanes, |lane| &lane.name)),
            ("kind", column!(timeline.lanes, |lane| lane.kind.word())),
            ("of", column!(timeline.lanes, |lane| &lane.of)),
        ])?,
    )?;
    dict.set_item("places", &timeline.places)?;
    dict.set_item("holders", table(&[("name", column!(timeline.holders, |name| name))])?)?;
    dict.set_item(
        "spans",
        table(&[
            ("lane", column!(timeline.spans, |span| span.lane)),
            ("holder", column!(timeline.spans, |span| span.holder)),
            ("from_us", column!(timeline.spans, |span| us(span.from))),
            ("to_us", column!(timeline.spans, |span| span.to.map(us))),
            ("what", column!(timeline.spans, |span| span.what)),
            ("on", column!(timeline.spans, |span| span.on)),
            ("state", column!(timeline.spans, |span| span.state.word())),
        ])?,
    )?;
    dict.set_item(
        "waits",
        table(&[
            ("holder", column!(timeline.waits, |wait| wait.holder)),
            ("from_us", column!(timeline.waits, |wait| us(wait.from))),
            ("to_us", column!(timeline.waits, |wait| wait.to.map(us))),
            ("kind", column!(timeline.waits, |wait| wait.kind.word())),
            ("lane", column!(timeline.waits, |wait| wait.lane)),
            ("where", column!(timeline.waits, |wait| wait.place)),
            ("why", column!(timeline.waits, |wait| &wait.why)),
        ])?,
    )?;
    let changes = [
        ("at_us", column!(timeline.changes, |(at, _)| us(*at))),
        ("what", column!(timeline.changes, |(_, what)| what)),
    ];
    dict.set_item("changes", table(&changes)?)?;
    dict.set_item(
        "yields",
        table(&[
            ("at_us", column!(timeline.yields, |one| us(one.at))),
            ("lane", column!(timeline.yields, |one| one.lane)),
            ("on", column!(timeline.yields, |one| one.on)),
            ("what", column!(timeline.yields, |one| one.what)),
        ])?,
    )?;
    Ok(dict)
}
