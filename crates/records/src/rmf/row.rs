//! A line under the headings of a page, cut into fields.

use super::column::{Columned, Holds};
use super::head::clock_of;
use super::layout::{Layout, Under};
use crate::grid::Grid;
use crate::number::{Printed, ascii, shown};
use crate::row::{Field, Row};
use measures::Figure;
use std::ops::Range;
use units::Problem;

/// A line under headings.
pub struct RowLine<'a, C> {
    pub(crate) grid: &'a Grid,
    /// Which line of the page, counted from one.
    pub(crate) line: usize,
    pub(crate) layout: &'a Layout<C>,
    pub(crate) layout_at: usize,
}

/// The words of a line with the headings over them.
pub(crate) struct Cut<'a, C> {
    line: &'a RowLine<'a, C>,
    words: Vec<Under<C>>,
}

impl<C: Columned> RowLine<'_, C> {
    /// The words with their headings; else the place of a word without one.
    pub(crate) fn cut(&self) -> Result<Cut<'_, C>, Range<usize>> {
        Ok(Cut { line: self, words: self.layout.cut(self.grid)? })
    }

    /// The first word of the line.
    pub(crate) fn first(&self) -> String {
        self.grid.words().into_iter().next().map(|word| self.grid.text(word)).unwrap_or_default()
    }

    /// The word under a heading, whatever else is wrong with the line.
    pub(crate) fn word_under(&self, column: C) -> Option<String> {
        let span = self.layout.span(column)?;
        let under = self.grid.words().into_iter().find(|word| word.start < span.end && span.start < word.end)?;
        Some(self.grid.text(under))
    }
}

impl<C: Columned> Cut<'_, C> {
    /// The text in a column; empty if it is blank.
    pub(crate) fn text(&self, column: C) -> String {
        self.place(column).map(|place| self.line.grid.text(place)).unwrap_or_default()
    }

    /// Its place.
    pub(crate) fn place(&self, column: C) -> Option<Range<usize>> {
        self.words.iter().find(|under| under.column == Some(column)).map(|under| under.place.clone())
    }

    /// Whether it has a text, be it damaged.
    pub(crate) fn has(&self, column: C) -> bool {
        self.place(column).is_some()
    }

    /// Whether it has a number.
    pub(crate) fn tells(&self, column: C) -> bool {
        figure(column, &self.text(column)).is_ok_and(|figure| figure.is_known())
    }

    /// The row with all its fields; everything that is wrong with them comes at once.
    ///
    /// `name` is what the row is of, and `needed` are the columns in which something has to stand.
    pub(crate) fn row(&self, name: &str, needed: &[C]) -> Result<Row<C>, Vec<Problem>> {
        let (mut fields, mut problems): (Vec<Field<C>>, Vec<Problem>) = (Vec::new(), Vec::new());
        let (grid, line) = (self.line.grid, self.line.line);
        let key = |column: C| format!("{name} {}", column.heading());
        for (column, under) in self.words.iter().filter_map(|under| Some((under.column?, under))) {
            if let Some(field) = fields.iter_mut().find(|field| field.column == column && column.several()) {
                field.place.end = under.place.end;
                field.text = grid.text(field.place.clone());
                continue;
            }
            let column = match column.followed_by() {
                Some(word)
                    if fields.iter().any(|field| field.column == column)
                        && !is_like_a_number(&grid.text(under.place.clone())) =>
                {
                    word
                }
                Some(_) | None => column,
            };
            if fields.iter().any(|field| field.column == column) {
                let what = format!("`{}` is a second word under one heading", shown(&grid.text(under.place.clone())));
                problems.push(Problem::new(what).at(line, under.place.start + 1).key(key(column)));
                continue;
            }
            match field(grid, column, under) {
                Ok(field) => fields.push(field),
                Err((what, at)) => {
                    problems.push(Problem::new(what).at(line, at + 1).key(key(column)).allowed([column.allowed()]));
                }
            }
        }
        let blanks: Vec<&str> =
            needed.iter().filter(|column| !self.has(**column)).map(|column| column.heading()).collect();
        if !blanks.is_empty() {
            let end = grid.trim(0..grid.len()).end;
            let problem = Problem::new(format!("there is no value under {}", blanks.join(", "))).at(line, end + 1);
            problems.push(problem.key(name).because("a row that has some of its figures needs all that are read"));
        }
        if problems.is_empty() { Ok(Row { line, fields, layout: self.line.layout_at }) } else { Err(problems) }
    }
}

/// The problem of a word without a heading.
pub(crate) fn stray_word<C: Columned>(line: &RowLine<'_, C>, place: &Range<usize>, name: &str) -> Problem {
    let problem = Problem::new(format!("`{}` is under no heading", shown(&line.grid.text(place.clone()))));
    let why = "what it says is not known";
    problem.at(line.line, place.start + 1).key(name).because(why).allowed(["rows in step with the headings"])
}

/// Whether a word has a digit: a damaged number is like one, a word of a sentence is not.
pub(crate) fn is_like_a_number(word: &str) -> bool {
    word.contains(|ch: char| ch.is_ascii_digit())
}

/// The number that a text says in a column, or what is wrong with it.
pub(crate) fn figure<C: Columned>(column: C, text: &str) -> Result<Figure, String> {
    match column.holds() {
        Holds::Word => Ok(Figure::UNKNOWN),
        Holds::Number => Ok(Printed::read(text)?.figure()),
        Holds::Clock => match Printed::read(text) {
            Ok(Printed::NotTold) => Ok(Figure::UNKNOWN),
            Ok(Printed::Number(_)) | Err(_) => {
                let span = clock_of(text).ok_or_else(|| format!("`{}` is not a span", shown(text)))?;
                Ok(Figure::printed(span.seconds(), 3))
            }
        },
    }
}

/// One field, or what is wrong with it and at which column.
fn field<C: Columned>(grid: &Grid, column: C, under: &Under<C>) -> Result<Field<C>, (String, usize)> {
    let text = ascii(grid, &under.place)?;
    if under.runs_on && column.holds() == Holds::Word {
        return Err((format!("`{}` runs on into another column", shown(&text)), under.place.start));
    }
    let figure = figure(column, &text).map_err(|what| (what, under.place.start))?;
    Ok(Field { column, text, figure, place: under.place.clone() })
}
