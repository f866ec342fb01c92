//! A page of volumes in the style of RMF DIRECT ACCESS DEVICE ACTIVITY, written by us and saying so.
//!
//! It leaves out what totals do not have: storage groups, cylinders, control units and allocations show blanks or dashes.

use crate::number::{rmf_time, rounded};
use crate::printable::{in_one_line, plain};
use crate::stack::{Column, print};
use measures::{DeviceTotals, Figure, IntervalTotals, Role, VolumeTotals, sum};
use std::collections::BTreeMap;

const TITLE: &str = "D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y";
const INDENT: usize = 30;
const BY: &str = "slicewright, in the style of RMF";
const NOT_KNOWN: &str = "-";

/// Which level of RMF a page looks like.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum RmfLevel {
    /// z/OS: IOSQ is measured, with delays and percentages.
    #[default]
    Current,
    /// MVS/XA: IOSQ is the mean sampled queue over the rate, times are whole milliseconds.
    Classic,
}

/// The volumes of an interval as a page; `note` says in the page's head where they come from and may be empty.
///
/// Columns widen with what stands in them, so nothing is cut.
pub fn direct_access_page(interval: &IntervalTotals, level: RmfLevel, note: &str) -> String {
    let devices: BTreeMap<&str, &DeviceTotals> =
        interval.devices.iter().map(|device| (device.device.as_str(), device)).collect();
    let mut bound: BTreeMap<&str, f64> = BTreeMap::new();
    for device in interval.devices.iter().filter(|device| matches!(device.role, Role::BoundAlias { .. })) {
        *bound.entry(device.role.base()).or_default() += 1.0;
    }
    let row = |volume: &'_ VolumeTotals| {
        let base = devices.get(volume.device.as_str());
        let bound = bound.get(volume.device.as_str()).copied().unwrap_or(0.0);
        Row {
            kind: base.map_or(String::new(), |base| plain(&base.kind)),
            ..Row::of(volume, bound, base.copied(), level)
        }
    };
    let rows: Vec<Row> = interval.volumes.iter().map(row).collect();
    let mut lines = head(interval, level, note);
    lines.extend(match level {
        RmfLevel::Current => print(&current(&rows)),
        RmfLevel::Classic => print(&classic(&rows)),
    });
    lines.join("\n") + "\n"
}

/// A row before it is printed.
struct Row {
    device: String,
    kind: String,
    volume: String,
    exposures: String,
    /// By how many exposures percentages are divided.
    shared_by: f64,
    rate: Figure,
    iosq_ms: Figure,
    held_ms: Figure,
    hold_ms: Figure,
    pend_ms: Figure,
    disc_ms: Figure,
    conn_ms: Figure,
    reserved_percent: Figure,
}

impl Row {
    fn of(volume: &VolumeTotals, bound: f64, base: Option<&DeviceTotals>, level: RmfLevel) -> Row {
        let on_aliases = volume.alias_io_per_s.times(volume.service_ms).value / 1_000.0;
        let (exposures, shared_by) = match volume.pool.as_str() {
            "" => (format!("{:.0}", 1.0 + bound), 1.0 + bound),
            _ if on_aliases.is_finite() => (format!("{:.1}H", 1.0 + on_aliases), 1.0 + on_aliases),
            _ => (NOT_KNOWN.to_string(), f64::NAN),
        };
        Row {
            device: plain(&volume.device),
            kind: String::new(),
            volume: plain(&volume.volume),
            exposures,
            shared_by,
            rate: volume.io_per_s,
            iosq_ms: Figure::exact(1_000.0).times(queue(volume, base, level)).over(volume.io_per_s),
            held_ms: volume.held_ms,
            hold_ms: volume.hold_ms,
            pend_ms: volume.pend_ms,
            disc_ms: volume.disc_ms,
            conn_ms: volume.conn_ms,
            reserved_percent: volume.reserved_percent,
        }
    }

    /// The sum of its parts (Partitioning Large Processors, 4.0); waiting for the interrupt to be handled is none of them.
    fn response_ms(&self) -> Figure {
        sum([self.iosq_ms, self.pend_ms, self.disc_ms, self.conn_ms])
    }

    /// Percent of the interval in which an exposure did something that takes `ms` for each I/O.
    fn percent(&self, ms: Figure) -> Figure {
        self.rate.times(ms).over(Figure::exact(10.0 * self.shared_by))
    }
}

/// The queue that IOSQ is made of: as sampled, or, of a page of today, as it was where that is known.
fn queue(volume: &VolumeTotals, base: Option<&DeviceTotals>, level: RmfLevel) -> Figure {
    let device = base.map_or(Figure::UNKNOWN, |base| base.queue_depth);
    let known = |choices: [Figure; 3]| choices.into_iter().find(|figure| figure.is_known()).unwrap_or(Figure::UNKNOWN);
    match level {
        RmfLevel::Classic => known([volume.queue_depth_sampled, device, Figure::UNKNOWN]),
        RmfLevel::Current => known([volume.queue_depth, volume.queue_depth_sampled, device]),
    }
}

fn head(interval: &IntervalTotals, level: RmfLevel, note: &str) -> Vec<String> {
    let mut first = vec![BY.to_string()];
    let name = one_blank(&interval.name);
    first.extend(Some(name).filter(|name| !name.is_empty()).map(|name| format!("SYSTEM ID {name}")));
    let started = interval.started.as_deref().map(one_blank).unwrap_or_default();
    match started.split(' ').collect::<Vec<_>>()[..] {
        [""] => {}
        [date, time] => first.extend([format!("DATE {date}"), format!("TIME {time}")]),
        _ => first.push(format!("DATE {started}")),
    }
    let ms = (interval.length.seconds() * 1_000.0).round() as u64;
    first.extend(Some(ms).filter(|ms| *ms > 0).map(|ms| format!("INTERVAL {}", clock(ms))));
    let mut second = Vec::new();
    if interval.samples > 0 {
        second.push(format!("TOTAL SAMPLES = {:>6}", interval.samples));
        let cycle = ms / interval.samples;
        second.extend(
            Some(cycle).filter(|ms| *ms > 0).map(|ms| format!("CYCLE {}.{:03} SECONDS", ms / 1_000, ms % 1_000)),
        );
    }
    let mut lines = vec![format!("{:INDENT$}{TITLE}", ""), format!(" {}", first.join("   "))];
    lines.extend(Some(second).filter(|parts| !parts.is_empty()).map(|parts| parts.join("   ")));
    let given = note.lines().map(one_blank).filter(|line| !line.is_empty());
    lines.extend(given.chain(notes(interval, level)).map(|line| format!("Note {line}")));
    lines.push(String::new());
    lines
}

/// What a reader of the page has to know.
fn notes(interval: &IntervalTotals, level: RmfLevel) -> Vec<String> {
    let mut notes = vec![match level {
        RmfLevel::Classic => {
            "IOSQ is 1000 x the mean sampled queue / RATE; RESP is the sum of IOSQ, PEND, DISC and CONN"
        }
        RmfLevel::Current => "IOSQ is measured; RESP is the sum of IOSQ, PEND, DISC and CONN",
    }];
    if !interval.partitions.is_empty() {
        notes.push(match level {
            RmfLevel::Classic => {
                "the time that an ended I/O waits for its domain to handle the interrupt is not in RESP"
            }
            RmfLevel::Current => "the time that an ended I/O waits for its domain is INT DLY, and not in RESP",
        });
        notes.push("volumes of all domains stand here; RMF of a domain shows its own");
    }
    notes.into_iter().map(String::from).collect()
}

/// The headings of z/OS V2R4; where its numbers end is not known, so ours end with their headings.
fn current(rows: &[Row]) -> Vec<Column> {
    let word = |heading, text: &dyn Fn(&Row) -> String| Column::words(heading, rows.iter().map(text));
    let number = |heading, text: &dyn Fn(&Row) -> String| Column::numbers(heading, rows.iter().map(text));
    let time = |heading, ms: &dyn Fn(&Row) -> Figure| number(heading, &|row| rmf_time(ms(row)));
    let percent = |heading, ms: &dyn Fn(&Row) -> Figure| number(heading, &|row| rounded(row.percent(ms(row)), 2));
    vec![
        word(["", "STORAGE", "GROUP"], &|_| String::new()),
        number(["", "DEV", "NUM"], &|row| row.device.clone()),
        word(["", "DEVICE", "TYPE"], &|row| row.kind.clone()),
        number(["", "NUMBER", "OF CYL"], &|_| NOT_KNOWN.into()),
        word(["", "VOLUME", "SERIAL"], &|row| row.volume.clone()),
        word(["", "PAV", ""], &|row| row.exposures.clone()),
        word(["", "LCU", ""], &|_| String::new()),
        number(["DEVICE", "ACTIVITY", "RATE"], &|row| rounded(row.rate, 3)),
        time(["AVG", "RESP", "TIME"], &Row::response_ms),
        time(["AVG", "IOSQ", "TIME"], &|row| row.iosq_ms),
        number(["AVG", "CMR", "DLY"], &|_| NOT_KNOWN.into()),
        time(["AVG", "DB", "DLY"], &|row| row.held_ms),
        time(["AVG", "INT", "DLY"], &|row| row.hold_ms),
        time(["AVG", "PEND", "TIME"], &|row| row.pend_ms),
        time(["AVG", "DISC", "TIME"], &|row| row.disc_ms),
        time(["AVG", "CONN", "TIME"], &|row| row.conn_ms),
        percent(["%", "DEV", "CONN"], &|row| row.conn_ms),
        percent(["%", "DEV", "UTIL"], &|row| row.conn_ms.plus(row.disc_ms)),
        number(["%", "DEV", "RESV"], &|row| rounded(row.reserved_percent, 1)),
        number(["AVG", "NMBR", "ALLOC"], &|_| NOT_KNOWN.into()),
        number(["%", "ANY", "ALLOC"], &|_| NOT_KNOWN.into()),
    ]
}

/// What the 580/MDF study tells of its page: device, rate, and times in whole milliseconds (its tables 1 and 2).
fn classic(rows: &[Row]) -> Vec<Column> {
    let word = |heading, text: &dyn Fn(&Row) -> String| Column::words(heading, rows.iter().map(text));
    let number = |heading, text: &dyn Fn(&Row) -> String| Column::numbers(heading, rows.iter().map(text));
    let time = |heading, ms: &dyn Fn(&Row) -> Figure| number(heading, &|row| rounded(ms(row), 0));
    vec![
        number(["", "DEV", "NUM"], &|row| row.device.clone()),
        word(["", "DEVICE", "TYPE"], &|row| row.kind.clone()),
        word(["", "VOLUME", "SERIAL"], &|row| row.volume.clone()),
        number(["DEVICE", "ACTIVITY", "RATE"], &|row| rounded(row.rate, 2)),
        time(["AVG", "RESP", "TIME"], &Row::response_ms),
        time(["AVG", "IOSQ", "TIME"], &|row| row.iosq_ms),
        time(["AVG", "PEND", "TIME"], &|row| row.pend_ms),
        time(["AVG", "DISC", "TIME"], &|row| row.disc_ms),
        time(["AVG", "CONN", "TIME"], &|row| row.conn_ms),
    ]
}

/// Minutes, seconds and thousandths; from 100 minutes on with hours before them.
fn clock(ms: u64) -> String {
    let (minutes, seconds, thousandths) = (ms / 60_000, ms / 1_000 % 60, ms % 1_000);
    match minutes {
        0..100 => format!("{minutes:02}.{seconds:02}.{thousandths:03}"),
        _ => format!("{:02}.{:02}.{seconds:02}.{thousandths:03}", minutes / 60, minutes % 60),
    }
}

/// A text in which single blanks part the words, so that it is one part of a head.
fn one_blank(text: &str) -> String {
    in_one_line(text).split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use measures::PartitionTotals;
    use units::Span;

    fn volume() -> VolumeTotals {
        VolumeTotals {
            io_per_s: Figure::exact(25.54),
            pend_ms: Figure::exact(0.5),
            disc_ms: Figure::exact(13.25),
            conn_ms: Figure::exact(3.0),
            service_ms: Figure::exact(16.75),
            held_ms: Figure::ZERO,
            hold_ms: Figure::exact(9.9),
            reserved_percent: Figure::ZERO,
            queue_depth: Figure::exact(0.75),
            queue_depth_sampled: Figure::exact(0.74066),
            ..VolumeTotals::unknown("C23".into(), "C23".into(), String::new())
        }
    }

    fn interval() -> IntervalTotals {
        let mut interval = IntervalTotals::new("PEMDFI", Span::SECOND * 900);
        interval.samples = 900;
        interval.volumes.push(volume());
        interval.devices.push(DeviceTotals::unknown("C23".into(), "3350".into(), "C23".into(), Role::Base, 4));
        interval
    }

    #[test]
    fn the_classic_row_is_that_of_the_published_table() {
        // Partitioning Large Processors, table 2: IMS-C23 at scheduling parameter 1 has 25.54/s, RESP 46, IOSQ 29.
        let page = direct_access_page(&interval(), RmfLevel::Classic, "");
        let lines: Vec<&str> = page.lines().rev().take(4).collect();
        assert_eq!(lines[3], "                     DEVICE  AVG  AVG  AVG  AVG  AVG");
        assert_eq!(lines[2], " DEV DEVICE VOLUME ACTIVITY RESP IOSQ PEND DISC CONN");
        assert_eq!(lines[1], " NUM TYPE   SERIAL     RATE TIME TIME TIME TIME TIME");
        assert_eq!(lines[0], " C23 3350   C23       25.54   46   29    0   13    3");
    }

    #[test]
    fn the_current_row_has_its_delays_and_percentages() {
        let page = direct_access_page(&interval(), RmfLevel::Current, "");
        let row: Vec<&str> = page.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(row[..6], ["C23", "3350", "-", "C23", "1", "25.540"]);
        assert_eq!(row[6..14], ["46.1", "29.4", "-", ".000", "9.90", ".500", "13.2", "3.00"]);
        assert_eq!(row[14..], ["7.66", "41.50", "0.0", "-", "-"]);
    }

    #[test]
    fn the_head_says_who_wrote_it_and_of_which_interval() {
        let page = direct_access_page(&interval(), RmfLevel::Classic, "simulated, seed 1");
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines[1], " slicewright, in the style of RMF   SYSTEM ID PEMDFI   INTERVAL 15.00.000");
        assert_eq!(lines[2], "TOTAL SAMPLES =    900   CYCLE 1.000 SECONDS");
        assert_eq!(lines[3], "Note simulated, seed 1");
    }

    #[test]
    fn with_partitions_the_page_says_what_its_response_has_not() {
        let mut interval = interval();
        let says =
            |interval: &IntervalTotals| direct_access_page(interval, RmfLevel::Classic, "").contains("not in RESP");
        assert!(!says(&interval));
        interval.partitions.push(PartitionTotals::unknown("PEMDFI".into(), 2));
        assert!(says(&interval));
    }
}
