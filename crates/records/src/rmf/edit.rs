//! Setting one printed field of a page: only its bytes change, and the page keeps its length and its columns.

use super::column::{Columned, Holds, headings, named};
use super::document::{Document, Page};
use super::row::figure;
use crate::grid::{Grid, printed_lines};
use crate::overwrite::overwrite;
use crate::row::{Field, differ_there_alone, no_row_of, no_such_heading};
use std::ops::Range;
use units::Problem;

impl<P: Page> Document<P> {
    /// Prints `text` in the field of a row under a heading, such as `02208`, `AVG IOSQ TIME`, `1.84`.
    ///
    /// Numbers keep their right end and words their left one; blanks take the place of what is shorter.
    ///
    /// # Errors
    ///
    /// When there is no such row or heading, when its field is blank, or when the text does not fit the column. Also when
    /// the page would have an error with it, such as two rows of one device. The page is then as before.
    pub fn set(&mut self, key: &str, heading: &str, text: &str) -> Result<(), Vec<Problem>> {
        let wanted = |problem: Problem| vec![problem.in_file(&self.file).key(format!("{key} {heading}"))];
        let (line, field) = self.find(key, heading).map_err(|problem| wanted(*problem))?;
        if field.text == text {
            return Ok(());
        }
        let column = field.column;
        let refused = |what: String| wanted(Problem::new(what).at(line, 1).allowed([column.allowed()]));
        figure(column, text).map_err(refused)?;
        if text.is_empty() || text.contains(char::is_whitespace) {
            return Err(refused(format!("`{text}` is not one word")));
        }
        let grid = printed_lines(&self.bytes).swap_remove(line - 1);
        let start = start_of(field, text.chars().count());
        let fits = |start: &usize| is_free(&grid, &field.place, *start..*start + text.chars().count());
        let bytes = start.filter(fits).and_then(|at| overwrite(&self.bytes, &grid, field.place.clone(), at, text));
        let bytes = bytes.ok_or_else(|| {
            let why = "a blank has to stay on either side, and each character is one byte";
            wanted(Problem::new(format!("`{text}` does not fit")).at(line, field.place.start + 1).because(why))
        })?;
        let after = Document::<P>::read(bytes, &self.file)?;
        if !differ_there_alone([self.rows(), after.rows()], line, column, text) {
            return Err(refused(format!("`{text}` would make the page read differently")));
        }
        *self = after;
        Ok(())
    }

    /// The line and the field that are meant.
    fn find(&self, key: &str, heading: &str) -> Result<(usize, &Field<P::Column>), Box<Problem>> {
        let column: P::Column = named(heading).ok_or_else(|| no_such_heading(heading, &headings::<P::Column>()))?;
        let row = self.row(key).ok_or_else(|| {
            let keys = P::keys(self.rows());
            no_row_of(P::CALLED[0], key, keys.iter().map(String::as_str))
        })?;
        let field = row.field(column).ok_or_else(|| {
            Box::new(
                Problem::new("nothing is printed there").at(row.line, 1).because("only what is printed can be set"),
            )
        })?;
        Ok((row.line, field))
    }
}

/// Where a text of this width begins in place of a field.
fn start_of<C: Columned>(field: &Field<C>, width: usize) -> Option<usize> {
    match field.column.holds() {
        Holds::Word => Some(field.place.start),
        Holds::Number | Holds::Clock => field.place.end.checked_sub(width),
    }
}

/// Whether a text may stand there: over the old one and blanks only, with a blank on either side.
fn is_free(grid: &Grid, old: &Range<usize>, new: Range<usize>) -> bool {
    let beside = new.start.saturating_sub(1)..(new.end + 1);
    beside.into_iter().all(|at| old.contains(&at) || grid.is_blank(at))
}
