//! What is the page's own among RMF pages: its title, its headings, and by what its rows are known.

use super::column::Column;
use super::row::{self, Outcome, Row};
use super::totals;
use crate::rmf::{Document, Page, RowLine, Standing, Why};
use measures::IntervalTotals;

/// The kind of page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CpuActivity;

/// A page that was read.
pub type CpuPage = Document<CpuActivity>;

impl Page for CpuActivity {
    type Column = Column;
    type Why = Why;

    const TITLE: &'static str = "CPUACTIVITY";
    const NAME: &'static str = "CPU ACTIVITY";
    const EXPECTED: &'static str = "an RMF CPU ACTIVITY page";
    /// "C P U   A C T" and "TOTAL/AVERAGE".
    const EBCDIC: &'static [&'static [u8]] = &[
        b"\xC3\x40\xD7\x40\xE4\x40\x40\x40\xC1\x40\xC3\x40\xE3",
        b"\xE3\xD6\xE3\xC1\xD3\x61\xC1\xE5\xC5\xD9\xC1\xC7\xC5",
    ];
    const HEADER: Standing = Standing::Grouped { anchors: &["NUM", "ONLINE", "BUSY"] };
    const FACTS: &'static [&'static str] = &[];
    const CALLED: [&'static str; 3] = ["processor", "rows of processors", "other lines is of a processor with figures"];
    const OTHER_PAGE: Why = Why::OtherPage;

    fn row(line: &RowLine<'_, Column>) -> Outcome {
        row::read(line)
    }

    fn keys(rows: &[Row]) -> Vec<String> {
        rows.iter().map(|row| row.text(Column::Number).to_string()).collect()
    }

    fn key_heading() -> &'static str {
        Column::Number.heading()
    }

    fn fill(page: &CpuPage, totals: &mut IntervalTotals) {
        totals::fill(page, totals);
    }
}
