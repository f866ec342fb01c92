//! A log of spin locks in the style of FCX265 LOCKLOG, written by us and saying so.

use super::Log;
use super::body::{Body, Heading, number, print, word};
use super::head::{Title, head};
use crate::number::{microseconds, tenths};
use crate::printable::plain;
use measures::{Figure, LockTotals, sum};

const TITLE: Title =
    Title { line: "LOCKLOG page in the style of FCX265, written by slicewright", long: "Spin Lock Log" };
const BUSY: &str = "Spin %Busy is of one processor, summed over all; CADs are not modelled";
const NOT_KNOWN: &str = "-";

/// The groups and headings (z/VM Performance Toolkit Reference, FCX265).
const HEADINGS: [Heading; 12] = {
    let [combined, exclusive, shared] = ["Combined", "Exclusive", "Shared"];
    [
        number(combined, "Colls", "/sec"),
        number(combined, "AvgSpin", "usec"),
        number(combined, "Spin", "%Busy"),
        number(combined, "CADs", "/sec"),
        number(exclusive, "Colls", "/sec"),
        number(exclusive, "AvgSpin", "usec"),
        number(exclusive, "Spin", "%Busy"),
        number(exclusive, "CADs", "/sec"),
        number(shared, "Colls", "/sec"),
        number(shared, "AvgSpin", "usec"),
        number(shared, "Spin", "%Busy"),
        number(shared, "CADs", "/sec"),
    ]
};

/// The spin locks of one control program as a log.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn lock_log_page(log: &Log) -> String {
    let body = Body {
        banner: "Spin Lock Collision Activity",
        name: word("", "LockName"),
        headings: &HEADINGS,
        rows: &|interval| interval.locks.clone(),
        named: &|row| plain(&row.lock),
        cells: &|row| [combined(row), exclusive(row), shared(row)].map(cells).concat(),
        total: &|rows| Some(total(rows)).filter(|_| !rows.is_empty()),
    };
    let mut lines = head(log, &TITLE, [BUSY]);
    lines.extend(print(log, &body));
    lines.join("\n") + "\n"
}

/// How often locks collided, and the time spun: what the columns of a group are made of.
type Collisions = [Figure; 2];

fn combined(row: &LockTotals) -> Collisions {
    [row.collisions_per_s, row.spin_percent]
}

fn exclusive(row: &LockTotals) -> Collisions {
    [row.exclusive_collisions_per_s, row.exclusive_spin_percent]
}

fn shared(row: &LockTotals) -> Collisions {
    [row.shared_collisions_per_s, row.shared_spin_percent]
}

/// Collisions times their mean spin is the time spun, in every row: 273,000/s x 15.85 us = 433 %.
///
/// So means over replications are weighted by collisions, and where there were none the spin is zero, as on FCX265.
fn cells([per_s, spin_percent]: Collisions) -> Vec<String> {
    let spin_us = spin_percent.times(Figure::exact(1e4)).over(per_s);
    vec![tenths(per_s), microseconds(spin_us), microseconds(spin_percent), NOT_KNOWN.to_string()]
}

fn total(rows: &[LockTotals]) -> LockTotals {
    let all = |figure: fn(&LockTotals) -> Figure| sum(rows.iter().map(figure));
    LockTotals {
        collisions_per_s: all(|row| row.collisions_per_s),
        spin_percent: all(|row| row.spin_percent),
        exclusive_collisions_per_s: all(|row| row.exclusive_collisions_per_s),
        exclusive_spin_percent: all(|row| row.exclusive_spin_percent),
        shared_collisions_per_s: all(|row| row.shared_collisions_per_s),
        shared_spin_percent: all(|row| row.shared_spin_percent),
        ..LockTotals::unknown(String::new(), String::new())
    }
}
