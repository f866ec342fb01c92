//! The page as a document: the bytes, and an index of what stands where in them.
//!
//! It leaves out changing a field and reading totals, which have files of their own.

use super::layout::{Layout, required};
use super::line::{Kind, Line, lines};
use super::row::{Outcome, Row, Skipped, Why};
use super::title::Title;
use crate::encoding::{self, Expected};
use crate::grid::Grid;
use crate::rmf_dasd::is_direct_access;
use crate::row::{counts, repeated};
use measures::Role;
use std::collections::BTreeSet;
use units::Problem;

/// "FCX108" and "Addr Type" in EBCDIC tell a page that was moved as binary.
const PAGE: Expected = Expected {
    page: "a DEVICE (FCX108) page",
    ebcdic: &[b"\xC6\xC3\xE7\xF1\xF0\xF8", b"\xC1\x84\x84\x99\x40\xE3\xA8\x97\x85"],
};

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
    /// Reads a page; `file` is what problems call it.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the page, in the order of its lines.
    pub fn read(bytes: impl Into<Vec<u8>>, file: &str) -> Result<DevicePage, Vec<Problem>> {
        let bytes = bytes.into();
        let mut reading = Reading::default();
        match encoding::problem(&bytes, &PAGE) {
            Some(problem) => reading.problems.push(problem),
            None => {
                let lines = lines(&bytes);
                reading.problems.extend(other_kind(&lines));
                if reading.problems.is_empty() {
                    reading.take_all(&lines);
                    reading.check();
                }
            }
        }
        let Reading { layouts, title, rows, skipped, mut problems, .. } = reading;
        if problems.is_empty() {
            return Ok(DevicePage { bytes, file: file.to_string(), layouts, title, rows, skipped });
        }
        problems.sort_by_key(|problem| (problem.line, problem.column));
        Err(problems.into_iter().map(|problem| problem.in_file(file)).collect())
    }

    /// The page, byte by byte as it was read, but for the fields that were set since.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What the head of the page says.
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

/// What is wrong with a page that another monitor has printed.
fn other_kind(lines: &[Line]) -> Option<Problem> {
    let at = lines.iter().position(|line| is_direct_access(&line.grid))?;
    let problem = Problem::new("the page is RMF DIRECT ACCESS DEVICE ACTIVITY").at(at + 1, 1);
    Some(problem.because("only DEVICE pages are read here").allowed(["a z/VM DEVICE (FCX108) page"]))
}

/// A page while it is being read.
#[derive(Default)]
struct Reading {
    layouts: Vec<Layout>,
    title: Title,
    /// The head of the page that is being read, when it is not the first.
    repeated: Title,
    in_rows: bool,
    /// Whether rows can be cut by the latest headings.
    readable: bool,
    rows: Vec<Row>,
    skipped: Vec<Skipped>,
    problems: Vec<Problem>,
}

impl Reading {
    fn take_all(&mut self, lines: &[Line]) {
        for (at, line) in lines.iter().enumerate() {
            let number = at + 1;
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
        if name != "FCX108" {
            let problem = Problem::new(format!("the page is {name}")).at(number, 1);
            self.problems.push(problem.because("only DEVICE pages are read").allowed(["FCX108"]));
        }
        self.in_rows = false;
        self.repeated = Title::default();
        self.take_head(&line.grid, number);
    }

    /// Takes in a line of the head; a repeated head must be of the same interval.
    fn take_head(&mut self, grid: &Grid, number: usize) {
        if self.layouts.is_empty() {
            self.problems.extend(self.title.take(grid, number));
            return;
        }
        let seen = self.repeated.started.is_some();
        self.problems.extend(self.repeated.take(grid, number));
        if !seen && self.repeated.started.is_some() && self.repeated.started != self.title.started {
            let problem = Problem::new("another interval begins here").at(number, 1).key("From");
            let why = "one page is one interval; give each its own file";
            self.problems.push(problem.because(why).allowed(self.title.started.clone()));
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
        self.problems.extend(problems);
        self.layouts.push(layout);
        self.in_rows = true;
    }

    fn pass_over(&mut self, kind: Kind, line: usize) {
        if self.in_rows {
            let why = if kind == Kind::Summary { Why::Summary } else { Why::IntervalLine };
            self.skipped.push(Skipped::without_device(line, why));
        }
    }

    fn take_row(&mut self, grid: &Grid, line: usize) {
        let at = self.layouts.len() - 1;
        match Row::read(grid, line, &self.layouts[at], at) {
            Outcome::Row(row) => self.rows.push(row),
            Outcome::Skipped(skipped) => self.skipped.push(skipped),
            Outcome::Wrong(problems) => self.problems.extend(problems),
        }
    }

    /// What can be said only of the page as a whole.
    fn check(&mut self) {
        if self.layouts.is_empty() {
            let what = "the page has no heading line";
            let why = "without it no column is known";
            self.problems.push(Problem::new(what).at(1, 1).because(why).allowed(required()));
            return;
        }
        if self.rows.is_empty() && self.problems.is_empty() {
            let why = match self.skipped.len() {
                0 => "there is nothing under the headings".to_string(),
                skipped => format!("none of the {skipped} lines under the headings is of a disk"),
            };
            self.problems.push(Problem::new("the page has no rows of disks").because(why));
        }
        let rows = self.rows.iter().map(|row| (row.device(), row.line));
        self.problems.extend(repeated(rows, "Addr"));
        let bases: BTreeSet<String> = self.rows.iter().map(|row| row.device().to_ascii_uppercase()).collect();
        for row in &self.rows {
            let Role::BoundAlias { base } = row.role() else { continue };
            if !bases.contains(&base.to_ascii_uppercase()) {
                let problem = Problem::new(format!("the base {base} has no row")).at(row.line, 1);
                let why = "an alias counts for the volume of its base";
                self.problems.push(problem.key(format!("{} Type", row.device())).because(why));
            }
        }
    }
}
