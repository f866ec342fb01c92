//! A page of partitions in the style of RMF PARTITION DATA, written by us and saying so.

use crate::grouped::{Column, print};
use crate::number::rounded;
use crate::printable::plain;
use crate::rmf_head::{head, lines_of, one_blank};
use measures::{Figure, IntervalTotals, PartitionTotals, sum};
use units::Span;

const TITLE: &str = "P A R T I T I O N   D A T A   R E P O R T";
const NOBODY: &str = "*PHYSICAL*";
const LABELS: usize = 36;

const EFFECTIVE: &str = "EFFECTIVE is dispatched to the partition; TOTAL = LPAR MGMT (switching to it) + EFFECTIVE";
const WAITS: &str = "WAIT COMPLETION YES: a partition that waits stays dispatched, and its wait is part of EFFECTIVE";
const PARTLY: &str =
    "PROCESSOR NUM with a decimal is online time over the interval; LOGICAL PROCESSORS are percentages of it";
const OWNED: &str = "*PHYSICAL* is nothing: every switch is owned by the partition that comes";

/// The facts on the machine beside the tables of an interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Machine {
    /// The partition whose RMF is meant to print the page.
    pub seen_from: String,
    /// How many physical processors there are; 0 is not known, and nothing that depends on them is printed.
    pub physical: u64,
    /// Whether a partition that waits stays dispatched.
    pub waits: bool,
    /// For how long a partition is dispatched, as printed; empty where it is not one length.
    pub dispatch_interval: String,
    /// The share of each partition of the interval, in their order.
    pub settings: Vec<Setting>,
}

/// The share of a partition.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Setting {
    /// Its weight as printed: `50`, or `DED` where its processors are dedicated.
    pub weight: String,
    /// Whether it is capped, as printed: `YES`, `NO`.
    pub capping: String,
    /// How many of its processors were online, averaged over the interval; none: all of them, all the time.
    pub online: Option<f64>,
}

/// The partitions of an interval as a page; `note` says in its head where they come from and may be empty.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn partition_page(interval: &IntervalTotals, machine: &Machine, note: &str) -> String {
    let mut notes: Vec<String> = lines_of(note).collect();
    notes.push(EFFECTIVE.to_string());
    notes.extend(Some(WAITS.to_string()).filter(|_| machine.waits));
    notes.extend(Some(OWNED.to_string()).filter(|_| machine.physical > 0));
    notes.extend(Some(PARTLY.to_string()).filter(|_| machine.settings.iter().any(|setting| setting.online.is_some())));
    let mut lines = head(TITLE, interval, None, notes);
    lines.extend(facts(interval, machine).into_iter().map(|(label, value)| format!("{label:<LABELS$}{value}")));
    lines.push(String::new());
    lines.extend(print(&columns(interval, machine), ""));
    lines.join("\n") + "\n"
}

fn facts(interval: &IntervalTotals, machine: &Machine) -> Vec<(&'static str, String)> {
    let seen_from = Some(one_blank(&machine.seen_from)).filter(|name| !name.is_empty());
    let mut facts: Vec<(&'static str, String)> = Vec::new();
    facts.extend(seen_from.map(|name| ("MVS PARTITION NAME", name)));
    facts.push(("NUMBER OF CONFIGURED PARTITIONS", interval.partitions.len().to_string()));
    if machine.physical > 0 {
        facts.push(("PHYSICAL PROCESSORS", machine.physical.to_string()));
        facts.push(("WAIT COMPLETION", if machine.waits { "YES" } else { "NO" }.to_string()));
    }
    let interval = Some(one_blank(&machine.dispatch_interval)).filter(|interval| !interval.is_empty());
    facts.extend(interval.map(|interval| ("DISPATCH INTERVAL", interval)));
    facts
}

/// A row before it is printed; times are in seconds, percentages of the time of all physical processors.
struct Row {
    name: String,
    status: String,
    setting: Setting,
    processors: String,
    dispatch_s: [Figure; 2],
    logical_percent: [Figure; 2],
    physical_percent: [Figure; 3],
}

impl Row {
    fn of(row: &PartitionTotals, setting: Setting, length: Span, physical: u64) -> Row {
        let (effective, management) = (row.dispatched_percent, row.management_percent);
        let total = effective.plus(management);
        let count = Figure::exact(row.logical_processors as f64);
        let seconds = |percent: Figure| percent.times(count).times(Figure::exact(length.seconds() / 100.0));
        let online = setting.online;
        let of_online =
            |percent: Figure| online.map_or(percent, |online| percent.times(count).over(Figure::exact(online)));
        let all = Some(physical).filter(|physical| *physical > 0).map_or(f64::NAN, |physical| physical as f64);
        let of_all = |percent: Figure| percent.times(count).over(Figure::exact(all));
        Row {
            name: plain(&row.partition),
            status: "A".into(),
            setting,
            // RMF prints the online time over the time of the interval, with a decimal.
            processors: online.map_or(row.logical_processors.to_string(), |online| format!("{online:.1}")),
            dispatch_s: [effective, total].map(seconds),
            logical_percent: [effective, total].map(of_online),
            physical_percent: [management, effective, total].map(of_all),
        }
    }

    /// The time that no partition owns, or all rows together.
    fn without_partition(name: &str, dispatch_s: [Figure; 2], physical_percent: [Figure; 3]) -> Row {
        Row {
            name: name.into(),
            status: String::new(),
            setting: Setting::default(),
            processors: String::new(),
            dispatch_s,
            logical_percent: [Figure::UNKNOWN; 2],
            physical_percent,
        }
    }
}

fn rows(interval: &IntervalTotals, machine: &Machine) -> Vec<Row> {
    let settings = machine.settings.iter().cloned().chain(std::iter::repeat(Setting::default()));
    let own = interval.partitions.iter().zip(settings);
    let mut rows: Vec<Row> =
        own.map(|(row, setting)| Row::of(row, setting, interval.length, machine.physical)).collect();
    let [nothing, none] = [Figure::ZERO, Figure::UNKNOWN];
    if machine.physical > 0 {
        rows.push(Row::without_partition(NOBODY, [none, nothing], [nothing, none, nothing]));
    }
    let total = |of: &dyn Fn(&Row) -> Figure| sum(rows.iter().map(of).filter(|figure| figure.is_known()));
    let dispatch_s = [0, 1].map(|nth| total(&|row| row.dispatch_s[nth]));
    let percent = [0, 1, 2].map(|nth| total(&|row| row.physical_percent[nth]));
    rows.push(Row::without_partition("TOTAL", dispatch_s, percent));
    rows
}

/// Unknown cells of a row without a partition are blank, as on the page of RMF.
fn columns(interval: &IntervalTotals, machine: &Machine) -> Vec<Column> {
    let rows = rows(interval, machine);
    let word = |group, heading, text: &dyn Fn(&Row) -> String| Column::words(group, heading, rows.iter().map(text));
    let number = |group, heading, text: &dyn Fn(&Row) -> String| Column::numbers(group, heading, rows.iter().map(text));
    let dash = |row: &Row, figure: Figure, text: String| {
        if figure.is_known() || !row.processors.is_empty() { text } else { String::new() }
    };
    let percent = |group, heading, figure: &dyn Fn(&Row) -> Figure| {
        number(group, heading, &|row| dash(row, figure(row), rounded(figure(row), 2)))
    };
    let time = |heading, nth: usize| {
        number("DISPATCH TIME DATA", heading, &|row| dash(row, row.dispatch_s[nth], clock(row.dispatch_s[nth])))
    };
    let (logical, physical) = ("LOGICAL PROCESSORS", "PHYSICAL PROCESSORS");
    vec![
        word("", "NAME", &|row| row.name.clone()),
        word("", "S", &|row| row.status.clone()),
        number("", "WGT", &|row| plain(&row.setting.weight)),
        word("CAPPING", "DEF", &|row| plain(&row.setting.capping)),
        number("PROCESSOR", "NUM", &|row| row.processors.clone()),
        word("PROCESSOR", "TYPE", &|row| if row.processors.is_empty() { "" } else { "CP" }.to_string()),
        time("EFFECTIVE", 0),
        time("TOTAL", 1),
        percent(logical, "EFFECTIVE", &|row| row.logical_percent[0]),
        percent(logical, "TOTAL", &|row| row.logical_percent[1]),
        percent(physical, "LPAR MGMT", &|row| row.physical_percent[0]),
        percent(physical, "EFFECTIVE", &|row| row.physical_percent[1]),
        percent(physical, "TOTAL", &|row| row.physical_percent[2]),
    ]
}

/// Hours, minutes, seconds and thousandths; dashes where it is not known.
fn clock(seconds: Figure) -> String {
    if !seconds.value.is_finite() {
        return "-".to_string();
    }
    let ms = (seconds.value.max(0.0) * 1_000.0).round() as u64;
    let (minutes, thousandths) = (ms / 60_000, ms % 1_000);
    format!("{:02}.{:02}.{:02}.{thousandths:03}", minutes / 60, minutes % 60, ms / 1_000 % 60)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn interval() -> IntervalTotals {
        let mut interval = IntervalTotals::new("Two domains", Span::SECOND * 900);
        for name in ["PEMDFI", "PEMDFT"] {
            interval.partitions.push(PartitionTotals {
                dispatched_percent: Figure::exact(49.5),
                management_percent: Figure::exact(0.5),
                ..PartitionTotals::unknown(name.into(), 2)
            });
        }
        interval
    }

    fn machine() -> Machine {
        let setting = Setting { weight: "50".into(), capping: "YES".into(), online: None };
        Machine {
            seen_from: "PEMDFI".into(),
            physical: 2,
            waits: true,
            dispatch_interval: "30 ms".into(),
            settings: vec![setting.clone(), setting],
        }
    }

    #[test]
    fn rows_have_times_and_shares_of_both_kinds_of_processors() {
        let page = partition_page(&interval(), &machine(), "");
        let row: Vec<&str> =
            page.lines().find(|line| line.starts_with(" PEMDFI")).unwrap().split_whitespace().collect();
        assert_eq!(row[..6], ["PEMDFI", "A", "50", "YES", "2", "CP"]);
        assert_eq!(row[6..], ["00.14.51.000", "00.15.00.000", "49.50", "50.00", "0.50", "49.50", "50.00"]);
    }

    #[test]
    fn processors_that_were_partly_online_are_a_number_with_a_decimal() {
        let mut machine = machine();
        machine.settings[0].online = Some(1.5);
        let page = partition_page(&interval(), &machine, "");
        let row: Vec<&str> =
            page.lines().find(|line| line.starts_with(" PEMDFI")).unwrap().split_whitespace().collect();
        assert_eq!(row[4..], ["1.5", "CP", "00.14.51.000", "00.15.00.000", "66.00", "66.67", "0.50", "49.50", "50.00"]);
    }

    #[test]
    fn what_no_partition_owns_and_the_total_stand_below() {
        let page = partition_page(&interval(), &machine(), "");
        let words = |line: &str| line.split_whitespace().map(str::to_string).collect::<Vec<_>>();
        let last: Vec<Vec<String>> = page.lines().rev().take(2).map(words).collect();
        assert_eq!(last[0], ["TOTAL", "00.29.42.000", "00.30.00.000", "1.00", "99.00", "100.00"]);
        assert_eq!(last[1], ["*PHYSICAL*", "00.00.00.000", "0.00", "0.00"]);
    }

    #[test]
    fn the_head_says_how_the_machine_is_set() {
        let page = partition_page(&interval(), &machine(), "simulated, seed 1");
        for line in [
            "Note simulated, seed 1",
            "WAIT COMPLETION                     YES",
            "DISPATCH INTERVAL                   30 ms",
        ] {
            assert!(page.lines().any(|printed| printed == line), "{line}\n{page}");
        }
    }
}
