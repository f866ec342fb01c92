//! RMF CHANNEL PATH ACTIVITY: the channel paths of one system over one interval, a row each.
//!
//! UTILIZATION TOTAL is the use by all partitions, PART that by the one that printed the page.  A channel without figures
//! is offline, or not measured (z/OS RMF Report Analysis, CHAN - Channel Path Activity report).

use crate::rmf::{Columned, Document, Holds, Page, RowLine, Standing, Why, is_like_a_number, stray_word};
use crate::row::{Outcome, Row, Skipped};
use measures::{ChannelTotals, Figure, IntervalTotals};

/// A column that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The channel path identifier, hexadecimal.
    Id,
    /// Its type.
    Type,
    /// Percent of the interval in which the partition that printed the page used it.
    Part,
    /// Percent of the interval in which any partition used it.
    Total,
    /// Percent of the interval in which its bus was busy.
    Bus,
    /// Megabytes read a second, of all partitions.
    Read,
    /// Megabytes written a second, of all partitions.
    Write,
}

impl Columned for Column {
    const ALL: &'static [Column] =
        &[Column::Id, Column::Type, Column::Part, Column::Total, Column::Bus, Column::Read, Column::Write];

    fn heading(self) -> &'static str {
        match self {
            Column::Id => "ID",
            Column::Type => "TYPE",
            Column::Part => "UTILIZATION PART",
            Column::Total => "UTILIZATION TOTAL",
            Column::Bus => "UTILIZATION BUS",
            Column::Read => "READ TOTAL",
            Column::Write => "WRITE TOTAL",
        }
    }

    fn group(self) -> &'static str {
        match self {
            Column::Id | Column::Type => "",
            Column::Part | Column::Total | Column::Bus => "UTILIZATION",
            Column::Read => "READ",
            Column::Write => "WRITE",
        }
    }

    fn holds(self) -> Holds {
        match self {
            Column::Id | Column::Type => Holds::Word,
            Column::Part | Column::Total | Column::Bus | Column::Read | Column::Write => Holds::Number,
        }
    }

    fn allowed(self) -> &'static str {
        match (self, self.holds()) {
            (Column::Id, _) => "two hexadecimal digits",
            (_, Holds::Word) => "one word of ASCII",
            (_, Holds::Number | Holds::Clock) => "a number as 9.80, or dashes",
        }
    }

    fn is_required(self) -> bool {
        matches!(self, Column::Id | Column::Total)
    }
}

/// The kind of page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChannelPath;

impl Page for ChannelPath {
    type Column = Column;
    type Why = Why;

    const TITLE: &'static str = "CHANNELPATHACTIVITY";
    const NAME: &'static str = "CHANNEL PATH ACTIVITY";
    const EXPECTED: &'static str = "an RMF CHANNEL PATH ACTIVITY page";
    /// "C H A N N E L" and "UTILIZATION".
    const EBCDIC: &'static [&'static [u8]] =
        &[b"\xC3\x40\xC8\x40\xC1\x40\xD5\x40\xD5\x40\xC5\x40\xD3", b"\xE4\xE3\xC9\xD3\xC9\xE9\xC1\xE3\xC9\xD6\xD5"];
    const HEADER: Standing = Standing::Grouped { anchors: &["ID", "TOTAL"] };
    const FACTS: &'static [&'static str] = &["MODE:", "CPMF:", "CSSID:"];
    const CALLED: [&'static str; 3] = ["channel path", "rows of channel paths", "other lines is of one with figures"];
    const OTHER_PAGE: Why = Why::OtherPage;

    fn row(line: &RowLine<'_, Column>) -> Outcome<Column, Why> {
        let id = line.word_under(Column::Id).unwrap_or_default();
        let skipped = |why| Skipped { line: line.line, name: id.clone(), kind: String::new(), why };
        let told = line.word_under(Column::Total).is_some_and(|word| is_like_a_number(&word));
        if id.len() != 2 || !id.bytes().all(|byte| byte.is_ascii_hexdigit()) {
            return Outcome::Skipped(Skipped::of_nothing(line.line, Why::Remark));
        }
        if !told {
            return Outcome::Skipped(skipped(Why::NoFigures));
        }
        let cut = line.cut().map_err(|place| vec![stray_word(line, &place, &id)]);
        match cut.and_then(|cut| cut.row(&id, &[Column::Id, Column::Total])) {
            Ok(row) => Outcome::Row(row),
            Err(problems) => Outcome::Wrong(problems),
        }
    }

    fn keys(rows: &[Row<Column>]) -> Vec<String> {
        rows.iter().map(|row| row.text(Column::Id).to_string()).collect()
    }

    fn key_heading() -> &'static str {
        Column::Id.heading()
    }

    fn fill(page: &Document<Self>, totals: &mut IntervalTotals) {
        let kib = |figure: Figure| figure.times(Figure::exact(1e6 / 1024.0)); // RMF prints millions of bytes
        let channel = |row: &Row<Column>| ChannelTotals {
            busy_percent: row.figure(Column::Total),
            read_kib_per_s: kib(row.figure(Column::Read)),
            write_kib_per_s: kib(row.figure(Column::Write)),
            ..ChannelTotals::unknown(row.text(Column::Id).to_string())
        };
        totals.channels = page.rows().iter().map(channel).collect();
    }
}
