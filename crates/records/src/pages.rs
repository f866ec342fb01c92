//! Every kind of page that is kept to the byte, behind one face: a kind is a line of [`KINDS`].

use crate::fcx108::DevicePage;
use crate::rmf::{Columned, Document, Page};
use crate::rmf_channel::ChannelPath;
use crate::rmf_cpu::CpuActivity;
use crate::rmf_dasd::DirectAccess;
use crate::rmf_partition::Partition;
use crate::rmf_queuing::Queuing;
use crate::row::{Row, Skipped};
use measures::IntervalTotals;
use std::fmt::Display;
use units::{Problem, Span};

/// Reads a page of a kind; with every problem of it where it is none.
pub type Reader = fn(&[u8], &str) -> Result<Box<dyn AnyPage>, Vec<Problem>>;

/// A kind of page.
#[derive(Debug)]
pub struct Kind {
    /// What programs call a page of it: "CpuReport".
    pub class: &'static str,
    /// A page of it in words: "an RMF CPU ACTIVITY page".
    pub about: &'static str,
    /// Its title without blanks, and how messages call it; none where it has no title of RMF.
    pub title: Option<(&'static str, &'static str)>,
    /// Reads a page of it; `file` is what problems call it.
    pub read: Reader,
}

/// Every kind of page.
pub const KINDS: [Kind; 6] = [
    Kind { class: "DeviceReport", about: DevicePage::ABOUT, title: None, read: read_device_page },
    of_rmf::<DirectAccess>("DirectAccessReport"),
    of_rmf::<CpuActivity>("CpuReport"),
    of_rmf::<Partition>("PartitionReport"),
    of_rmf::<ChannelPath>("ChannelReport"),
    of_rmf::<Queuing>("QueuingReport"),
];

const fn of_rmf<P: Page>(class: &'static str) -> Kind {
    Kind { class, about: P::EXPECTED, title: Some((P::TITLE, P::NAME)), read: read_rmf_page::<P> }
}

fn read_rmf_page<P: Page>(data: &[u8], file: &str) -> Result<Box<dyn AnyPage>, Vec<Problem>> {
    Ok(Box::new(Document::<P>::read(data, file)?))
}

fn read_device_page(data: &[u8], file: &str) -> Result<Box<dyn AnyPage>, Vec<Problem>> {
    Ok(Box::new(DevicePage::read(data, file)?))
}

/// A page of any kind that was read.
pub trait AnyPage: Send + Sync {
    /// The interval that it reports, with name, start, length and samples, and its tables as far as it gives them.
    fn totals(&self) -> IntervalTotals;
    /// The length of the cycle of samples, where the page reports it.
    fn cycle(&self) -> Option<Span>;
    /// The fact in the head after such words as "WAIT COMPLETION"; empty if there is none.
    fn fact(&self, label: &str) -> &str;
    /// Every field that is printed: a row per row of the page, headings and texts.
    fn fields(&self) -> Vec<Vec<(&'static str, &str)>>;
    /// Lines that are no rows, each with the reason.
    fn skipped(&self) -> Vec<Skipped<String>>;
    /// Rows whose figures do not agree with each other.
    fn disagreements(&self) -> Vec<Problem>;
    /// The level of the monitor, where pages of two levels differ; else empty.
    fn level(&self) -> &'static str;
    /// Replaces one printed field; only its bytes change.
    fn set(&mut self, row: &str, heading: &str, text: &str) -> Result<(), Vec<Problem>>;
    /// The page, byte by byte.
    fn to_bytes(&self) -> &[u8];
}

impl<P: Page> AnyPage for Document<P> {
    fn totals(&self) -> IntervalTotals {
        Document::totals(self)
    }

    fn cycle(&self) -> Option<Span> {
        self.head().cycle
    }

    fn fact(&self, label: &str) -> &str {
        Document::fact(self, label).unwrap_or("")
    }

    fn fields(&self) -> Vec<Vec<(&'static str, &str)>> {
        fields(self.rows(), P::Column::heading)
    }

    fn skipped(&self) -> Vec<Skipped<String>> {
        in_words(Document::skipped(self))
    }

    fn disagreements(&self) -> Vec<Problem> {
        P::disagreements(self)
    }

    fn level(&self) -> &'static str {
        P::level(self)
    }

    fn set(&mut self, row: &str, heading: &str, text: &str) -> Result<(), Vec<Problem>> {
        Document::set(self, row, heading, text)
    }

    fn to_bytes(&self) -> &[u8] {
        Document::to_bytes(self)
    }
}

impl AnyPage for DevicePage {
    fn totals(&self) -> IntervalTotals {
        DevicePage::totals(self)
    }

    fn cycle(&self) -> Option<Span> {
        None
    }

    fn fact(&self, _: &str) -> &str {
        ""
    }

    fn fields(&self) -> Vec<Vec<(&'static str, &str)>> {
        fields(self.rows(), crate::fcx108::Column::heading)
    }

    fn skipped(&self) -> Vec<Skipped<String>> {
        in_words(DevicePage::skipped(self))
    }

    fn disagreements(&self) -> Vec<Problem> {
        Vec::new()
    }

    fn level(&self) -> &'static str {
        ""
    }

    fn set(&mut self, row: &str, heading: &str, text: &str) -> Result<(), Vec<Problem>> {
        DevicePage::set(self, row, heading, text)
    }

    fn to_bytes(&self) -> &[u8] {
        DevicePage::to_bytes(self)
    }
}

fn fields<C: Copy>(rows: &[Row<C>], heading: impl Fn(C) -> &'static str) -> Vec<Vec<(&'static str, &str)>> {
    let mut printed = Vec::with_capacity(rows.len());
    for row in rows {
        printed.push(row.fields.iter().map(|field| (heading(field.column), field.text.as_str())).collect());
    }
    printed
}

fn in_words<W: Display>(skipped: &[Skipped<W>]) -> Vec<Skipped<String>> {
    let said = |skipped: &Skipped<W>| Skipped {
        line: skipped.line,
        name: skipped.name.clone(),
        kind: skipped.kind.clone(),
        why: skipped.why.to_string(),
    };
    skipped.iter().map(said).collect()
}
