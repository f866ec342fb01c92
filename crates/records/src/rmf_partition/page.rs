//! What is the page's own among RMF pages: its title, its headings, what its head says, and by what its rows are known.

use super::column::Column;
use super::row::{self, Outcome, Row};
use super::totals;
use crate::rmf::{Document, Page, RowLine, Standing, Why};
use measures::IntervalTotals;
use units::Problem;

/// The lowest line of the header has a name, and EFFECTIVE and TOTAL once for each group.
pub(crate) const HEADER: Standing = Standing::Grouped { anchors: &["NAME", "EFFECTIVE", "TOTAL"] };

/// The type of processors that has no name of its own in a key.
const GENERAL: &str = "CP";

/// The kind of page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition;

/// A page that was read.
pub type PartitionPage = Document<Partition>;

impl Page for Partition {
    type Column = Column;
    type Why = Why;

    const TITLE: &'static str = "PARTITIONDATAREPORT";
    const NAME: &'static str = "PARTITION DATA REPORT";
    const EXPECTED: &'static str = "an RMF PARTITION DATA REPORT page";
    /// "P A R T I T I O N" and "*PHYSICAL*".
    const EBCDIC: &'static [&'static [u8]] = &[
        b"\xD7\x40\xC1\x40\xD9\x40\xE3\x40\xC9\x40\xE3\x40\xC9\x40\xD6\x40\xD5",
        b"\x5C\xD7\xC8\xE8\xE2\xC9\xC3\xC1\xD3\x5C",
    ];
    const HEADER: Standing = HEADER;
    const FACTS: &'static [&'static str] = &[
        "MVS PARTITION NAME",
        "IMAGE CAPACITY",
        "NUMBER OF CONFIGURED PARTITIONS",
        "PHYSICAL PROCESSORS",
        "NUMBER OF PHYSICAL PROCESSORS",
        "PHYS PROC NUM",
        "CP",
        "WAIT COMPLETION",
        "DISPATCH INTERVAL",
    ];
    const CALLED: [&'static str; 3] = ["partition", "rows of partitions", "other lines is of a partition with figures"];
    const OTHER_PAGE: Why = Why::OtherPage;

    fn row(line: &RowLine<'_, Column>) -> Outcome {
        row::read(line)
    }

    /// The name; with `/IIP` where the processors are no general ones. A line without a type belongs to the type above.
    fn keys(rows: &[Row]) -> Vec<String> {
        let mut kind = GENERAL;
        let key = |row| {
            let (name, own): (&str, &str) = (Row::name(row), row.text(Column::Type));
            kind = if own.is_empty() { kind } else { own };
            if kind == GENERAL { name.to_string() } else { format!("{name}/{kind}") }
        };
        rows.iter().map(key).collect()
    }

    fn key_heading() -> &'static str {
        Column::Name.heading()
    }

    fn fill(page: &PartitionPage, totals: &mut IntervalTotals) {
        totals::fill(page, totals);
    }

    fn disagreements(page: &PartitionPage) -> Vec<Problem> {
        page.disagreements()
    }
}
