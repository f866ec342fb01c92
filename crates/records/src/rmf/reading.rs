//! A page while it is being read, line by line: where the reader is, and what it has found.

use super::column::required;
use super::document::Page;
use super::head::{Head, after};
use super::layout::Layout;
use super::row::RowLine;
use super::title::spaced_title;
use crate::collector::{Called, Collector};
use crate::grid::Grid;
use std::ops::Range;
use units::Problem;

/// The place of a line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Place {
    /// In the head of a page, above the headings.
    #[default]
    Head,
    /// Under the headings.
    Rows,
    /// After the end of a page that was read: the next may be of another kind.
    Between,
    /// Under the title of another page.
    Elsewhere,
}

/// A page while it is being read.
pub(crate) struct Reading<P: Page> {
    pub(crate) layouts: Vec<Layout<P::Column>>,
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) head: Head,
    pub(crate) found: Collector<P::Column, P::Why>,
    /// The head of the page that is being read, when it is not the first.
    repeated: Head,
    place: Place,
    /// Whether rows can be cut by the latest headings.
    readable: bool,
}

impl<P: Page> Default for Reading<P> {
    fn default() -> Self {
        Reading {
            layouts: Vec::new(),
            facts: Vec::new(),
            head: Head::default(),
            found: Collector::default(),
            repeated: Head::default(),
            place: Place::default(),
            readable: false,
        }
    }
}

impl<P: Page> Reading<P> {
    pub(crate) fn take_all(&mut self, lines: &[Grid]) {
        let anchors = (0..lines.len()).filter(|at| P::HEADER.is_anchor::<P::Column>(&lines[*at]));
        let headers: Vec<(usize, Range<usize>)> =
            anchors.map(|at| (at, P::HEADER.header::<P::Column>(lines, at))).collect();
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
        if line.begins_page() && !self.layouts.is_empty() && self.place != Place::Elsewhere {
            self.place = Place::Between;
        }
        match (spaced_title(line), self.place) {
            (Some(title), _) if title == P::TITLE => {
                self.place = Place::Head;
                self.repeated = Head::default();
            }
            (Some(_), _) => self.place = Place::Elsewhere,
            (None, _) if text.is_empty() || text.chars().all(|ch| matches!(ch, '-' | '_' | '=')) => {}
            (None, Place::Head) => self.take_head(line, number),
            (None, Place::Rows) if self.readable => self.take_row(line, number),
            (None, Place::Rows) => {}
            (None, Place::Between | Place::Elsewhere) => self.found.pass_over(number, P::OTHER_PAGE),
        }
    }

    /// Takes in a line of the head; a repeated head must be of the same interval.
    fn take_head(&mut self, line: &Grid, number: usize) {
        if self.layouts.is_empty() {
            self.found.tell(self.head.take(line, number));
            self.take_facts(line);
            return;
        }
        let seen = self.repeated.started();
        let unnamed = self.repeated.system.is_empty();
        self.found.tell(self.repeated.take(line, number));
        let (now, first) = (&self.repeated, &self.head);
        let differs = |one: &Option<String>, other: &Option<String>| one.is_some() && one != other;
        if unnamed && !now.system.is_empty() && now.system != first.system {
            let problem = Problem::new("a page of another system begins here").at(number, 1).key("SYSTEM ID");
            let why = "one page is of one system; give each its own file";
            self.found.tell([problem.because(why).allowed([first.system.clone()])]);
        }
        if now.started() != seen && (differs(&now.date, &first.date) || differs(&now.time, &first.time)) {
            let problem = Problem::new("another interval begins here").at(number, 1).key("TIME");
            let why = "one page is one interval; give each its own file";
            self.found.tell([problem.because(why).allowed(first.started())]);
        }
    }

    /// Keeps the values after the words that this page has in its head; the first value counts.
    fn take_facts(&mut self, line: &Grid) {
        let parts = line.parts();
        for (nth, part) in parts.iter().enumerate() {
            let text = line.text(part.clone());
            let begins = |label: &str| {
                let rest = text.get(label.len()..).filter(|_| after(&text, label).is_some());
                rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
            };
            let label = P::FACTS.iter().find(|label| begins(label));
            let Some(label) = label.filter(|label| self.facts.iter().all(|(known, _)| known != *label)) else {
                continue;
            };
            let beside = text[label.len()..].trim().to_string();
            let next = parts.get(nth + 1).map(|next| line.text(next.clone())).unwrap_or_default();
            let value = if beside.is_empty() { next } else { beside };
            self.facts.push((label, value));
        }
    }

    fn take_headings(&mut self, lines: &[Grid], anchor: usize, header: &Range<usize>) {
        if self.place == Place::Elsewhere {
            (header.clone()).for_each(|at| self.found.pass_over(at + 1, P::OTHER_PAGE));
            return;
        }
        let layout = P::HEADER.layout(&lines[header.clone()], anchor - header.start);
        let problems = layout.problems(anchor + 1);
        self.readable = problems.is_empty();
        self.found.tell(problems);
        self.layouts.push(layout);
        self.place = Place::Rows;
    }

    fn take_row(&mut self, grid: &Grid, line: usize) {
        let at = self.layouts.len() - 1;
        let row = RowLine { grid, line, layout: &self.layouts[at], layout_at: at };
        self.found.take(P::row(&row));
    }

    /// The problems of the page as a whole.
    pub(crate) fn check(&mut self) {
        if self.layouts.is_empty() {
            let what = format!("the page has no heading lines of {}", P::NAME);
            let why = "without them no column is known";
            self.found.tell([Problem::new(what).at(1, 1).because(why).allowed(required::<P::Column>())]);
            return;
        }
        let [one, rows, none] = P::CALLED;
        self.found.check_rows(Called { one, rows, none }, P::key_heading(), P::keys);
    }
}
