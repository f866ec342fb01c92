//! A log of shares: the share of each virtual machine, its processor time, and its limit.

use super::Log;
use super::body::{Body, Heading, number, print, word};
use super::head::{OURS, Title, head};
use super::machines::{Machines, all, machines};
use crate::number::percent;
use crate::printable::plain;
use measures::Figure;

const TITLE: Title = Title {
    line: "Shares in the style of the z/VM Performance Toolkit, written by slicewright",
    long: "Shares of Virtual Machines",
};
const PROMISED: &str =
    "Prom: its share of all shares (percent of the partition); Entitl: the same of all its logical processors";
const GOT: &str = "Got: emulation and CP time charged to it; Limit: the most it gets; 100 is one processor";
const WAITS: &str =
    "CPU: waits for a processor; LimL: on the limit list, percent of the time of its virtual processors";
const NONE: &str = "-";

const HEADINGS: [Heading; 9] = [
    number("Share", "", "Set"),
    number("Share", "%", "Prom"),
    number("Percent of a Processor", "", "Entitl"),
    number("Percent of a Processor", "", "Got"),
    number("Percent of a Processor", "", "Emul"),
    number("Percent of a Processor", "", "c-CP"),
    number("Percent of a Processor", "", "Limit"),
    number("Pct Time", "", "CPU"),
    number("Pct Time", "", "LimL"),
];

/// The shares of the machines of one kind.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ShareSetting {
    /// The kind of virtual machines.
    pub kind: String,
    /// Their share as printed: `100`, or `10%` where it is absolute.
    pub share: String,
    /// The most that each gets, in percent of a processor; unknown where there is no limit.
    pub limit_percent: Option<f64>,
}

/// The time of the virtual machines of a partition with this many logical processors against their shares, as a log.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn share_page(log: &Log, logical: u64, settings: &[ShareSetting]) -> String {
    let setting = |row: &Machines| settings.iter().find(|one| one.kind == row.kind);
    let limit = |row: &Machines| match setting(row).and_then(|one| one.limit_percent) {
        Some(limit) => percent(Figure::exact(limit * row.count() as f64)),
        None => NONE.to_string(),
    };
    let cells = |row: &Machines| {
        let promised = row.sum(|one| one.share);
        let mut cells = vec![setting(row).map_or(NONE.to_string(), |one| plain(&one.share)), percent(promised)];
        cells.push(percent(promised.times(Figure::exact(logical as f64))));
        cells.push(percent(row.sum(|one| one.charged_percent)));
        cells.push(percent(row.sum(|one| one.emulation_percent)));
        cells.push(percent(row.sum(|one| one.chargeable_cp_percent)));
        cells.push(limit(row));
        cells.push(percent(row.part(|one| one.ready_wait)));
        cells.push(percent(row.part(|one| one.limited)));
        cells
    };
    let body = Body {
        banner: "",
        name: word("", "Userid"),
        headings: &HEADINGS,
        rows: &machines,
        named: &|row| row.name.clone(),
        cells: &cells,
        total: &all,
    };
    let mut lines = head(log, &TITLE, [OURS, PROMISED, GOT, WAITS]);
    lines.extend(print(log, &body));
    lines.join("\n") + "\n"
}
