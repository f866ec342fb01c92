//! The results of a reader so far, for any page: rows, skipped lines, problems.

use crate::row::{Outcome, Row, Skipped, repeated};
use units::Problem;

/// The results so far.
#[derive(Debug)]
pub(crate) struct Collector<C, W> {
    rows: Vec<Row<C>>,
    skipped: Vec<Skipped<W>>,
    problems: Vec<Problem>,
}

/// A sound page: its rows and the lines that were passed over.
pub(crate) type Sound<C, W> = (Vec<Row<C>>, Vec<Skipped<W>>);

/// The name of a page's rows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Called {
    /// What a row is of: "device".
    pub(crate) one: &'static str,
    /// What the rows are: "rows of disks".
    pub(crate) rows: &'static str,
    /// Why a page without rows has none, after a number of passed-over lines: "lines under the headings is of a disk".
    pub(crate) none: &'static str,
}

impl<C, W> Default for Collector<C, W> {
    fn default() -> Self {
        Collector { rows: Vec::new(), skipped: Vec::new(), problems: Vec::new() }
    }
}

impl<C, W> Collector<C, W> {
    /// Takes in what a line turned out to be.
    pub(crate) fn take(&mut self, outcome: Outcome<C, W>) {
        match outcome {
            Outcome::Row(row) => self.rows.push(row),
            Outcome::Skipped(skipped) => self.skipped.push(skipped),
            Outcome::Wrong(problems) => self.problems.extend(problems),
        }
    }

    /// Passes over a line that is of nothing in particular.
    pub(crate) fn pass_over(&mut self, line: usize, why: W) {
        self.skipped.push(Skipped::of_nothing(line, why));
    }

    /// Keeps what is wrong.
    pub(crate) fn tell(&mut self, problems: impl IntoIterator<Item = Problem>) {
        self.problems.extend(problems);
    }

    /// The rows so far.
    pub(crate) fn rows(&self) -> &[Row<C>] {
        &self.rows
    }

    /// Whether nothing is wrong so far.
    pub(crate) fn is_sound(&self) -> bool {
        self.problems.is_empty()
    }

    /// Reports that there are no rows, and duplicates; `names` describes a row, `heading` is the place of its name.
    pub(crate) fn check_rows(&mut self, called: Called, heading: &str, names: impl Fn(&[Row<C>]) -> Vec<String>) {
        if self.rows.is_empty() && self.is_sound() {
            let why = match self.skipped.len() {
                0 => "there is nothing under the headings".to_string(),
                skipped => format!("none of the {skipped} {}", called.none),
            };
            self.tell([Problem::new(format!("the page has no {}", called.rows)).because(why)]);
        }
        let lines = self.rows.iter().map(|row| row.line);
        let rows: Vec<(String, usize)> = names(&self.rows).into_iter().zip(lines).collect();
        let twice = repeated(&rows, called.one, heading);
        self.tell(twice);
    }

    /// The results, or all problems.
    pub(crate) fn finish(self, file: &str) -> Result<Sound<C, W>, Vec<Problem>> {
        if self.is_sound() { Ok((self.rows, self.skipped)) } else { Err(in_order(self.problems, file)) }
    }
}

/// Problems of a file in the order of its lines.
pub(crate) fn in_order(mut problems: Vec<Problem>, file: &str) -> Vec<Problem> {
    problems.sort_by_key(|problem| (problem.line, problem.column));
    problems.into_iter().map(|problem| problem.in_file(file)).collect()
}
