//! A log of user states: what the virtual processors of each virtual machine do with their time.

use super::Log;
use super::body::{Body, Heading, number, print, word};
use super::head::{OURS, Title, head};
use super::machines::{all, machines, standings};
use crate::number::percent;

const TITLE: Title = Title {
    line: "User states in the style of the z/VM Performance Toolkit, written by slicewright",
    long: "User States",
};
const STATES: &str =
    "Run: has a processor; CPU: waits for one; Wake: its interrupt is not handled yet; Intr: its processor";
const MORE: &str = "handles an interrupt for another; LimL: on the limit list; Idle: nothing to do (enabled wait)";
const TIME: &str = "Percent of Its Time";

const HEADINGS: [Heading; 6] = [
    number(TIME, "", "Run"),
    number(TIME, "", "CPU"),
    number(TIME, "", "Wake"),
    number(TIME, "", "Intr"),
    number(TIME, "", "LimL"),
    number(TIME, "", "Idle"),
];

/// The states of the virtual processors of each virtual machine, measured at every instant and not sampled, as a log.
///
/// Columns are as wide as their contents, so nothing is cut.
pub fn user_state_page(log: &Log) -> String {
    let body = Body {
        banner: "",
        name: word("", "Userid"),
        headings: &HEADINGS,
        rows: &machines,
        named: &|row| row.name.clone(),
        cells: &|row| (0..HEADINGS.len()).map(|at| percent(row.part(|one| standings(one)[at]))).collect(),
        total: &all,
    };
    let mut lines = head(log, &TITLE, [OURS, STATES, MORE]);
    lines.extend(print(log, &body));
    lines.join("\n") + "\n"
}
