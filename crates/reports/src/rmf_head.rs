//! The head of a page in the style of RMF: its title in spaced letters, its writer, its interval, and notes.

use crate::printable::in_one_line;
use measures::IntervalTotals;
use units::Span;

const INDENT: usize = 30;
const BY: &str = "slicewright, in the style of RMF";

/// The head of a page that has this title; `notes` are what its reader has to know.
///
/// Without a cycle it is the interval over the samples: nothing was lost.
pub(crate) fn head(
    title: &str,
    interval: &IntervalTotals,
    cycle: Option<Span>,
    notes: impl IntoIterator<Item = String>,
) -> Vec<String> {
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
    first.extend(Some(ms).filter(|ms| *ms > 0).map(|ms| format!("INTERVAL {}", interval_clock(ms))));
    let mut second = Vec::new();
    if interval.samples > 0 {
        second.push(format!("TOTAL SAMPLES = {:>6}", interval.samples));
        let cycle = cycle.map_or(ms / interval.samples, |cycle| cycle.ms().round() as u64);
        second.extend(
            Some(cycle).filter(|ms| *ms > 0).map(|ms| format!("CYCLE {}.{:03} SECONDS", ms / 1_000, ms % 1_000)),
        );
    }
    let mut lines = vec![format!("{:INDENT$}{title}", ""), format!(" {}", first.join("   "))];
    lines.extend(Some(second).filter(|parts| !parts.is_empty()).map(|parts| parts.join("   ")));
    lines.extend(notes.into_iter().map(|line| format!("Note {line}")));
    lines.push(String::new());
    lines
}

/// The lines of a note that say something.
pub(crate) fn lines_of(note: &str) -> impl Iterator<Item = String> {
    note.lines().map(one_blank).filter(|line| !line.is_empty())
}

/// Minutes, seconds and thousandths; from 100 minutes on with hours before them.
fn interval_clock(ms: u64) -> String {
    let (minutes, seconds, thousandths) = (ms / 60_000, ms / 1_000 % 60, ms % 1_000);
    match minutes {
        0..100 => format!("{minutes:02}.{seconds:02}.{thousandths:03}"),
        _ => format!("{:02}.{:02}.{seconds:02}.{thousandths:03}", minutes / 60, minutes % 60),
    }
}

/// A text in which single blanks part the words, so that it is one part of a head.
pub(crate) fn one_blank(text: &str) -> String {
    in_one_line(text).split_whitespace().collect::<Vec<_>>().join(" ")
}
