//! A row of the page: a logical processor; and the lines that are passed over.

use super::column::Column;
use crate::number::shown;
use crate::rmf::{RowLine, Why, is_like_a_number, stray_word};
use crate::row;
use units::Problem;

/// A row of a logical processor.
pub type Row = row::Row<Column>;

/// A line that was passed over.
pub type Skipped = row::Skipped<Why>;

/// The kind of a line under a header.
pub(crate) type Outcome = row::Outcome<Column, Why>;

/// How the line of totals and averages begins: TOTAL/AVERAGE, in one word or two.
const SUMMARY: &str = "TOTAL";

/// The type of processors that take I/O interrupts; others have none to show.
const GENERAL: &str = "CP";

const FIGURES: [Column; 4] = [Column::LparBusy, Column::MvsBusy, Column::Rate, Column::Tpi];

/// Reads a line under a header.
pub(crate) fn read(line: &RowLine<'_, Column>) -> Outcome {
    let pass_over = |why| Outcome::Skipped(Skipped::of_nothing(line.line, why));
    if line.first().to_ascii_uppercase().starts_with(SUMMARY) {
        return pass_over(Why::Summary);
    }
    let number = line.word_under(Column::Number).unwrap_or_default();
    let has_figures =
        FIGURES.into_iter().any(|column| line.word_under(column).is_some_and(|word| is_like_a_number(&word)));
    match (is_number(&number), has_figures) {
        (false, false) => pass_over(Why::Remark),
        (true, false) => {
            let skipped = Skipped { line: line.line, name: number, kind: String::new(), why: Why::NoFigures };
            Outcome::Skipped(skipped)
        }
        (false, true) if number.is_empty() => pass_over(Why::Remark),
        (false, true) => Outcome::Wrong(vec![no_number(line, &number)]),
        (true, true) => {
            let kind = line.word_under(Column::Type).unwrap_or_default();
            let figures = if kind.is_empty() || kind == GENERAL { &FIGURES[..] } else { &FIGURES[..2] };
            let needed = [&[Column::Number], figures].concat();
            let cut = line.cut().map_err(|place| vec![stray_word(line, &place, &number)]);
            match cut.and_then(|cut| cut.row(&number, &needed)) {
                Ok(row) => Outcome::Row(row),
                Err(problems) => Outcome::Wrong(problems),
            }
        }
    }
}

fn is_number(word: &str) -> bool {
    (1..=3).contains(&word.len()) && word.bytes().all(|byte| byte.is_ascii_hexdigit())
}

fn no_number(line: &RowLine<'_, Column>, number: &str) -> Problem {
    let at = line.layout.span(Column::Number).map_or(0, |span| span.start);
    let problem = Problem::new(format!("`{}` is not the number of a processor", shown(number)));
    let problem = problem.at(line.line, at + 1).key(Column::Number.heading());
    problem.because("the line has figures").allowed(["up to three hexadecimal digits"])
}
