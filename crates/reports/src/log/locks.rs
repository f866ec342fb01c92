//! A log of spin locks in the style of FCX265 LOCKLOG, written by us and saying so.
//!
//! It leaves out compare-and-delay instructions (CADs), which nothing here issues: their columns show dashes.

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
/// Columns widen with what stands in them, so nothing is cut.
pub fn lock_log_page(log: &Log) -> String {
    let body = Body {
        banner: "Spin Lock Collision Activity",
        name: word("", "LockName"),
        headings: &HEADINGS,
        rows: &|interval| interval.locks.clone(),
        named: &|row| plain(&row.lock),
        cells: &|row| [Collisions::all(row), Collisions::exclusive(row), Collisions::shared(row)].map(cells).concat(),
        total: &|rows| Some(total(rows)).filter(|_| !rows.is_empty()),
    };
    let mut lines = head(log, &TITLE, [BUSY]);
    lines.extend(print(log, &body));
    lines.join("\n") + "\n"
}

/// What the columns of a group are.
#[derive(Clone, Copy)]
struct Collisions {
    per_s: Figure,
    spin_us: Figure,
    spin_percent: Figure,
}

impl Collisions {
    fn all(row: &LockTotals) -> Self {
        Collisions { per_s: row.collisions_per_s, spin_us: row.spin_us_per_collision, spin_percent: row.spin_percent }
    }

    fn exclusive(row: &LockTotals) -> Self {
        Collisions {
            per_s: row.exclusive_collisions_per_s,
            spin_us: row.exclusive_spin_us_per_collision,
            spin_percent: row.exclusive_spin_percent,
        }
    }

    fn shared(row: &LockTotals) -> Self {
        Collisions {
            per_s: row.shared_collisions_per_s,
            spin_us: row.shared_spin_us_per_collision,
            spin_percent: row.shared_spin_percent,
        }
    }

    /// Rates and time add up; the mean spin is over all collisions.
    fn of(rows: impl Iterator<Item = Collisions> + Clone) -> Self {
        let per_s = sum(rows.clone().map(|one| one.per_s));
        let spun = rows.clone().filter(|one| one.per_s.value > 0.0).map(|one| one.per_s.times(one.spin_us));
        let spin_us = sum(spun).over(per_s);
        Collisions { per_s, spin_us, spin_percent: sum(rows.map(|one| one.spin_percent)) }
    }
}

fn cells(one: Collisions) -> Vec<String> {
    // Nothing was spun where nothing collided (FCX265 prints zeros then).
    let spin_us = if one.per_s.value == 0.0 { Figure::ZERO } else { one.spin_us };
    vec![tenths(one.per_s), microseconds(spin_us), microseconds(one.spin_percent), NOT_KNOWN.to_string()]
}

fn total(rows: &[LockTotals]) -> LockTotals {
    let all = Collisions::of(rows.iter().map(Collisions::all));
    let exclusive = Collisions::of(rows.iter().map(Collisions::exclusive));
    let shared = Collisions::of(rows.iter().map(Collisions::shared));
    LockTotals {
        collisions_per_s: all.per_s,
        spin_us_per_collision: all.spin_us,
        spin_percent: all.spin_percent,
        exclusive_collisions_per_s: exclusive.per_s,
        exclusive_spin_us_per_collision: exclusive.spin_us,
        exclusive_spin_percent: exclusive.spin_percent,
        shared_collisions_per_s: shared.per_s,
        shared_spin_us_per_collision: shared.spin_us,
        shared_spin_percent: shared.spin_percent,
        ..LockTotals::unknown(String::new(), String::new())
    }
}
