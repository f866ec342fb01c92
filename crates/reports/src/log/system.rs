//! A page of system counters in the style of FCX102 SYSTEM, written by us and saying so: operation, count, rate.

use super::Log;
use super::body::{Heading, lines, number, word, word_of};
use super::head::{Title, clock, head, milliseconds, whole};
use crate::number::{count, tenths};
use measures::{ControlProgramTotals, Figure, IntervalTotals, LockTotals, sum};
use units::Span;

const TITLE: Title =
    Title { line: "SYSTEM page in the style of FCX102, written by slicewright", long: "System Counters" };
const SIDES: &str = "Left: rows of FCX102; right, and the ends of intervals: slicewright's own, in the same form";
const COUNT: &str = "Count: rate times the length of the interval";
const LEFT_OUT: &str =
    "Rows of FCX102 not printed: El. time slice drops (there is no dispatch list to be dropped from);";
const LEFT_OUT_TOO: &str =
    "Fast-path SIGP simulat. (no SIGP of a guest is simulated); Nr. of SIE executions and SIE intercepts, Entries to";
const LEFT_OUT_LAST: &str =
    "enabled wait (not counted); CP issued Diag.X'44' (at right, with X'9C'); and those whose names are not known here";
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
type Operation = (&'static str, fn(&Counted) -> Figure);

/// The counts of one control program.
struct Counted<'a> {
    program: &'a ControlProgramTotals,
    locks: &'a [LockTotals],
}

/// The modelled rows of FCX102 (z/VM Performance Toolkit Reference, FCX102).
const THEIR_OPERATIONS: [Operation; 5] = [
    ("FP simul of Diag.X'44'", |of| of.program.fast_x44_per_s),
    ("Diag.X'9C' Not Ready", |of| of.program.x9c_not_ready_per_s),
    ("Diag.X'9C' Wait State", |of| of.program.x9c_wait_per_s),
    ("Diag.X'9C' Soft Wait", |of| of.program.x9c_soft_wait_per_s),
    ("Diag.X'9C' Alr.Dispat.", |of| of.program.x9c_dispatched_per_s),
];

/// The rows that complete them.
const OWN_OPERATIONS: [Operation; 10] = [
    ("Diag.X'44', all", |of| of.program.x44_per_s),
    ("Diag.X'44', slice ended", ended),
    ("Diag.X'9C', all", |of| of.program.x9c_per_s),
    ("Diag.X'9C', target ran", |of| of.program.x9c_yielded_per_s),
    ("SIGP sensed: target runs", |of| of.program.sensed_per_s),
    ("CP issued X'44', X'9C'", |of| sum(of.locks.iter().map(|lock| lock.yields_per_s))),
    ("Dispatches", |of| of.program.dispatches_per_s),
    ("Dispatches, stolen", |of| of.program.stolen_per_s),
    ("Slices ended", |of| of.program.slice_ends_per_s),
    ("Looks at other vectors", |of| of.program.looks_per_s),
];

/// The counts of one control program, over all intervals and in each, from its row and those of its locks.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn system_counter_page(log: &Log) -> String {
    let ends: Vec<_> = log.intervals.iter().map(|(end, _)| milliseconds(*end)).collect();
    let whole = whole(&ends);
    let mut rows = counts(MEAN.to_string(), &log.mean, log.length);
    let mut start = Span::ZERO;
    for ((end, totals), at) in log.intervals.iter().zip(&ends) {
        rows.extend(counts(clock(*at, whole), totals, *end - start));
        start = *end;
    }
    let mut printed = head(log, &TITLE, [SIDES, COUNT, LEFT_OUT, LEFT_OUT_TOO, LEFT_OUT_LAST]);
    printed.extend(lines("", &HEADINGS, &rows));
    printed.join("\n") + "\n"
}

/// X'44' that was not fast; rounding leaves no less than nothing.
fn ended(of: &Counted) -> Figure {
    let ended = of.program.x44_per_s.plus(of.program.fast_x44_per_s.times(Figure::exact(-1.0)));
    if ended.value < 0.0 { Figure::ZERO } else { ended }
}

fn counts(when: String, totals: &IntervalTotals, length: Span) -> Vec<Vec<String>> {
    let Some(program) = totals.control_programs.first() else { return Vec::new() };
    let counted = Counted { program, locks: &totals.locks };
    let cells = |operation: Option<&Operation>| match operation {
        Some((name, per_s)) => {
            let per_s = per_s(&counted);
            [name.to_string(), count(per_s.times(Figure::exact(length.seconds()))), tenths(per_s)]
        }
        None => Default::default(),
    };
    let line =
        |at| [std::slice::from_ref(&when), &cells(THEIR_OPERATIONS.get(at)), &cells(OWN_OPERATIONS.get(at))].concat();
    (0..THEIR_OPERATIONS.len().max(OWN_OPERATIONS.len())).map(line).collect()
}
