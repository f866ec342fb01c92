//! A page of volumes in the style of RMF DIRECT ACCESS DEVICE ACTIVITY, written by us and saying so.

use crate::number::{rmf_time, rounded};
use crate::printable::plain;
use crate::rmf_head::{head, lines_of};
use crate::stack::{Column, print};
use measures::{DeviceTotals, Figure, IntervalTotals, Role, VolumeTotals, sum};
use std::collections::BTreeMap;
use units::Span;

const TITLE: &str = "D I R E C T   A C C E S S   D E V I C E   A C T I V I T Y";
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

/// Whose eyes a page sees queues with.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum View {
    /// Those of an outside observer, which is never late.
    #[default]
    True,
    /// Those of the measurement program inside the partition, whose samples are late or lost when that is not dispatched.
    Sampled,
}

/// How a page looks, and what the tables of an interval do not say.
#[derive(Clone, Copy, Debug, Default)]
pub struct DirectAccessForm {
    /// Which level of RMF it looks like.
    pub level: RmfLevel,
    /// Whose eyes it sees queues with.
    pub view: View,
    /// How often the measurement program looks; otherwise the interval over the samples.
    pub cycle: Option<Span>,
}

/// The volumes of an interval as a page; `note` says in the page's head where they come from and may be empty.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn direct_access_page(interval: &IntervalTotals, form: DirectAccessForm, note: &str) -> String {
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
            ..Row::of(volume, bound, base.copied(), form)
        }
    };
    let rows: Vec<Row> = interval.volumes.iter().map(row).collect();
    let mut lines = head(TITLE, interval, form.cycle, lines_of(note).chain(notes(interval, form)));
    lines.extend(match form.level {
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
    fn of(volume: &VolumeTotals, bound: f64, base: Option<&DeviceTotals>, form: DirectAccessForm) -> Row {
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
            iosq_ms: Figure::exact(1_000.0).times(queue(volume, base, form)).over(volume.io_per_s),
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

/// The queue that IOSQ is made of: as the program inside saw it; else as sampled, or, of a page of today, as it was
/// where that is known.
fn queue(volume: &VolumeTotals, base: Option<&DeviceTotals>, form: DirectAccessForm) -> Figure {
    let device = base.map_or(Figure::UNKNOWN, |base| base.queue_depth);
    let known = |choices: [Figure; 3]| choices.into_iter().find(|figure| figure.is_known()).unwrap_or(Figure::UNKNOWN);
    match (form.view, form.level) {
        (View::Sampled, RmfLevel::Classic | RmfLevel::Current) => {
            known([volume.queue_depth_rmf, volume.queue_depth_sampled, device])
        }
        (View::True, RmfLevel::Classic) => known([volume.queue_depth_sampled, device, Figure::UNKNOWN]),
        (View::True, RmfLevel::Current) => known([volume.queue_depth, volume.queue_depth_sampled, device]),
    }
}

/// The notes for a reader of the page.
fn notes(interval: &IntervalTotals, form: DirectAccessForm) -> Vec<String> {
    let level = form.level;
    let mut notes = vec![match (form.view, level) {
        (View::Sampled, RmfLevel::Classic | RmfLevel::Current) => {
            "IOSQ is 1000 x the mean queue as sampled inside the domain / RATE; RESP is the sum of IOSQ, PEND, DISC, CONN"
        }
        (View::True, RmfLevel::Classic) => {
            "IOSQ is 1000 x the mean sampled queue / RATE; RESP is the sum of IOSQ, PEND, DISC and CONN"
        }
        (View::True, RmfLevel::Current) => "IOSQ is measured; RESP is the sum of IOSQ, PEND, DISC and CONN",
    }];
    if !interval.partitions.is_empty() {
        notes.push(match level {
            RmfLevel::Classic => {
                "the time that an ended I/O waits for its domain to handle the interrupt is not in RESP"
            }
            RmfLevel::Current => "the time that an ended I/O waits for its domain is INT DLY, and not in RESP",
        });
        if form.view == View::True {
            notes.push("volumes of all domains stand here; RMF of a domain shows its own");
        }
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

/// The page in the 580/MDF study: device, rate, and times in whole milliseconds (its tables 1 and 2).
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

#[cfg(test)]
mod tests {
    use super::*;
    use measures::PartitionTotals;

    const CLASSIC: DirectAccessForm = DirectAccessForm { level: RmfLevel::Classic, view: View::True, cycle: None };

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
        let page = direct_access_page(&interval(), CLASSIC, "");
        let lines: Vec<&str> = page.lines().rev().take(4).collect();
        assert_eq!(lines[3], "                     DEVICE  AVG  AVG  AVG  AVG  AVG");
        assert_eq!(lines[2], " DEV DEVICE VOLUME ACTIVITY RESP IOSQ PEND DISC CONN");
        assert_eq!(lines[1], " NUM TYPE   SERIAL     RATE TIME TIME TIME TIME TIME");
        assert_eq!(lines[0], " C23 3350   C23       25.54   46   29    0   13    3");
    }

    #[test]
    fn the_current_row_has_its_delays_and_percentages() {
        let page = direct_access_page(&interval(), DirectAccessForm::default(), "");
        let row: Vec<&str> = page.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(row[..6], ["C23", "3350", "-", "C23", "1", "25.540"]);
        assert_eq!(row[6..14], ["46.1", "29.4", "-", ".000", "9.90", ".500", "13.2", "3.00"]);
        assert_eq!(row[14..], ["7.66", "41.50", "0.0", "-", "-"]);
    }

    #[test]
    fn the_head_says_who_wrote_it_and_of_which_interval() {
        let page = direct_access_page(&interval(), CLASSIC, "simulated, seed 1");
        let lines: Vec<&str> = page.lines().collect();
        assert_eq!(lines[1], " slicewright, in the style of RMF   SYSTEM ID PEMDFI   INTERVAL 15.00.000");
        assert_eq!(lines[2], "TOTAL SAMPLES =    900   CYCLE 1.000 SECONDS");
        assert_eq!(lines[3], "Note simulated, seed 1");
    }

    #[test]
    fn with_partitions_the_page_says_what_its_response_has_not() {
        let mut interval = interval();
        let says = |interval: &IntervalTotals| direct_access_page(interval, CLASSIC, "").contains("not in RESP");
        assert!(!says(&interval));
        interval.partitions.push(PartitionTotals::unknown("PEMDFI".into(), 2));
        assert!(says(&interval));
    }

    #[test]
    fn the_view_from_inside_has_its_own_queue_and_cycle() {
        let mut interval = interval();
        interval.samples = 870;
        interval.volumes[0].queue_depth_rmf = Figure::exact(0.5108);
        let form = DirectAccessForm { view: View::Sampled, cycle: Some(Span::SECOND), ..CLASSIC };
        let page = direct_access_page(&interval, form, "");
        assert!(page.contains("TOTAL SAMPLES =    870   CYCLE 1.000 SECONDS"), "{page}");
        assert!(page.ends_with(" C23 3350   C23       25.54   37   20    0   13    3\n"), "{page}");
    }
}
