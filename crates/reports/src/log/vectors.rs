//! A log of dispatch vectors: dispatches, moves, steals by distance, and depths.

use super::Log;
use super::body::{Body, Heading, number, print, word};
use super::head::{OURS, Title, VECTOR, head};
use crate::number::{percent, queue, tenths};
use crate::printable::plain;
use measures::{ControlProcessorTotals, Figure, sum};

const TITLE: Title = Title {
    line: "Dispatch vector log in the style of the z/VM Performance Toolkit, written by slicewright",
    long: "Dispatch Vectors and Steals",
};
const MOVED: &str =
    "Moved: dispatched elsewhere than last time; Stolen: taken by this processor from a vector so far away";
const LOOKS: &str = "Looks: searches of the vectors of others when its own was empty";

const HEADINGS: [Heading; 9] = [
    word("", "Pol"),
    number("Dispatches", "", "/sec"),
    number("Dispatches", "Pct", "Moved"),
    number("Stolen/sec", "Own", "Chip"),
    number("Stolen/sec", "Own", "Book"),
    number("Stolen/sec", "", "Far"),
    number("", "Looks", "/sec"),
    number("PLDV", "Pct", "Empty"),
    number("PLDV", "Mean", "Depth"),
];

/// The dispatch vectors of one control program as a log.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn vector_page(log: &Log) -> String {
    let body = Body {
        banner: "",
        name: number("", "", "CPU"),
        headings: &HEADINGS,
        rows: &|interval| interval.control_processors.clone(),
        named: &|row| row.number.to_string(),
        cells: &cells,
        total: &|rows| Some(total(rows)).filter(|_| !rows.is_empty()),
    };
    let mut lines = head(log, &TITLE, [OURS, MOVED, LOOKS, VECTOR]);
    lines.extend(print(log, &body));
    lines.join("\n") + "\n"
}

fn cells(row: &ControlProcessorTotals) -> Vec<String> {
    let stolen = [row.stolen_chip_per_s, row.stolen_book_per_s, row.stolen_far_per_s];
    let mut cells = vec![plain(&row.polarity), tenths(row.dispatches_per_s), percent(row.moved_percent)];
    cells.extend(stolen.map(tenths));
    cells.extend([tenths(row.looks_per_s), percent(row.vector_empty_percent), queue(row.vector_depth)]);
    cells
}

/// Rates and depths add up; moves are a share of all dispatches.
fn total(rows: &[ControlProcessorTotals]) -> ControlProcessorTotals {
    let all = |figure: fn(&ControlProcessorTotals) -> Figure| sum(rows.iter().map(figure));
    let dispatches_per_s = all(|row| row.dispatches_per_s);
    let busy = rows.iter().filter(|row| row.dispatches_per_s.value > 0.0);
    let moved = sum(busy.map(|row| row.dispatches_per_s.times(row.moved_percent)));
    ControlProcessorTotals {
        dispatches_per_s,
        moved_percent: moved.over(dispatches_per_s),
        stolen_chip_per_s: all(|row| row.stolen_chip_per_s),
        stolen_book_per_s: all(|row| row.stolen_book_per_s),
        stolen_far_per_s: all(|row| row.stolen_far_per_s),
        looks_per_s: all(|row| row.looks_per_s),
        vector_depth: all(|row| row.vector_depth),
        ..ControlProcessorTotals::unknown(String::new(), 0, String::new())
    }
}
