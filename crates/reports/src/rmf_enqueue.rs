//! A page of resources in contention in the style of RMF ENQUEUE ACTIVITY, written by us and saying so.
//!
//! ASSUME: the printed layout is not at hand; columns are those of SMF record 77, under headings as they are remembered.

use crate::grouped::{Column, print};
use crate::number::{queue, rounded};
use crate::printable::in_one_line;
use crate::rmf_head::{head, lines_of};
use measures::{EnqueueTotals, Figure, IntervalTotals};

const TITLE: &str = "E N Q U E U E   A C T I V I T Y";
const TIMES: &str =
    "CONTENTION TIME is in milliseconds, from the first waiter to the last; QLEN in percent of that time";
const OURS: &str = "columns are those of SMF record 77; REQUESTS and WAIT are ours; members of a resource are one row";
const NOTHING: &str = "no resource was in contention";

/// The resources of an interval that were in contention; `note` says in the page's head where they come from and may be
/// empty.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn enqueue_page(interval: &IntervalTotals, note: &str) -> String {
    let rows: Vec<&EnqueueTotals> = interval.enqueues.iter().filter(|row| was_contended(row)).collect();
    let nothing = Some(NOTHING.to_string()).filter(|_| rows.is_empty());
    let notes = lines_of(note).chain([TIMES.to_string(), OURS.to_string()]).chain(nothing);
    let mut lines = head(TITLE, interval, None, notes);
    lines.extend(print(&columns(&rows), ""));
    lines.join("\n") + "\n"
}

fn columns(rows: &[&EnqueueTotals]) -> Vec<Column> {
    let word = |heading, text: &dyn Fn(&EnqueueTotals) -> String| {
        Column::words("NAME", heading, rows.iter().map(|row| text(row)))
    };
    let number = |group, heading, decimals, figure: &dyn Fn(&EnqueueTotals) -> Figure| {
        Column::numbers(group, heading, rows.iter().map(|row| rounded(figure(row), decimals)))
    };
    vec![
        word("MAJOR", &|row| in_one_line(&row.qname)),
        word("MINOR", &minor),
        word("SCOPE", &|row| row.scope.clone()),
        number("REQUESTS", "PER SEC", 1, &|row| row.requests_per_s),
        number("CONTENTION TIME", "MIN", 3, &|row| row.contention_min_ms),
        number("CONTENTION TIME", "MAX", 3, &|row| row.contention_max_ms),
        number("CONTENTION TIME", "TOT", 1, &|row| row.contention_total_ms),
        number("CONTENTION TIME", "AVG", 3, &|row| row.contention_mean_ms),
        number("%QLEN DISTRIBUTION", "1", 1, &|row| row.queue_1_percent),
        number("%QLEN DISTRIBUTION", "2", 1, &|row| row.queue_2_percent),
        number("%QLEN DISTRIBUTION", "3", 1, &|row| row.queue_3_percent),
        number("%QLEN DISTRIBUTION", "4+", 1, &|row| row.queue_4_percent),
        Column::numbers("AVG Q", "LNGTH", rows.iter().map(|row| queue(row.queue_depth))),
        number("WAIT", "AVG", 3, &|row| row.wait_ms),
        number("WAITING", "EXCL", 0, &|row| row.exclusive_waiters_max),
        number("WAITING", "SHARE", 0, &|row| row.shared_waiters_max),
        number("TOTAL", "EVENT", 0, &|row| row.contentions),
    ]
}

/// The minor name, with how many members it stands for.
fn minor(row: &EnqueueTotals) -> String {
    let name = in_one_line(&row.rname);
    if row.members > 1 { format!("{name}.({})", row.members) } else { name }
}

/// Whether a task waited for it in the interval; its wait may have begun before.
fn was_contended(row: &EnqueueTotals) -> bool {
    row.contentions.value > 0.0 || row.contention_total_ms.value > 0.0
}
