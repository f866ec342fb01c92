//! The kind of a line of the page by itself: title, rule, marks, heading, summary, interval or other.

use super::Column;
use crate::grid::{self, Grid};

/// The kind of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// Blank.
    Blank,
    /// The title of a page: `FCX108 ...`.
    Title,
    /// Underscores or dashes from end to end.
    Rule,
    /// The dots over the columns.
    Marks,
    /// The second heading line, which names the columns.
    Heading,
    /// `>>Mean>>`, `>> All DASD <<` and the like.
    Summary,
    /// A time of day in front, as in logs.
    Interval,
    /// A row, or a free line of the header.
    Other,
}

/// A line: its columns without the line end, and what it is.
#[derive(Clone, Debug)]
pub(crate) struct Line {
    pub(crate) grid: Grid,
    pub(crate) kind: Kind,
}

/// A heading line has at least this many known headings.
const ENOUGH_HEADINGS: usize = 5;

/// The lines of a page, each with what it is.
pub(crate) fn lines(page: &[u8]) -> Vec<Line> {
    let of = |grid: Grid| Line { kind: kind(&grid), grid };
    grid::lines(page).into_iter().map(of).collect()
}

fn kind(grid: &Grid) -> Kind {
    let text = grid.text(0..grid.len());
    let words = || text.split_whitespace();
    let made_of = |marks: &[char]| text.chars().all(|ch| marks.contains(&ch));
    if text.is_empty() {
        Kind::Blank
    } else if words().filter(|word| Column::named(word).is_some()).count() >= ENOUGH_HEADINGS {
        Kind::Heading
    } else if is_title(&text) {
        Kind::Title
    } else if made_of(&['_']) || made_of(&['-']) || made_of(&['=']) {
        Kind::Rule
    } else if made_of(&['.', '_', ' ']) {
        Kind::Marks
    } else if text.starts_with(">>") {
        Kind::Summary
    } else if words().next().is_some_and(is_time) {
        Kind::Interval
    } else {
        Kind::Other
    }
}

/// `FCX` and three digits, perhaps behind a printer control character.
fn is_title(text: &str) -> bool {
    let text = text.strip_prefix('1').unwrap_or(text).trim_start();
    text.strip_prefix("FCX").is_some_and(|number| number.bytes().take_while(u8::is_ascii_digit).count() == 3)
}

/// `hh:mm` or `hh:mm:ss`.
fn is_time(word: &str) -> bool {
    let parts: Vec<&str> = word.split(':').collect();
    let two_digits = |part: &&str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_digit());
    matches!(parts.len(), 2 | 3) && parts.iter().all(two_digits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kind_of(line: &str) -> Kind {
        kind(&Grid::of(line.as_bytes(), 0..line.len()))
    }

    #[test]
    fn lines_are_told_apart_by_what_they_say() {
        for (line, kind) in [
            ("  ", Kind::Blank),
            ("FCX108  Run 2007/06/05 11:01:14         DEVICE", Kind::Title),
            ("1FCX108      CPU 2094  SER 12345", Kind::Title),
            ("_____________", Kind::Rule),
            (" .    .                     .      ___     .", Kind::Marks),
            (" Addr Type   Label/ID   Links ths  I/O Avoid Pend Disc Conn", Kind::Heading),
            (" >>Mean>>  .2", Kind::Summary),
            (" 13:28:34  1.0", Kind::Interval),
            (" 522A 3390   BWPVS0         0   4  711", Kind::Other),
        ] {
            assert_eq!(kind_of(line), kind, "{line}");
        }
    }
}
