//! A log of logical processors: where the time of each goes, how it is polarised, and what waits in its dispatch vector.

use super::Log;
use super::body::{Body, Heading, number, print, word};
use super::head::{OURS, Title, VECTOR, head};
use crate::number::{percent, queue, rounded};
use crate::printable::plain;
use measures::{ControlProcessorTotals, Figure, sum};

const TITLE: Title = Title {
    line: "Processor log in the style of the z/VM Performance Toolkit, written by slicewright",
    long: "Processor Log",
};
const TIME: &str =
    "Busy = Emul (guests) + c-CP (control program, charged) + nc-CP (not charged), of which Spin is for locks";
const SUM: &str = "Wait: unparked, carried and without work; Ent: its entitlement; T/V = Busy / Emul";
const TIMES: &str = "Percent of a Processor";

const HEADINGS: [Heading; 12] = [
    word("", "Pol"),
    number("", "", "Ent"),
    number(TIMES, "", "Busy"),
    number(TIMES, "", "Emul"),
    number(TIMES, "", "c-CP"),
    number(TIMES, "", "nc-CP"),
    number(TIMES, "", "Spin"),
    number(TIMES, "", "Wait"),
    number(TIMES, "", "Park"),
    number("", "T/V", "Ratio"),
    number("PLDV", "Pct", "Empty"),
    number("PLDV", "Mean", "Depth"),
];

/// The logical processors of one control program as a log.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn processor_log_page(log: &Log) -> String {
    let body = Body {
        banner: "",
        name: number("", "", "CPU"),
        headings: &HEADINGS,
        rows: &|interval| interval.control_processors.clone(),
        named: &|row| row.number.to_string(),
        cells: &cells,
        total: &|rows| Some(total(rows)).filter(|_| !rows.is_empty()),
    };
    let mut lines = head(log, &TITLE, [OURS, TIME, SUM, VECTOR]);
    lines.extend(print(log, &body));
    lines.join("\n") + "\n"
}

fn cells(row: &ControlProcessorTotals) -> Vec<String> {
    let times = [
        row.busy_percent,
        row.emulation_percent,
        row.chargeable_cp_percent,
        row.nonchargeable_cp_percent,
        row.spin_percent,
        row.wait_percent,
        row.parked_percent,
    ];
    let ratio =
        if row.emulation_percent.value > 0.0 { row.busy_percent.over(row.emulation_percent) } else { Figure::UNKNOWN };
    let mut cells = vec![plain(&row.polarity), percent(row.entitlement_percent)];
    cells.extend(times.map(percent));
    cells.extend([rounded(ratio, 2), percent(row.vector_empty_percent), queue(row.vector_depth)]);
    cells
}

/// Processors' worth of everything; how often a vector is empty is no sum, and how many wait in all of them is one.
fn total(rows: &[ControlProcessorTotals]) -> ControlProcessorTotals {
    let all = |figure: fn(&ControlProcessorTotals) -> Figure| sum(rows.iter().map(figure));
    ControlProcessorTotals {
        entitlement_percent: all(|row| row.entitlement_percent),
        busy_percent: all(|row| row.busy_percent),
        emulation_percent: all(|row| row.emulation_percent),
        chargeable_cp_percent: all(|row| row.chargeable_cp_percent),
        nonchargeable_cp_percent: all(|row| row.nonchargeable_cp_percent),
        spin_percent: all(|row| row.spin_percent),
        wait_percent: all(|row| row.wait_percent),
        parked_percent: all(|row| row.parked_percent),
        vector_depth: all(|row| row.vector_depth),
        ..ControlProcessorTotals::unknown(String::new(), 0, String::new())
    }
}
