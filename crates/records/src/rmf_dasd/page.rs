//! The page as a document: the bytes, and an index of what stands where in them.
//!
//! It leaves out changing a field and reading totals, which have files of their own.

use super::column::{Column, required};
use super::head::Head;
use super::heading::{Layout, header, is_anchor};
use super::row::{Outcome, Row, Skipped, Why};
use crate::encoding::{self, Expected};
use crate::grid::{Grid, lines};
use crate::row::{counts, repeated};
use std::ops::Range;
use units::Problem;

/// What the title says once the blanks between its letters are gone.
const TITLE: &str = "DIRECTACCESSDEVICEACTIVITY";

/// "D I R E C T" and "AVG RESP" with its neighbour in EBCDIC tell a page that was moved as binary.
const PAGE: Expected = Expected {
    page: "an RMF DIRECT ACCESS DEVICE ACTIVITY page",
    ebcdic: &[b"\xC4\x40\xC9\x40\xD9\x40\xC5\x40\xC3\x40\xE3", b"\xC9\xD6\xE2\xD8"],
};

/// Which level of RMF a page is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Level {
    /// MVS/XA: the queue is sampled on the cycle, and IOSQ is its mean length over the rate.
    Sampled,
    /// z/OS, known by AVG CMR DLY: IOSQ is measured.
    Measured,
}

/// A page that was read: every byte of it, and what they say.
#[derive(Clone, Debug, PartialEq)]
pub struct DirectAccessPage {
    pub(crate) bytes: Vec<u8>,
    pub(crate) file: String,
    pub(crate) layouts: Vec<Layout>,
    head: Head,
    rows: Vec<Row>,
    skipped: Vec<Skipped>,
}

impl DirectAccessPage {
    /// Reads a page; `file` is what problems call it.
    ///
    /// # Errors
    ///
    /// Everything that is wrong with the page, in the order of its lines.
    pub fn read(bytes: impl Into<Vec<u8>>, file: &str) -> Result<DirectAccessPage, Vec<Problem>> {
        let bytes = bytes.into();
        let mut reading = Reading::default();
        match encoding::problem(&bytes, &PAGE) {
            Some(problem) => reading.problems.push(problem),
            None => {
                reading.take_all(&lines(&bytes));
                reading.check();
            }
        }
        let Reading { layouts, head, rows, skipped, mut problems, .. } = reading;
        if problems.is_empty() {
            return Ok(DirectAccessPage { bytes, file: file.to_string(), layouts, head, rows, skipped });
        }
        problems.sort_by_key(|problem| (problem.line, problem.column));
        Err(problems.into_iter().map(|problem| problem.in_file(file)).collect())
    }

    /// The page, byte by byte as it was read, but for the fields that were set since.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// What the head of the page says.
    pub fn head(&self) -> &Head {
        &self.head
    }

    /// Which level of RMF it is of.
    pub fn level(&self) -> Level {
        let measured = self.layouts.iter().any(|layout| layout.has(Column::CommandResponse));
        if measured { Level::Measured } else { Level::Sampled }
    }

    /// The rows of volumes, in the order of the page.
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

    /// How many lines were passed over of each kind.
    pub fn skipped_counts(&self) -> Vec<(Why, String, usize)> {
        counts(&self.skipped)
    }
}

/// Whether a line is the title of such a page.
pub(crate) fn is_direct_access(line: &Grid) -> bool {
    spaced_title(line).is_some_and(|title| title == TITLE)
}

/// The title of a page whose letters stand apart: "CPUACTIVITY"; none when the line is no such title.
fn spaced_title(line: &Grid) -> Option<String> {
    let words: Vec<String> = line.words().into_iter().map(|word| line.text(word)).collect();
    let single = words.iter().filter(|word| word.chars().count() == 1).count();
    (single >= 6 && single == words.len()).then(|| words.concat())
}

/// Where a line stands.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// In the head of a page, above the headings.
    #[default]
    Head,
    /// Under the headings.
    Rows,
    /// Under the title of another page.
    Elsewhere,
}

/// A page while it is being read.
#[derive(Default)]
struct Reading {
    layouts: Vec<Layout>,
    head: Head,
    /// The head of the page that is being read, when it is not the first.
    repeated: Head,
    place: Place,
    /// Whether rows can be cut by the latest headings.
    readable: bool,
    rows: Vec<Row>,
    skipped: Vec<Skipped>,
    problems: Vec<Problem>,
}

impl Reading {
    fn take_all(&mut self, lines: &[Grid]) {
        let anchors = (0..lines.len()).filter(|at| is_anchor(&lines[*at]));
        let headers: Vec<(usize, Range<usize>)> = anchors.map(|at| (at, header(lines, at))).collect();
        let mut next = 0;
        for (at, line) in lines.iter().enumerate() {
            while headers.get(next).is_some_and(|(_, header)| header.end <= at) {
                next += 1;
            }
            match headers.get(next) {
                Some((anchor, _)) if *anchor == at => self.take_headings(lines, at, &headers[next].1),
                Some((_, header)) if header.contains(&at) => {}
                Some(_) | None => self.take_line(line, at + 1),
            }
        }
    }

    fn take_line(&mut self, line: &Grid, number: usize) {
        let text = line.text(0..line.len());
        match (spaced_title(line), self.place) {
            (Some(title), _) if title == TITLE => {
                self.place = Place::Head;
                self.repeated = Head::default();
            }
            (Some(_), _) => self.place = Place::Elsewhere,
            (None, _) if text.is_empty() || text.chars().all(|ch| matches!(ch, '-' | '_' | '=')) => {}
            (None, Place::Head) => self.take_head(line, number),
            (None, Place::Rows) if self.readable => self.take_row(line, number),
            (None, Place::Rows) => {}
            (None, Place::Elsewhere) => self.pass_over(number, Why::OtherPage),
        }
    }

    /// Takes in a line of the head; a repeated head must be of the same interval.
    fn take_head(&mut self, line: &Grid, number: usize) {
        if self.layouts.is_empty() {
            self.problems.extend(self.head.take(line, number));
            return;
        }
        let seen = self.repeated.started();
        self.problems.extend(self.repeated.take(line, number));
        let (now, first) = (&self.repeated, &self.head);
        let differs = |one: &Option<String>, other: &Option<String>| one.is_some() && one != other;
        if now.started() != seen && (differs(&now.date, &first.date) || differs(&now.time, &first.time)) {
            let problem = Problem::new("another interval begins here").at(number, 1).key("TIME");
            let why = "one page is one interval; give each its own file";
            self.problems.push(problem.because(why).allowed(first.started()));
        }
    }

    fn take_headings(&mut self, lines: &[Grid], anchor: usize, header: &Range<usize>) {
        if self.place == Place::Elsewhere {
            (header.clone()).for_each(|at| self.pass_over(at + 1, Why::OtherPage));
            return;
        }
        let layout = Layout::read(&lines[header.clone()], anchor - header.start);
        let problems = layout.problems(anchor + 1);
        self.readable = problems.is_empty();
        self.problems.extend(problems);
        self.layouts.push(layout);
        self.place = Place::Rows;
    }

    fn pass_over(&mut self, line: usize, why: Why) {
        self.skipped.push(Skipped::without_device(line, why));
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
            let what = "the page has no heading lines of DIRECT ACCESS DEVICE ACTIVITY";
            let why = "without them no column is known";
            self.problems.push(Problem::new(what).at(1, 1).because(why).allowed(required()));
            return;
        }
        if self.rows.is_empty() && self.problems.is_empty() {
            let why = match self.skipped.len() {
                0 => "there is nothing under the headings".to_string(),
                skipped => format!("none of the {skipped} other lines is of a volume with figures"),
            };
            self.problems.push(Problem::new("the page has no rows of volumes").because(why));
        }
        let rows = self.rows.iter().map(|row| (row.device(), row.line));
        self.problems.extend(repeated(rows, Column::Device.heading()));
    }
}
