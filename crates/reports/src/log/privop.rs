//! A log of the DIAGNOSEs of guests that spin for a lock, and of other intercepts, in the style of FCX104 PRIVOP, written by
//! us.

use super::Log;
use super::body::{Body, Heading, number, print, word};
use super::head::{OURS, Title, head};
use super::machines::{Machines, all, machines};
use crate::number::{percent, tenths};
use measures::Figure;

const TITLE: Title =
    Title { line: "PRIVOP page in the style of FCX104, written by slicewright", long: "Privileged Operations" };
const YIELDS: &str = "X'44': end my slice; Fast: returned at once over an empty vector (a part of All)";
const TARGETS: &str = "X'9C': run the one that I wait for; Yields: All X'44' and X'9C'";
const OTHER: &str = "Other: instructions of steps `intercept`, which the control program simulates";
const SPINNING: &str = "Spinning: for locks of its own, percent of a processor and of its emulation (Emul)";
const DIAGNOSE: &str = "Diagnose X'44'";
const YIELDED: &str = "Yields";
const SPUN: &str = "Spinning";

const HEADINGS: [Heading; 9] = [
    number(DIAGNOSE, "All", "/sec"),
    number(DIAGNOSE, "Fast", "/sec"),
    number(DIAGNOSE, "Pct", "Fast"),
    number("X'9C'", "All", "/sec"),
    number(YIELDED, "", "/sec"),
    number(YIELDED, "Pct", "X'9C'"),
    number(SPUN, "Pct", "CPU"),
    number(SPUN, "Pct", "Emul"),
    number("Other", "", "/sec"),
];

/// How the virtual machines of one control program yield while they spin, as a log.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn privileged_operations_page(log: &Log) -> String {
    let body = Body {
        banner: "",
        name: word("", "Userid"),
        headings: &HEADINGS,
        rows: &machines,
        named: &|row| row.name.clone(),
        cells: &cells,
        total: &all,
    };
    let mut lines = head(log, &TITLE, [OURS, YIELDS, TARGETS, SPINNING, OTHER]);
    lines.extend(print(log, &body));
    lines.join("\n") + "\n"
}

fn cells(row: &Machines) -> Vec<String> {
    let [x44, fast, x9c] =
        [row.sum(|one| one.x44_per_s), row.sum(|one| one.fast_x44_per_s), row.sum(|one| one.x9c_per_s)];
    let yields = x44.plus(x9c);
    let spinning = row.sum(|one| one.spinning_percent);
    let emulation = row.sum(|one| one.emulation_percent);
    let mut cells = vec![tenths(x44), tenths(fast), percent(part(fast, x44)), tenths(x9c), tenths(yields)];
    cells.extend([part(x9c, yields), spinning, part(spinning, emulation)].map(percent));
    cells.push(tenths(row.sum(|one| one.intercepts_per_s)));
    cells
}

/// A part in percent; of nothing there is none.
fn part(part: Figure, whole: Figure) -> Figure {
    if whole.value > 0.0 { part.times(Figure::exact(100.0)).over(whole) } else { Figure::UNKNOWN }
}
