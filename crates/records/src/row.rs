//! A row of a page and its fields, whatever the columns of the page, and the lines that are passed over.

use crate::nearest::nearest;
use measures::Figure;
use std::collections::BTreeMap;
use std::ops::Range;
use units::Problem;

/// A field as it is printed.
#[derive(Clone, Debug, PartialEq)]
pub struct Field<C> {
    /// Its column.
    pub column: C,
    /// Its printed text, without the blanks around it.
    pub text: String,
    /// The number it says, with its rounding; unknown in columns of words and where the page does not tell.
    pub figure: Figure,
    /// Where on the line it is printed, in characters from the left, counted from zero.
    pub place: Range<usize>,
}

/// A row of what the page is about.
#[derive(Clone, Debug, PartialEq)]
pub struct Row<C> {
    /// Its line, counted from one.
    pub line: usize,
    /// Its fields, in the order of the page.
    pub fields: Vec<Field<C>>,
    /// The number of the page's header above it.
    pub(crate) layout: usize,
}

/// A line that was passed over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Skipped<W> {
    /// The line, counted from one.
    pub line: usize,
    /// Its subject, such as a device number; empty for a line without one.
    pub name: String,
    /// Its type as printed; empty for a line without one.
    pub kind: String,
    /// Why it was passed over.
    pub why: W,
}

/// That a page has no such heading.
pub(crate) fn no_such_heading(heading: &str, headings: &[&'static str]) -> Box<Problem> {
    let near = nearest(heading, headings.iter().copied());
    Box::new(Problem::new("there is no such heading").allowed(headings.iter().copied()).nearest(near))
}

/// That a page has no row of a device, or of whatever `one` says, among those that it has.
pub(crate) fn no_row_of<'a>(one: &str, name: &str, names: impl Iterator<Item = &'a str>) -> Box<Problem> {
    Box::new(Problem::new(format!("there is no row of this {one}")).nearest(nearest(name, names)))
}

/// The kind of a line under a header.
pub enum Outcome<C, W> {
    /// A row.
    Row(Row<C>),
    /// A sound line that is none.
    Skipped(Skipped<W>),
    /// A row with something wrong in it.
    Wrong(Vec<Problem>),
}

impl<C: Copy + PartialEq> Row<C> {
    /// The field of a column; none when the page has no such column, or nothing in it.
    pub fn field(&self, column: C) -> Option<&Field<C>> {
        self.fields.iter().find(|field| field.column == column)
    }

    /// The printed text in a column; empty if it is blank.
    pub fn text(&self, column: C) -> &str {
        self.field(column).map_or("", |field| &field.text)
    }

    /// The number in a column; unknown when the page does not tell it.
    pub fn figure(&self, column: C) -> Figure {
        self.field(column).map_or(Figure::UNKNOWN, |field| field.figure)
    }
}

impl<W> Skipped<W> {
    /// A line of nothing in particular.
    pub(crate) fn of_nothing(line: usize, why: W) -> Self {
        Skipped { line, name: String::new(), kind: String::new(), why }
    }
}

/// How many lines were passed over of each kind.
pub(crate) fn counts<W: Copy + Ord>(skipped: &[Skipped<W>]) -> Vec<(W, String, usize)> {
    let mut counts = BTreeMap::new();
    for skipped in skipped {
        *counts.entry((skipped.why, skipped.kind.clone())).or_insert(0) += 1;
    }
    counts.into_iter().map(|((why, kind), count)| (why, kind, count)).collect()
}

/// A problem for every row of what another row is of; rows are given by that and their line.
pub(crate) fn repeated(rows: &[(String, usize)], one: &str, heading: &str) -> Vec<Problem> {
    let (mut seen, mut problems) = (BTreeMap::new(), Vec::new());
    for (name, line) in rows {
        let name = name.to_ascii_uppercase();
        if let Some(first) = seen.insert(name.clone(), *line) {
            let what = format!("{one} {name} was already on line {first}");
            problems.push(Problem::new(what).at(*line, 2).key(heading).because(format!("a {one} has one row")));
        }
    }
    problems
}

/// Whether two readings of a page say the same, but for one field, which says `text` in the second.
pub(crate) fn differ_there_alone<C: Copy + PartialEq>(
    [before, after]: [&[Row<C>]; 2],
    line: usize,
    column: C,
    text: &str,
) -> bool {
    let others = |rows: &[Row<C>]| -> Vec<(usize, C, String)> {
        let fields = rows.iter().flat_map(|row| row.fields.iter().map(|field| (row.line, field)));
        let kept = fields.filter(|(at, field)| (*at, field.column) != (line, column));
        kept.map(|(at, field)| (at, field.column, field.text.clone())).collect()
    };
    let set = after.iter().find(|row| row.line == line).is_some_and(|row| row.text(column) == text.trim());
    set && before.len() == after.len() && others(before) == others(after)
}
