//! RMF I/O QUEUING ACTIVITY: the logical control units of one system over one interval, and their pools of aliases.
//!
//! HPAV WAIT is the share of I/Os of a control unit that found no HyperPAV alias (R783HNAI over R783HTIO).  HPAV MAX is the
//! most aliases in use at once (R783HAIU).  The headings are those of the overview conditions IOHWAIT and IOHMAX (z/OS
//! RMF Report Analysis, IOQ).  A control unit has a row for each channel path too.  The row
//! with HPAV figures belongs to the control unit that is named in it, or above it.

use crate::rmf::{Columned, Document, Holds, Page, RowLine, Standing, Why, is_like_a_number, stray_word};
use crate::row::{Outcome, Row, Skipped};
use measures::{IntervalTotals, PoolTotals};

/// A column that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Column {
    /// The logical control unit, hexadecimal.
    ControlUnit,
    /// I/Os without an alias over all I/Os of the control unit.
    Wait,
    /// The most aliases in use at once.
    Most,
}

impl Columned for Column {
    const ALL: &'static [Column] = &[Column::ControlUnit, Column::Wait, Column::Most];

    fn heading(self) -> &'static str {
        match self {
            Column::ControlUnit => "LCU",
            Column::Wait => "HPAV WAIT",
            Column::Most => "HPAV MAX",
        }
    }

    fn group(self) -> &'static str {
        match self {
            Column::ControlUnit => "",
            Column::Wait | Column::Most => "HPAV",
        }
    }

    fn holds(self) -> Holds {
        match self {
            Column::ControlUnit => Holds::Word,
            Column::Wait | Column::Most => Holds::Number,
        }
    }

    fn allowed(self) -> &'static str {
        match self {
            Column::ControlUnit => "two to four hexadecimal digits",
            Column::Wait | Column::Most => "a number as 0.104 or 8, or dashes",
        }
    }

    fn is_required(self) -> bool {
        true
    }
}

/// The kind of page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Queuing;

impl Page for Queuing {
    type Column = Column;
    type Why = Why;

    const TITLE: &'static str = "I/OQUEUINGACTIVITY";
    const NAME: &'static str = "I/O QUEUING ACTIVITY";
    const EXPECTED: &'static str = "an RMF I/O QUEUING ACTIVITY page";
    /// "Q U E U I N G" and "HPAV".
    const EBCDIC: &'static [&'static [u8]] =
        &[b"\xD8\x40\xE4\x40\xC5\x40\xE4\x40\xC9\x40\xD5\x40\xC7", b"\xC8\xD7\xC1\xE5"];
    const HEADER: Standing = Standing::Grouped { anchors: &["LCU", "WAIT", "MAX"] };
    const FACTS: &'static [&'static str] = &[];
    const CALLED: [&'static str; 3] =
        ["control unit", "rows of control units with HyperPAV", "other lines is of one with HyperPAV figures"];
    const OTHER_PAGE: Why = Why::OtherPage;

    fn row(line: &RowLine<'_, Column>) -> Outcome<Column, Why> {
        let unit = line.word_under(Column::ControlUnit).unwrap_or_default();
        let is_unit = (2..=4).contains(&unit.len()) && unit.bytes().all(|byte| byte.is_ascii_hexdigit());
        let told = line.word_under(Column::Wait).is_some_and(|word| is_like_a_number(&word));
        let is_row = is_unit || (unit.is_empty() && told);
        if !is_row {
            return Outcome::Skipped(Skipped::of_nothing(line.line, Why::Remark));
        }
        let needed: &[Column] = if told { &[Column::Wait, Column::Most] } else { &[Column::ControlUnit] };
        let cut = line.cut().map_err(|place| vec![stray_word(line, &place, &unit)]);
        match cut.and_then(|cut| cut.row(&unit, needed)) {
            Ok(row) => Outcome::Row(row),
            Err(problems) => Outcome::Wrong(problems),
        }
    }

    fn keys(rows: &[Row<Column>]) -> Vec<String> {
        rows.iter().map(|row| format!("{} on line {}", row.text(Column::ControlUnit), row.line)).collect()
    }

    fn key_heading() -> &'static str {
        Column::ControlUnit.heading()
    }

    fn fill(page: &Document<Self>, totals: &mut IntervalTotals) {
        // The page counts over all I/Os, and the table over tries: only the name is the same.
        let mut unit = String::new();
        for row in page.rows() {
            if row.field(Column::ControlUnit).is_some() {
                unit = row.text(Column::ControlUnit).to_ascii_uppercase();
            }
            if row.figure(Column::Most).is_known() && totals.pools.iter().all(|pool| pool.pool != unit) {
                totals.pools.push(PoolTotals::unknown(unit.clone()));
            }
        }
    }
}
