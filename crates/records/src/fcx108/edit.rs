//! Setting one printed field of a page: only its bytes change, and the page keeps its length and its columns.

use super::column::{Column, Holds};
use super::line::lines;
use super::page::DevicePage;
use super::row::{Row, allowed, figure};
use crate::grid::Grid;
use crate::overwrite::overwrite;
use crate::row::{differ_there_alone, no_row_of, no_such_heading};
use std::ops::Range;
use units::Problem;

impl DevicePage {
    /// Prints `text` in the field of a device under a heading, such as `522A`, `Qued`, `1.84`.
    ///
    /// Numbers keep their right end and words their left one; blanks take the place of what is shorter.
    ///
    /// # Errors
    ///
    /// When there is no such device or heading, or the text does not fit the column. Also when the page would have an error
    /// with it. Two rows of one device are an error. The page is then as before.
    pub fn set(&mut self, device: &str, heading: &str, text: &str) -> Result<(), Vec<Problem>> {
        let named = |problem: Problem| vec![problem.in_file(&self.file).key(format!("{device} {heading}"))];
        let (line, column) = self.find(device, heading).map_err(|problem| named(*problem))?;
        if self.row(device).is_some_and(|row| row.text(column) == text) {
            return Ok(());
        }
        figure(column, text).map_err(|what| named(Problem::new(what).allowed([allowed(column)])))?;
        let bytes = self.overwritten(line, column, text).map_err(|problem| named(*problem))?;
        let after = DevicePage::read(bytes, &self.file)?;
        if !differ_there_alone([self.rows(), after.rows()], line, column, text) {
            let problem = Problem::new(format!("`{text}` would make the row read differently"));
            return Err(named(problem.allowed([allowed(column)])));
        }
        *self = after;
        Ok(())
    }

    /// The line and the column that are meant.
    fn find(&self, device: &str, heading: &str) -> Result<(usize, Column), Box<Problem>> {
        let column =
            Column::named(heading).ok_or_else(|| no_such_heading(heading, &Column::ALL.map(Column::heading)))?;
        let row = self.row(device).ok_or_else(|| no_row_of("device", device, self.rows().iter().map(Row::device)))?;
        match row.field(column) {
            Some(_) => Ok((row.line, column)),
            None => Err(Box::new(Problem::new("the page has no such column").at(row.line, 1))),
        }
    }

    /// The bytes of the page with `text` in place of a field.
    fn overwritten(&self, line: usize, column: Column, text: &str) -> Result<Vec<u8>, Box<Problem>> {
        let grid = lines(&self.bytes).swap_remove(line - 1).grid;
        let row = self.rows().iter().find(|row| row.line == line);
        let cut = row
            .and_then(|row| self.layouts[row.layout].cut(&grid).into_iter().find(|cut| cut.column == column))
            .ok_or_else(|| Box::new(Problem::new("the page has no such column")))?;
        let free = free(&grid, &cut.zone, column);
        let does_not_fit = || {
            let why = format!("the column has room for {} characters of one byte each", free.len());
            Box::new(Problem::new(format!("`{text}` does not fit")).at(line, cut.zone.start + 1).because(why))
        };
        let (old, width) = (grid.trim(cut.zone.clone()), text.chars().count());
        let new = match column.holds() {
            Holds::Text => {
                let start = if old.is_empty() { cut.start } else { old.start };
                start..start + width
            }
            Holds::Count | Holds::Number => {
                let end = if old.is_empty() { cut.zone.end } else { old.end };
                end.checked_sub(width).ok_or_else(does_not_fit)?..end
            }
        };
        if width > 0 && (new.start < free.start || new.end > free.end) {
            return Err(does_not_fit());
        }
        overwrite(&self.bytes, &grid, old, new.start, text).ok_or_else(does_not_fit)
    }
}

/// The columns that may be printed in: a blank stays between this field and whatever is printed beside its zone.
fn free(grid: &Grid, zone: &Range<usize>, column: Column) -> Range<usize> {
    match column.holds() {
        Holds::Text => zone.start..zone.end - usize::from(!grid.is_blank(zone.end) && zone.end > zone.start),
        Holds::Count | Holds::Number => {
            zone.start + usize::from(zone.start > 0 && !grid.is_blank(zone.start - 1))..zone.end
        }
    }
}
