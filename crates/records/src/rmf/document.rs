//! An RMF page as a document: the bytes, and an index of the places in them.

use super::column::Columned;
use super::head::Head;
use super::layout::{Layout, Standing};
use super::reading::Reading;
use super::row::RowLine;
use crate::collector::in_order;
use crate::encoding::{self, Expected};
use crate::grid::printed_lines;
use crate::row::{Outcome, Row, Skipped, counts};
use measures::IntervalTotals;
use std::fmt::{Debug, Display};
use units::{Problem, Span};

/// The parts that differ from page to page.
pub trait Page: Clone + Debug + PartialEq + Send + Sync + 'static {
    /// Its columns.
    type Column: Columned;
    /// Why a sound line is no row.
    type Why: Copy + Clone + Debug + Display + Ord + Send + Sync;

    /// The title without its blanks.
    const TITLE: &'static str;
    /// How messages call it, without "RMF".
    const NAME: &'static str;
    /// What a reader looks for: "an RMF CPU ACTIVITY page".
    const EXPECTED: &'static str;
    /// Words that every such page has, in EBCDIC; they tell a page that was moved as binary.
    const EBCDIC: &'static [&'static [u8]];
    /// How its headings stand, and by which words their line is known.
    const HEADER: Standing;
    /// The words before a value in the head, apart from those of all heads: "WAIT COMPLETION".
    const FACTS: &'static [&'static str];
    /// The subject of a row, the kind of rows, and why a page without rows has none.
    const CALLED: [&'static str; 3];

    /// Why the lines under another title are no rows.
    const OTHER_PAGE: Self::Why;

    /// The kind of a line under the headings.
    fn row(line: &RowLine<'_, Self::Column>) -> Outcome<Self::Column, Self::Why>;

    /// By what each of the rows is known: of two that are known alike one is a problem.
    fn keys(rows: &[Row<Self::Column>]) -> Vec<String>;

    /// The heading above that.
    fn key_heading() -> &'static str;

    /// Adds what the rows say to the interval that the page reports.
    fn fill(page: &Document<Self>, totals: &mut IntervalTotals);

    /// The rows whose figures do not agree with each other within what the printed digits leave open.
    fn disagreements(_: &Document<Self>) -> Vec<Problem> {
        Vec::new()
    }

    /// The level of RMF, where pages of two levels differ; else empty.
    fn level(_: &Document<Self>) -> &'static str {
        ""
    }
}

/// A page that was read: every byte of it, and what they say.
#[derive(Clone, Debug, PartialEq)]
pub struct Document<P: Page> {
    pub(crate) bytes: Vec<u8>,
    pub(crate) file: String,
    pub(crate) layouts: Vec<Layout<P::Column>>,
    pub(crate) facts: Vec<(&'static str, String)>,
    head: Head,
    rows: Vec<Row<P::Column>>,
    skipped: Vec<Skipped<P::Why>>,
}

impl<P: Page> Document<P> {
    /// Reads a page; `file` is what problems call it.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the page, in the order of its lines.
    pub fn read(bytes: impl Into<Vec<u8>>, file: &str) -> Result<Document<P>, Vec<Problem>> {
        let bytes = bytes.into();
        if let Some(problem) = encoding::problem(&bytes, &Expected { page: P::EXPECTED, ebcdic: P::EBCDIC }) {
            return Err(in_order(vec![problem], file));
        }
        let mut reading = Reading::<P>::default();
        reading.take_all(&printed_lines(&bytes));
        reading.check();
        let (rows, skipped) = reading.found.finish(file)?;
        let Reading { layouts, facts, head, .. } = reading;
        Ok(Document { bytes, file: file.to_string(), layouts, facts, head, rows, skipped })
    }

    /// The page, byte by byte as it was read, but for the fields that were set since.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The facts in the head of the page.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// The text in the head after these words, such as "WAIT COMPLETION"; none without them.
    pub fn fact(&self, label: &str) -> Option<&str> {
        self.facts.iter().find(|(known, _)| *known == label).map(|(_, value)| value.as_str())
    }

    /// The interval that the page reports; its length is zero when the page does not tell it.
    pub fn totals(&self) -> IntervalTotals {
        let mut totals = IntervalTotals::new(self.head.system.clone(), self.head.length.unwrap_or(Span::ZERO));
        totals.started = self.head.started();
        totals.samples = self.head.samples.unwrap_or(0);
        P::fill(self, &mut totals);
        totals
    }

    /// The rows, in the order of the page.
    pub fn rows(&self) -> &[Row<P::Column>] {
        &self.rows
    }

    /// The row that is known by this, whatever the case.
    pub fn row(&self, key: &str) -> Option<&Row<P::Column>> {
        let keys = P::keys(&self.rows);
        self.rows.iter().zip(keys).find(|(_, known)| known.eq_ignore_ascii_case(key)).map(|(row, _)| row)
    }

    /// The lines that were passed over.
    pub fn skipped(&self) -> &[Skipped<P::Why>] {
        &self.skipped
    }

    /// How many lines were passed over of each kind.
    pub fn skipped_counts(&self) -> Vec<(P::Why, String, usize)> {
        counts(&self.skipped)
    }
}
