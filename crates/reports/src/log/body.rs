//! The body of a log: groups and headings of two lines over rows by time, `>>Mean>>` first, `>>Total>` last of each.

use super::Log;
use super::head::{clock, milliseconds, whole};
use crate::table::arrow;
use measures::IntervalTotals;

const MEAN: &str = ">>Mean>>";
const TOTAL: &str = ">>Total>";

/// A column: the group over it (empty where there is none), two lines of heading, and whether its texts stand flush right.
#[derive(Clone, Copy, Debug)]
pub(super) struct Heading {
    group: &'static str,
    lines: [&'static str; 2],
    right: bool,
}

/// A column of words without a group.
pub(super) const fn word(first: &'static str, second: &'static str) -> Heading {
    Heading { group: "", lines: [first, second], right: false }
}

/// A column of words in a group.
pub(super) const fn word_of(group: &'static str, first: &'static str, second: &'static str) -> Heading {
    Heading { group, lines: [first, second], right: false }
}

/// A column of numbers in a group, or in none.
pub(super) const fn number(group: &'static str, first: &'static str, second: &'static str) -> Heading {
    Heading { group, lines: [first, second], right: true }
}

/// How a table becomes the body of a log.
pub(super) struct Body<'a, T> {
    /// The text above all groups; may be empty.
    pub(super) banner: &'static str,
    /// The subject of a row.
    pub(super) name: Heading,
    /// The columns behind the name.
    pub(super) headings: &'a [Heading],
    /// The rows of an interval.
    pub(super) rows: &'a dyn Fn(&IntervalTotals) -> Vec<T>,
    /// The subject of a row, in a word.
    pub(super) named: &'a dyn Fn(&T) -> String,
    /// The cells behind the name.
    pub(super) cells: &'a dyn Fn(&T) -> Vec<String>,
    /// All rows of an interval as one, if that says something.
    pub(super) total: &'a dyn Fn(&[T]) -> Option<T>,
}

/// Headings and rows as lines.
pub(super) fn print<T>(log: &Log, body: &Body<T>) -> Vec<String> {
    let ends: Vec<_> = log.intervals.iter().map(|(end, _)| milliseconds(*end)).collect();
    let whole = whole(&ends);
    let mut rows = texts(MEAN.to_string(), &log.mean, body);
    for (end, (_, totals)) in ends.iter().zip(&log.intervals) {
        rows.extend(texts(clock(*end, whole), totals, body));
    }
    let mut headings = vec![word("Interval", "End Time"), body.name];
    headings.extend(body.headings);
    lines(body.banner, &headings, &rows)
}

fn texts<T>(when: String, totals: &IntervalTotals, body: &Body<T>) -> Vec<Vec<String>> {
    let rows = (body.rows)(totals);
    let row = |name: String, row: &T| [vec![when.clone(), name], (body.cells)(row)].concat();
    let mut texts: Vec<_> = rows.iter().map(|one| row((body.named)(one), one)).collect();
    texts.extend((body.total)(&rows).map(|total| row(TOTAL.to_string(), &total)));
    texts
}

/// Banner, groups, headings and rows; columns are as wide as their contents.
pub(super) fn lines(banner: &str, headings: &[Heading], rows: &[Vec<String>]) -> Vec<String> {
    let columns = columns(headings, rows);
    let mut lines = Vec::new();
    let groups = groups(&columns);
    if let (Some((_, first)), Some((_, last)), false) = (groups.first(), groups.last(), banner.is_empty()) {
        lines.push(spans(&columns, &[(banner, first.start..last.end)]));
    }
    if !groups.is_empty() {
        lines.push(spans(&columns, &groups));
    }
    for at in 0..2 {
        lines.push(line(&columns, |_, column| column.heading.lines[at].to_string()));
    }
    lines.extend(rows.iter().map(|row| line(&columns, |at, _| row.get(at).cloned().unwrap_or_default())));
    lines
}

/// A column with its place: how far it is from the one before it, and how wide.
struct Column {
    heading: Heading,
    gap: usize,
    width: usize,
}

/// Between groups there are two blanks; the last column of a group makes room for its name.
fn columns(headings: &[Heading], rows: &[Vec<String>]) -> Vec<Column> {
    let mut columns: Vec<Column> = Vec::new();
    for (at, heading) in headings.iter().enumerate() {
        let texts = rows.iter().filter_map(|row| row.get(at)).map(|text| text.chars().count());
        let width = texts.chain(heading.lines.iter().map(|text| text.len())).max().unwrap_or(0);
        let apart = columns.last().is_some_and(|before| before.heading.group != heading.group);
        columns.push(Column { heading: *heading, gap: if apart { 2 } else { 1 }, width });
    }
    for (name, range) in groups(&columns) {
        let span = span(&columns[range.clone()]);
        columns[range.end - 1].width += (name.len() + 2).saturating_sub(span);
    }
    columns
}

/// The names of groups, each with the columns that it is over.
fn groups(columns: &[Column]) -> Vec<(&'static str, std::ops::Range<usize>)> {
    let (mut groups, mut from) = (Vec::new(), 0);
    while from < columns.len() {
        let name = columns[from].heading.group;
        let alike = columns[from..].iter().take_while(|column| column.heading.group == name).count();
        groups.push((name, from..from + alike));
        from += alike;
    }
    groups.retain(|(name, _)| !name.is_empty());
    groups
}

/// How wide columns are together, without what parts them from the one before.
fn span(columns: &[Column]) -> usize {
    let all: usize = columns.iter().map(|column| column.gap + column.width).sum();
    all - columns.first().map_or(0, |first| first.gap)
}

fn spans(columns: &[Column], named: &[(&str, std::ops::Range<usize>)]) -> String {
    let mut line = String::new();
    for (name, range) in named {
        let before: usize = columns[..range.start].iter().map(|column| column.gap + column.width).sum();
        let start = before + columns[range.start].gap;
        line.push_str(&" ".repeat(start - line.len()));
        line.push_str(&arrow(name, span(&columns[range.clone()])));
    }
    line
}

fn line(columns: &[Column], text: impl Fn(usize, &Column) -> String) -> String {
    let mut line = String::new();
    for (at, column) in columns.iter().enumerate() {
        let (text, gap, width) = (text(at, column), column.gap, column.width);
        let cell = match column.heading.right {
            true => format!("{:gap$}{text:>width$}", ""),
            false => format!("{:gap$}{text:<width$}", ""),
        };
        line.push_str(&cell);
    }
    line.trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arrows_span_their_columns_and_the_banner_all_of_them() {
        let headings =
            [word("", "Name"), number("Both", "Colls", "/sec"), number("Both", "", "usec"), number("One", "", "%")];
        let rows = [vec!["A".to_string(), "1.0".into(), "12345.6".into(), ".3".into()]];
        let expected = [
            "       <------ All ------->",
            "       <-- Both --->  <One>",
            "       Colls",
            " Name   /sec    usec      %",
            " A       1.0 12345.6     .3",
        ];
        assert_eq!(lines("All", &headings, &rows), expected);
        assert_eq!(lines("", &headings, &rows), expected[1..]);
    }

    #[test]
    fn without_groups_there_are_only_headings() {
        assert_eq!(lines("All", &[word("Interval", "End Time")], &[]), [" Interval", " End Time"]);
    }
}
