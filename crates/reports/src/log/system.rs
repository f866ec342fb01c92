//! A page of system counters in the style of FCX102 SYSTEM, written by us and saying so: operation, count, rate.
//!
//! It leaves out the rows of FCX102 that count what is not modelled, and says which of those it knows of.

use super::Log;
use super::body::{Heading, lines, number, word, word_of};
use super::head::{Title, clock, head, milliseconds, whole};
use crate::number::{count, tenths};
use measures::{ControlProgramTotals, Figure};
use units::Span;

const TITLE: Title =
    Title { line: "SYSTEM page in the style of FCX102, written by slicewright", long: "System Counters" };
const SIDES: &str = "Left: rows of FCX102; right, and the ends of intervals: slicewright's own, in the same form";
const COUNT: &str = "Count: rate times the length of the interval";
const LEFT_OUT: &str = "Rows of FCX102 left out: El. time slice drops (there is no dispatch list to be dropped from);";
const LEFT_OUT_TOO: &str =
    "Fast-path SIGP simulat. (no SIGP of a guest is simulated); Nr. of SIE executions and SIE intercepts, Entries to";
const LEFT_OUT_LAST: &str =
    "enabled wait and CP issued Diag.X'44' (not counted); and those whose names are not known here";
const MEAN: &str = ">>Mean>>";
const THEIRS: &str = "As in FCX102";
const OWN: &str = "slicewright's own";

const HEADINGS: [Heading; 7] = [
    word("Interval", "End Time"),
    word_of(THEIRS, "", "Operation"),
    number(THEIRS, "", "Count"),
    number(THEIRS, "", "Rate/s"),
    word_of(OWN, "", "Operation"),
    number(OWN, "", "Count"),
    number(OWN, "", "Rate/s"),
];

/// An operation in its words, and how often a second it was done.
type Operation = (&'static str, fn(&ControlProgramTotals) -> Figure);

/// What FCX102 has and is modelled (z/VM Performance Toolkit Reference, FCX102).
const COUNTED: [Operation; 5] = [
    ("FP simul of Diag.X'44'", |row| row.fast_x44_per_s),
    ("Diag.X'9C' Not Ready", |row| row.x9c_not_ready_per_s),
    ("Diag.X'9C' Wait State", |row| row.x9c_wait_per_s),
    ("Diag.X'9C' Soft Wait", |row| row.x9c_soft_wait_per_s),
    ("Diag.X'9C' Alr.Dispat.", |row| row.x9c_dispatched_per_s),
];

/// What makes them whole.
const BESIDE: [Operation; 9] = [
    ("Diag.X'44', all", |row| row.x44_per_s),
    ("Diag.X'44', slice ended", ended),
    ("Diag.X'9C', all", |row| row.x9c_per_s),
    ("Diag.X'9C', target ran", |row| row.x9c_yielded_per_s),
    ("SIGP sensed: target runs", |row| row.sensed_per_s),
    ("Dispatches", |row| row.dispatches_per_s),
    ("Dispatches, stolen", |row| row.stolen_per_s),
    ("Slices ended", |row| row.slice_ends_per_s),
    ("Looks at other vectors", |row| row.looks_per_s),
];

/// What one control program counted, over all intervals and in each.
///
/// Columns widen with what stands in them, so nothing is cut.
pub fn system_counter_page(log: &Log) -> String {
    let ends: Vec<_> = log.intervals.iter().map(|(end, _)| milliseconds(*end)).collect();
    let whole = whole(&ends);
    let mut rows: Vec<_> =
        log.mean.control_programs.iter().flat_map(|row| counts(MEAN.to_string(), row, log.length)).collect();
    let mut start = Span::ZERO;
    for ((end, totals), at) in log.intervals.iter().zip(&ends) {
        let length = *end - start;
        rows.extend(totals.control_programs.iter().flat_map(|row| counts(clock(*at, whole), row, length)));
        start = *end;
    }
    let mut printed = head(log, &TITLE, [SIDES, COUNT, LEFT_OUT, LEFT_OUT_TOO, LEFT_OUT_LAST]);
    printed.extend(lines("", &HEADINGS, &rows));
    printed.join("\n") + "\n"
}

/// X'44' that was not fast; rounding leaves no less than nothing.
fn ended(row: &ControlProgramTotals) -> Figure {
    let ended = row.x44_per_s.plus(row.fast_x44_per_s.times(Figure::exact(-1.0)));
    if ended.value < 0.0 { Figure::ZERO } else { ended }
}

fn counts(when: String, row: &ControlProgramTotals, length: Span) -> Vec<Vec<String>> {
    let cells = |operation: Option<&Operation>| match operation {
        Some((name, per_s)) => {
            let per_s = per_s(row);
            [name.to_string(), count(per_s.times(Figure::exact(length.seconds()))), tenths(per_s)]
        }
        None => Default::default(),
    };
    let line = |at| [std::slice::from_ref(&when), &cells(COUNTED.get(at))[..], &cells(BESIDE.get(at))].concat();
    (0..COUNTED.len().max(BESIDE.len())).map(line).collect()
}
