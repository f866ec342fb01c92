//! The head of a log: its writer and its style, its system and interval, and notes.

use super::Log;
use crate::printable::in_one_line;
use units::Span;

const INDENT: usize = 40;

/// The note on pages that are in the style of the toolkit and like none of its pages.
pub(super) const OURS: &str =
    "Columns and headings are slicewright's own: those of the toolkit's page are not known here";

/// Whose vector it is that logs of processors call PLDV.
pub(super) const VECTOR: &str =
    "PLDV: its dispatch vector; in horizontal mode, where there is one list for all, it is at the first";

/// The title of a page: the line with its subject and its writer, and the long one.
pub(super) struct Title {
    pub(super) line: &'static str,
    pub(super) long: &'static str,
}

/// The lines above the headings; `notes` are what belongs to the page whatever is on it.
pub(super) fn head<'a>(log: &Log, title: &Title, notes: impl IntoIterator<Item = &'a str>) -> Vec<String> {
    let length = milliseconds(log.length);
    let whole = whole(&[length]);
    let interval = format!("Interval {} - {}", clock(0, whole), clock(length, whole));
    let run = [("Run", &log.run), ("System", &log.system)].map(|(what, name)| (what, in_one_line(name)));
    let named = run.into_iter().filter(|(_, name)| !name.is_empty()).map(|(what, name)| format!("{what} {name}"));
    let named = named.collect::<Vec<_>>().join("   ");
    let mut lines = vec![title.line.to_string(), format!("{:INDENT$}{}", "", title.long)];
    lines.push(format!("{interval:<INDENT$}{named}").trim_end().to_string());
    let own = log.note.lines().map(str::trim).filter(|line| !line.is_empty()).map(in_one_line);
    lines.extend(own.chain(notes.into_iter().map(str::to_string)).map(|line| format!("Note {line}")));
    lines.push(String::new());
    lines
}

/// Whether all these instants, in milliseconds, are whole seconds.
pub(super) fn whole(instants: &[i64]) -> bool {
    instants.iter().all(|ms| ms % 1_000 == 0)
}

/// An instant in milliseconds as hours, minutes and seconds, with thousandths where not all are whole.
pub(super) fn clock(at: i64, whole: bool) -> String {
    let (sign, ms) = (if at < 0 { "-" } else { "" }, at.unsigned_abs());
    let (hours, minutes, seconds) = (ms / 3_600_000, ms / 60_000 % 60, ms / 1_000 % 60);
    match whole {
        true => format!("{sign}{hours:02}:{minutes:02}:{seconds:02}"),
        false => format!("{sign}{hours:02}:{minutes:02}:{seconds:02}.{:03}", ms % 1_000),
    }
}

/// An instant in milliseconds.
pub(super) fn milliseconds(at: Span) -> i64 {
    at.ms().round() as i64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_have_thousandths_where_one_of_them_needs_them() {
        let [one, other] = [3_723_000, -1_500];
        assert_eq!(clock(one, whole(&[one])), "01:02:03");
        assert_eq!(clock(one, whole(&[one, other])), "01:02:03.000");
        assert_eq!(clock(other, whole(&[one, other])), "-00:00:01.500");
    }
}
