//! What is the page's own among RMF pages: its title, its headings, what its lines are, and of which level it is.

use super::column::Column;
use super::row::{self, Outcome, Row, Why};
use super::totals;
use crate::rmf::{Document, Page, RowLine, Standing};
use measures::IntervalTotals;

/// Three of these words make the line that has a word for most columns.
pub(crate) const HEADER: Standing = Standing::Stacked { anchors: &["RESP", "IOSQ", "PEND", "DISC", "CONN"] };

/// The kind of page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DirectAccess;

/// A page that was read.
pub type DirectAccessPage = Document<DirectAccess>;

/// Which level of RMF a page is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// MVS/XA: the queue is sampled on the cycle, and IOSQ is its mean length over the rate.
    Sampled,
    /// z/OS, known by AVG CMR DLY: IOSQ is measured.
    Measured,
}

impl Page for DirectAccess {
    type Column = Column;
    type Why = Why;

    const TITLE: &'static str = "DIRECTACCESSDEVICEACTIVITY";
    const NAME: &'static str = "DIRECT ACCESS DEVICE ACTIVITY";
    const EXPECTED: &'static str = "an RMF DIRECT ACCESS DEVICE ACTIVITY page";
    /// "D I R E C T" and "IOSQ".
    const EBCDIC: &'static [&'static [u8]] = &[b"\xC4\x40\xC9\x40\xD9\x40\xC5\x40\xC3\x40\xE3", b"\xC9\xD6\xE2\xD8"];
    const HEADER: Standing = HEADER;
    const FACTS: &'static [&'static str] = &[];
    const CALLED: [&'static str; 3] = ["device", "rows of volumes", "other lines is of a volume with figures"];
    const OTHER_PAGE: Why = Why::OtherPage;

    fn row(line: &RowLine<'_, Column>) -> Outcome {
        row::read(line)
    }

    fn keys(rows: &[Row]) -> Vec<String> {
        rows.iter().map(|row| row.device().to_string()).collect()
    }

    fn key_heading() -> &'static str {
        Column::Device.heading()
    }

    fn fill(page: &DirectAccessPage, totals: &mut IntervalTotals) {
        totals::fill(page, totals);
    }

    fn level(page: &DirectAccessPage) -> &'static str {
        match page.level() {
            Level::Measured => "current",
            Level::Sampled => "classic",
        }
    }
}

impl DirectAccessPage {
    /// Which level of RMF it is of.
    pub fn level(&self) -> Level {
        let measured = self.layouts.iter().any(|layout| layout.has(Column::CommandResponse));
        if measured { Level::Measured } else { Level::Sampled }
    }
}
