//! A log of parking: the decisions of a control program on the number of processors, and the settings of SET SRM.

use super::Log;
use super::body::{Heading, lines, number, word};
use super::head::{OURS, Title, clock, head, whole};
use crate::number::{queue, rounded};
use crate::printable::in_one_line;
use measures::{DecisionRow, Figure, sum};

const TITLE: Title = Title {
    line: "Parking log in the style of the z/VM Performance Toolkit, written by slicewright",
    long: "Parking Decisions",
};
const USED: &str =
    "Used, by guests and control program, T/V and what is projected: processors' worth; Need = Projct + CPUPAD";
const MAY: &str =
    "High: T/V is high enough to park down to the need; Hoped: what EXCESSUSE hopes for beside the entitlement";
const NOTHING: &str = "nothing was decided: a control program parks in vertical mode only";
const MEAN: &str = ">>Mean>>";

const HEADINGS: [Heading; 13] = [
    word("Decided", "at"),
    number("Last", "", "Used"),
    number("Last", "T/V", "Ratio"),
    number("Last", "T/V", "High"),
    number("Next", "", "Projct"),
    number("Next", "CPU", "PAD"),
    number("Next", "", "Need"),
    number("Entitlement", "", "Entitl"),
    number("Entitlement", "", "Hoped"),
    number("Entitlement", "", "Sum"),
    number("Unparked", "", "From"),
    number("Unparked", "", "To"),
    word("", "Why"),
];

/// UNPARKING, as SET SRM sets it: how many processors are used where T/V does not ask for fewer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Unparking {
    /// As many as it is entitled to and hopes for.
    #[default]
    Large,
    /// As many as it is entitled to.
    Medium,
    /// As many as it needs.
    Small,
}

/// The parts of the page beside the decisions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Parking {
    /// How many logical processors there are.
    pub logical: u64,
    /// Which UNPARKING was in force at each decision, in their order.
    pub unparking: Vec<Unparking>,
    /// What was set while it ran: at which second, since the start of the first interval, and how it was said.
    pub set: Vec<(f64, String)>,
}

/// The decisions of one control program, in the order of time, as a log; that of the whole is not used.
///
/// Columns are as wide as their contents, so nothing is cut. Means are over the decisions since the measurement began;
/// those of the warm-up, before it, have instants below zero.
pub fn parking_page(log: &Log, decisions: &[DecisionRow], parking: &Parking) -> String {
    let decided: Vec<i64> = decisions.iter().map(|one| instant(one.at_s.value)).collect();
    let set: Vec<i64> = parking.set.iter().map(|(at, _)| instant(*at)).collect();
    let whole = whole(&[decided.clone(), set.clone()].concat());
    let mut rows: Vec<(i64, Vec<String>)> = Vec::new();
    for (at, (_, said)) in set.into_iter().zip(&parking.set) {
        let mut row = vec![String::new(); HEADINGS.len()];
        row[0] = clock(at, whole);
        row[HEADINGS.len() - 1] = in_one_line(said);
        rows.push((at, row));
    }
    for ((nth, decision), at) in decisions.iter().enumerate().zip(decided) {
        let unparking = parking.unparking.get(nth).copied().unwrap_or_default();
        rows.push((at, cells(clock(at, whole), decision, why(decision, unparking, parking.logical))));
    }
    // A setting at the instant of a decision is set before it.
    rows.sort_by_key(|(at, _)| *at);
    let measured: Vec<&DecisionRow> = decisions.iter().filter(|one| one.at_s.value >= 0.0).collect();
    let mean = mean(&measured).map(|mean| cells(MEAN.to_string(), &mean, ""));
    let rows: Vec<Vec<String>> = mean.into_iter().chain(rows.into_iter().map(|(_, row)| row)).collect();
    let notes = [OURS, USED, MAY].into_iter().chain(Some(NOTHING).filter(|_| decisions.is_empty()));
    let mut printed = head(log, &TITLE, notes);
    printed.extend(lines("", &HEADINGS, &rows));
    printed.join("\n") + "\n"
}

/// Seconds as milliseconds.
fn instant(seconds: f64) -> i64 {
    (seconds * 1_000.0).round() as i64
}

fn cells(when: String, decision: &DecisionRow, why: &str) -> Vec<String> {
    let next = [decision.predicted, decision.cpupad, need(decision)];
    let may = [decision.entitled, decision.hoped, powered(decision)];
    let high = match decision.tv_parks.value {
        1.0 => "yes",
        0.0 => "no",
        _ => "",
    };
    let mut cells = vec![when, queue(decision.used), queue(decision.tv), high.to_string()];
    cells.extend(next.into_iter().chain(may).map(queue));
    cells.extend([decision.before, decision.after].map(processors));
    cells.push(why.to_string());
    cells
}

/// A number of processors; of a mean with a decimal.
fn processors(figure: Figure) -> String {
    rounded(figure, usize::from(figure.value.fract() != 0.0))
}

fn need(decision: &DecisionRow) -> Figure {
    decision.predicted.plus(decision.cpupad)
}

fn powered(decision: &DecisionRow) -> Figure {
    decision.entitled.plus(decision.hoped)
}

/// The bound that made the number: the page is for readers who ask.
fn why(decision: &DecisionRow, unparking: Unparking, logical: u64) -> &'static str {
    let (need, powered) = (need(decision).value, powered(decision).value);
    let power = if decision.hoped.value > 0.0 { "entitled + hoped for" } else { "entitled" };
    let (ceiling, bound) = match unparking {
        Unparking::Large => (powered, power),
        Unparking::Medium => (decision.entitled.value, "entitled, as UNPARKING MEDIUM says"),
        Unparking::Small if need < powered => (need, "need, as UNPARKING SMALL says"),
        Unparking::Small => (powered, power),
    };
    let parks = decision.tv_parks.value > 0.0 && need < ceiling;
    let (wanted, bound) = if parks { (need, "need, as T/V is high") } else { (ceiling, bound) };
    if wanted > logical as f64 { "all there are" } else { bound }
}

fn mean(decisions: &[&DecisionRow]) -> Option<DecisionRow> {
    let count = Figure::exact(decisions.len() as f64);
    let mean = |figure: fn(&DecisionRow) -> Figure| sum(decisions.iter().map(|one| figure(one))).over(count);
    Some(DecisionRow {
        used: mean(|row| row.used),
        tv: mean(|row| row.tv),
        predicted: mean(|row| row.predicted),
        cpupad: mean(|row| row.cpupad),
        entitled: mean(|row| row.entitled),
        hoped: mean(|row| row.hoped),
        before: mean(|row| row.before),
        after: mean(|row| row.after),
        ..DecisionRow::unknown(String::new())
    })
    .filter(|_| !decisions.is_empty())
}
