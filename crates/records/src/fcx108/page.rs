//! The page as a document: the bytes, and an index of the places in them.

use super::column::Column;
use super::layout::{Layout, required};
use super::line::{Kind, Line, lines};
use super::row::{Row, Skipped, Why};
use super::title::Title;
use crate::collector::{Called, Collector, in_order};
use crate::encoding::{self, Expected};
use crate::grid::Grid;
use crate::rmf::{Page, spaced_title};
use crate::rmf_cpu::CpuActivity;
use crate::rmf_dasd::DirectAccess;
use crate::rmf_partition::Partition;
use crate::row::counts;
use measures::Role;
use std::collections::BTreeSet;
use units::Problem;

/// "FCX108" and "Addr Type" in EBCDIC tell a page that was moved as binary.
const PAGE: Expected = Expected {
    page: DevicePage::ABOUT,
    ebcdic: &[b"\xC6\xC3\xE7\xF1\xF0\xF8", b"\xC1\x84\x84\x99\x40\xE3\xA8\x97\x85"],
};

const CALLED: Called = Called { one: "device", rows: "rows of disks", none: "lines under the headings is of a disk" };

/// A DEVICE page that was read: every byte of it, and what they say.
#[derive(Clone, Debug, PartialEq)]
pub struct DevicePage {
    pub(crate) bytes: Vec<u8>,
    pub(crate) file: String,
    pub(crate) layouts: Vec<Layout>,
    title: Title,
    rows: Vec<Row>,
    skipped: Vec<Skipped>,
}

impl DevicePage {
    /// Such a page in words.
    pub(crate) const ABOUT: &str = "a DEVICE (FCX108) page";

    /// Reads a page; `file` is what problems call it.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the page, in the order of its lines.
    pub fn read(bytes: impl Into<Vec<u8>>, file: &str) -> Result<DevicePage, Vec<Problem>> {
        let bytes = bytes.into();
        if let Some(problem) = encoding::problem(&bytes, &PAGE) {
            return Err(in_order(vec![problem], file));
        }
        let lines = lines(&bytes);
        if let Some(problem) = other_kind(&lines) {
            return Err(in_order(vec![problem], file));
        }
        let mut reading = Reading::default();
        reading.take_all(&lines);
        reading.check();
        let (rows, skipped) = reading.found.finish(file)?;
        Ok(DevicePage { bytes, file: file.to_string(), layouts: reading.layouts, title: reading.title, rows, skipped })
    }

    /// The page, byte by byte as it was read, but for the fields that were set since.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The facts in the head of the page.
    pub fn title(&self) -> &Title {
        &self.title
    }

    /// The rows of disks, in the order of the page.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The row of a device, whatever the case of its number.
    pub fn row(&self, device: &str) -> Option<&Row> {
        self.rows.iter().find(|row| row.device().eq_ignore_ascii_case(device))
    }

    /// The lines that were passed over.
    pub fn skipped(&self) -> &[Skipped] {
        &self.skipped
    }

    /// How many lines were passed over of each kind: `3490` not a disk, 12.
    pub fn skipped_counts(&self) -> Vec<(Why, String, usize)> {
        counts(&self.skipped)
    }
}

/// The problem of a page from another monitor.
fn other_kind(lines: &[Line]) -> Option<Problem> {
    let titles = lines.iter().enumerate().filter_map(|(at, line)| Some((at, spaced_title(&line.grid)?)));
    let (at, name) = titles.into_iter().find_map(|(at, title)| Some((at, rmf_name(&title)?)))?;
    let problem = Problem::new(format!("the page is RMF {name}")).at(at + 1, 1);
    Some(problem.because("only DEVICE pages are read here").allowed(["a z/VM DEVICE (FCX108) page"]))
}

/// How messages call the RMF page of a title.
fn rmf_name(title: &str) -> Option<&'static str> {
    let known = [
        (DirectAccess::TITLE, DirectAccess::NAME),
        (CpuActivity::TITLE, CpuActivity::NAME),
        (Partition::TITLE, Partition::NAME),
    ];
    known.into_iter().find(|(known, _)| *known == title).map(|(_, name)| name)
}

/// A page while it is being read.
#[derive(Default)]
struct Reading {
    layouts: Vec<Layout>,
    title: Title,
    /// The head of the page that is being read, when it is not the first.
    repeated: Title,
    in_rows: bool,
    /// The first title of another page: its line and its name.
    other: Option<(usize, String)>,
    /// Whether the lines belong to another page.
    elsewhere: bool,
    /// Whether rows can be cut by the latest headings.
    readable: bool,
    found: Collector<Column, Why>,
}

impl Reading {
    fn take_all(&mut self, lines: &[Line]) {
        for (at, line) in lines.iter().enumerate() {
            let number = at + 1;
            if self.elsewhere && line.kind != Kind::Title {
                if line.kind != Kind::Blank {
                    self.found.pass_over(number, Why::OtherPage);
                }
                continue;
            }
            match line.kind {
                Kind::Blank | Kind::Rule | Kind::Marks => {}
                Kind::Title => self.take_title(line, number),
                Kind::Heading => self.take_heading(lines, at),
                Kind::Summary | Kind::Interval => self.pass_over(line.kind, number),
                Kind::Other if !self.in_rows => self.take_head(&line.grid, number),
                Kind::Other if lines.get(at + 1).is_some_and(|next| next.kind == Kind::Heading) => {}
                Kind::Other if self.readable => self.take_row(&line.grid, number),
                Kind::Other => {}
            }
        }
    }

    fn take_title(&mut self, line: &Line, number: usize) {
        let text = line.grid.text(0..line.grid.len());
        let name: String = text.chars().skip_while(|ch| *ch != 'F').take(6).collect();
        self.in_rows = false;
        self.elsewhere = name != "FCX108";
        if self.elsewhere {
            self.found.pass_over(number, Why::OtherPage);
            self.other.get_or_insert((number, name));
            return;
        }
        self.repeated = Title::default();
        self.take_head(&line.grid, number);
    }

    /// Takes in a line of the head; a repeated head must be of the same interval.
    fn take_head(&mut self, grid: &Grid, number: usize) {
        if self.layouts.is_empty() {
            self.found.tell(self.title.take(grid, number));
            return;
        }
        let seen = self.repeated.started.is_some();
        self.found.tell(self.repeated.take(grid, number));
        if !seen && self.repeated.started.is_some() && self.repeated.started != self.title.started {
            let problem = Problem::new("another interval begins here").at(number, 1).key("From");
            let why = "one page is one interval; give each its own file";
            self.found.tell([problem.because(why).allowed(self.title.started.clone())]);
        }
    }

    fn take_heading(&mut self, lines: &[Line], at: usize) {
        let above = |distance: usize| at.checked_sub(distance).map(|place| &lines[place]);
        let groups = above(1).filter(|line| line.kind == Kind::Other);
        let marks = above(if groups.is_some() { 2 } else { 1 }).filter(|line| line.kind == Kind::Marks);
        let headings = &lines[at].grid;
        let layout = Layout::read(marks.map(|line| &line.grid), groups.map(|line| &line.grid), headings);
        let problems = layout.problems(at + 1, headings);
        self.readable = problems.is_empty();
        self.found.tell(problems);
        self.layouts.push(layout);
        self.in_rows = true;
    }

    fn pass_over(&mut self, kind: Kind, line: usize) {
        if self.in_rows {
            let why = if kind == Kind::Summary { Why::Summary } else { Why::IntervalLine };
            self.found.pass_over(line, why);
        }
    }

    fn take_row(&mut self, grid: &Grid, line: usize) {
        let at = self.layouts.len() - 1;
        self.found.take(Row::read(grid, line, &self.layouts[at], at));
    }

    /// The problems of the page as a whole.
    fn check(&mut self) {
        if let Some((line, name)) = self.other.take().filter(|_| self.layouts.is_empty()) {
            let problem = Problem::new(format!("the page is {name}")).at(line, 1);
            self.found.tell([problem.because("only DEVICE pages are read").allowed(["FCX108"])]);
            return;
        }
        if self.layouts.is_empty() {
            let what = "the page has no heading line";
            let why = "without it no column is known";
            self.found.tell([Problem::new(what).at(1, 1).because(why).allowed(required())]);
            return;
        }
        let devices = |rows: &[Row]| rows.iter().map(|row| row.device().to_string()).collect();
        self.found.check_rows(CALLED, Column::Address.heading(), devices);
        let rows = self.found.rows();
        let bases: BTreeSet<String> = rows.iter().map(|row| row.device().to_ascii_uppercase()).collect();
        let mut problems = Vec::new();
        for row in rows {
            let Role::BoundAlias { base } = row.role() else { continue };
            if !bases.contains(&base.to_ascii_uppercase()) {
                let problem = Problem::new(format!("the base {base} has no row")).at(row.line, 1);
                let why = "an alias counts for the volume of its base";
                problems.push(problem.key(format!("{} Type", row.device())).because(why));
            }
        }
        self.found.tell(problems);
    }
}
