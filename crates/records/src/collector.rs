//! The results of a reader so far, for any page: rows, skipped lines, problems.

use crate::row::{Outcome, Row, Skipped, repeated};
use std::collections::BTreeMap;
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

/// ASSUME: a reader takes in this many problems of one kind one by one; more are one problem with their count.
const ONE_BY_ONE: usize = 4;

/// Problems of a file in the order of its lines; many of one kind are the first of them with their count.
pub(crate) fn in_order(mut problems: Vec<Problem>, file: &str) -> Vec<Problem> {
    problems.sort_by_key(|problem| (problem.line, problem.column));
    let mut counts: BTreeMap<Kind, usize> = BTreeMap::new();
    for problem in &problems {
        *counts.entry(kind(problem)).or_default() += 1;
    }
    let mut told = Vec::new();
    for mut problem in problems {
        let Some(alike) = counts.get_mut(&kind(&problem)) else { continue };
        match std::mem::take(alike) {
            0 => continue, // counted with the first of its kind
            few @ 1..=ONE_BY_ONE => *alike = few,
            many => {
                if problem.why.is_empty() && has_decimal_comma(&problem.what) {
                    problem = problem.because("a page with decimal commas; numbers are read with a decimal point");
                }
                problem.what = format!("{} (the first of {many} of this kind)", problem.what);
            }
        }
        told.push(problem.in_file(file));
    }
    told
}

/// Words, reason and what is allowed.
type Kind = (String, String, Vec<String>);

/// What is alike in problems of one kind: the words, without names, numbers and what is quoted; why; what is allowed.
fn kind(problem: &Problem) -> Kind {
    let text = |text: &str| {
        let outside = text.split('`').step_by(2).collect::<Vec<_>>().join("`");
        let words = outside.split(' ').filter(|word| !word.contains(|ch: char| ch.is_ascii_digit()));
        words.collect::<Vec<_>>().join(" ")
    };
    (text(&problem.what), text(&problem.why), problem.allowed.clone())
}

/// Whether what is quoted is a number but for a comma in place of its point.
fn has_decimal_comma(what: &str) -> bool {
    let quoted = what.split('`').nth(1).unwrap_or("");
    quoted.matches(',').count() == 1 && quoted.replacen(',', "", 1).chars().all(|ch| ch.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_problems_of_a_kind_are_one_with_their_count() {
        let of = |row: usize, heading: &str| {
            Problem::new(format!("`{row},5` is not a number")).at(row, 9).key(format!("0{row} {heading}"))
        };
        let told = |rows: usize| -> Vec<(String, String)> {
            let rates = (1..=rows).map(|row| of(row, "RATE"));
            let all = rates.chain([of(2, "PEND"), Problem::new("`x` is not a cycle").at(50, 1)]).collect();
            in_order(all, "page").into_iter().map(|one| (one.what, one.why)).collect()
        };
        assert_eq!(told(2).len(), 4, "a few are listed one by one");
        let why = "a page with decimal commas; numbers are read with a decimal point";
        let first = ("`1,5` is not a number (the first of 41 of this kind)".to_string(), why.to_string());
        assert_eq!(told(40), [first, ("`x` is not a cycle".to_string(), String::new())]);
    }
}
