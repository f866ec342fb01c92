//! A log of the spin locks of guests in the style of FCX265 LOCKLOG, which is about those of the control program.

use super::Log;
use super::body::{Body, Heading, number, print, word};
use super::head::{OURS, Title, head};
use super::machines::MOST;
use crate::number::{microseconds, percent, queue, tenths};
use crate::printable::plain;
use measures::{Figure, IntervalTotals, SpinLockTotals, sum};

const TITLE: Title = Title {
    line: "Guest spin locks in the style of FCX265 LOCKLOG, written by slicewright",
    long: "Guest Spin Lock Log",
};
const TAKEN: &str = "Contnd: had to spin for it; Mean and Long: their wait from the first try to having it, in elapsed";
const HELD: &str = "time, with or without a processor; Held usec: from having it to giving it back, elapsed too";
const SPINS: &str = "Pct Time: one of them is held; Spin: how many wait for one, on average";
const KINDS: &str =
    "A row is of all machines of a kind, as there are many: rates and Spin are sums, Pct Time is a mean";
const WAIT: &str = "Wait";

const HEADINGS: [Heading; 9] = [
    word("", "Userid"),
    number("Taken", "All", "/sec"),
    number("Taken", "Contnd", "/sec"),
    number("Taken", "Pct", "Contnd"),
    number(WAIT, "Mean", "usec"),
    number(WAIT, "Long", "msec"),
    number("Held", "", "usec"),
    number("Held", "Pct", "Time"),
    number("", "Mean", "Spin"),
];

/// The spin locks in the virtual machines of one control program as a log.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn spin_lock_page(log: &Log) -> String {
    let body = Body {
        banner: "",
        name: word("", "LockName"),
        headings: &HEADINGS,
        rows: &locks,
        named: &|row| plain(&row.rows[0].lock),
        cells: &cells,
        total: &total,
    };
    let many = Some(KINDS).filter(|_| log.mean.spin_locks.len() > MOST);
    let mut lines = head(log, &TITLE, [OURS, TAKEN, HELD, SPINS].into_iter().chain(many));
    lines.extend(print(log, &body));
    lines.join("\n") + "\n"
}

/// The locks of one name in one machine, or in all of a kind, or all there are.
struct Locks {
    machine: String,
    rows: Vec<SpinLockTotals>,
}

impl Locks {
    /// The owner: a machine, with its number where there are others of its kind, or a kind with their number.
    fn machine(&self, all: &[SpinLockTotals]) -> String {
        let first = &self.rows[0];
        let kind = plain(&first.virtual_machine);
        match (self.rows.len(), all.iter().filter(|row| alike(row, first)).count()) {
            (_, 1) => kind,
            (1, _) => format!("{kind}#{}", first.number),
            (many, _) => format!("{kind}({many})"),
        }
    }

    fn sum(&self, figure: fn(&SpinLockTotals) -> Figure) -> Figure {
        sum(self.rows.iter().map(figure))
    }

    /// A mean per event, over all events; where there was none it is not known.
    fn per(&self, figure: fn(&SpinLockTotals) -> Figure, per_s: fn(&SpinLockTotals) -> Figure) -> Figure {
        let some = self.rows.iter().filter(|row| per_s(row).value > 0.0);
        match self.sum(per_s) {
            events if events.value > 0.0 => sum(some.map(|row| figure(row).times(per_s(row)))).over(events),
            _ => Figure::UNKNOWN,
        }
    }

    /// The mean of those that are alike; of others there is none that says something.
    fn held_percent(&self) -> Figure {
        match self.rows.iter().all(|row| alike(row, &self.rows[0])) {
            true => self.sum(|row| row.held_percent).over(Figure::exact(self.rows.len() as f64)),
            false => Figure::UNKNOWN,
        }
    }

    fn longest(&self) -> Figure {
        let waited = self.rows.iter().filter(|row| row.contended_per_s.value > 0.0).map(|row| row.longest_wait_ms);
        waited.reduce(|one, other| if other.value > one.value { other } else { one }).unwrap_or(Figure::UNKNOWN)
    }
}

/// The rows of an interval.
fn locks(interval: &IntervalTotals) -> Vec<Locks> {
    let rows = &interval.spin_locks;
    let mut locks: Vec<Locks> = Vec::new();
    for row in rows {
        let of_kind = locks.iter_mut().find(|one| rows.len() > MOST && one.rows.iter().all(|other| alike(row, other)));
        match of_kind {
            Some(kind) => kind.rows.push(row.clone()),
            None => locks.push(Locks { machine: String::new(), rows: vec![row.clone()] }),
        }
    }
    for one in &mut locks {
        one.machine = one.machine(rows);
    }
    locks
}

/// All rows as one.
fn total(rows: &[Locks]) -> Option<Locks> {
    let rows: Vec<_> = rows.iter().flat_map(|one| one.rows.clone()).collect();
    Some(Locks { machine: String::new(), rows }).filter(|all| !all.rows.is_empty())
}

fn alike(one: &SpinLockTotals, other: &SpinLockTotals) -> bool {
    (&one.lock, &one.virtual_machine) == (&other.lock, &other.virtual_machine)
}

fn cells(row: &Locks) -> Vec<String> {
    let [taken, contended] = [row.sum(|one| one.taken_per_s), row.sum(|one| one.contended_per_s)];
    let mut cells = vec![row.machine.clone(), tenths(taken), tenths(contended)];
    cells.push(percent(row.per(|one| one.contended_percent, |one| one.taken_per_s)));
    cells.push(microseconds(row.per(|one| one.wait_us, |one| one.contended_per_s)));
    cells.push(microseconds(row.longest()));
    cells.push(microseconds(row.per(|one| one.held_us, |one| one.taken_per_s)));
    cells.extend([percent(row.held_percent()), queue(row.sum(|one| one.spinning))]);
    cells
}
