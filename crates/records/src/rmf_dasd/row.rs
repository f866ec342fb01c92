//! A row of the page: its fields with what is printed in them, and the lines that are passed over.
//!
//! It leaves out what a row means for a volume; the totals are a reading of all rows together.

use super::column::{Column, Holds};
use super::heading::{Layout, Under};
use crate::disk::{is_device_number, is_disk};
use crate::grid::Grid;
use crate::number::{Printed, ascii, shown};
use crate::row;
use measures::Figure;
use std::fmt;
use std::ops::Range;
use units::Problem;

/// A field as it is printed.
pub type Field = row::Field<Column>;

/// A row of a disk.
pub type Row = row::Row<Column>;

/// A line that was passed over.
pub type Skipped = row::Skipped<Why>;

/// What a line under a header turns out to be.
pub(crate) type Outcome = row::Outcome<Column, Why>;

/// Why a sound line is no row of a volume.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The device is of a type that is no disk.
    NotADisk,
    /// The device has neither rate nor times: offline, or not measured.
    NoFigures,
    /// A line of figures without a device, for a control unit or a storage group.
    Summary,
    /// A line without figures and without a device.
    Remark,
    /// A line under the title of another page.
    OtherPage,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::NotADisk => "not a disk",
            Why::NoFigures => "no figures",
            Why::Summary => "a summary line",
            Why::Remark => "a remark",
            Why::OtherPage => "a line of another page",
        })
    }
}

impl Row {
    /// The device number as printed.
    pub fn device(&self) -> &str {
        self.text(Column::Device)
    }

    /// Reads a line under a header.
    pub(crate) fn read(grid: &Grid, line: usize, layout: &Layout, layout_at: usize) -> Outcome {
        let device = device(grid, layout);
        let skipped = |kind: &str, why| {
            let device = device.clone().unwrap_or_default();
            Outcome::Skipped(Skipped { line, device, kind: kind.to_string(), why })
        };
        let cut = match (layout.cut(grid), &device) {
            (Ok(cut), _) => cut,
            (Err(place), Some(device)) => return Outcome::Wrong(vec![under_nothing(grid, line, &place, device)]),
            (Err(_), None) => return skipped("", Why::Remark),
        };
        let word = |wanted: Column| cut.iter().find(|under| under.column == Some(wanted));
        let text = |wanted: Column| word(wanted).map(|under| grid.text(under.place.clone())).unwrap_or_default();
        let told = |column: Column| matches!(Printed::read(&text(column)), Ok(Printed::Number(_)));
        let times = [Column::Iosq, Column::Pend, Column::Disconnect, Column::Connect];
        let (measured, kind) = (told(Column::Rate) && times.into_iter().any(told), text(Column::Type));
        match &device {
            None if measured && !text(Column::Device).is_empty() => Outcome::Wrong(vec![no_device(grid, line, &cut)]),
            None if measured => skipped("", Why::Summary),
            None => skipped("", Why::Remark),
            Some(_) if !kind.is_empty() && !is_disk(&kind) => skipped(&kind, Why::NotADisk),
            Some(_) if !is_started(&cut) => skipped(&kind, Why::NoFigures),
            Some(device) => match fields(grid, line, device, &cut) {
                Ok(fields) => Outcome::Row(Row { line, fields, layout: layout_at }),
                Err(problems) => Outcome::Wrong(problems),
            },
        }
    }
}

/// The number that a text says in a column, or what is wrong with it.
pub(crate) fn figure(column: Column, text: &str) -> Result<Figure, String> {
    match column.holds() {
        Holds::Word => Ok(Figure::UNKNOWN),
        Holds::Number => Ok(Printed::read(text)?.figure()),
    }
}

/// The device number of a row, whatever else is wrong with it.
fn device(grid: &Grid, layout: &Layout) -> Option<String> {
    let span = layout.span(Column::Device)?;
    let under = grid.words().into_iter().find(|word| word.start < span.end && span.start < word.end)?;
    Some(grid.text(under)).filter(|text| is_device_number(text))
}

/// Whether a row has anything where figures stand: a damaged number is something, a blank is not.
fn is_started(cut: &[Under]) -> bool {
    let figures = [Column::Rate, Column::Iosq, Column::Pend, Column::Disconnect, Column::Connect];
    cut.iter().any(|under| under.column.is_some_and(|column| figures.contains(&column)))
}

fn no_device(grid: &Grid, line: usize, cut: &[Under]) -> Problem {
    let place = cut.iter().find(|under| under.column == Some(Column::Device)).map_or(0..0, |under| under.place.clone());
    let problem = Problem::new(format!("`{}` is not a device number", shown(&grid.text(place.clone()))));
    let key = Column::Device.heading();
    problem.at(line, place.start + 1).key(key).because("the line has figures").allowed([Column::Device.allowed()])
}

fn under_nothing(grid: &Grid, line: usize, place: &Range<usize>, device: &str) -> Problem {
    let problem = Problem::new(format!("`{}` stands under no heading", shown(&grid.text(place.clone()))));
    let why = "what it says is not known";
    problem.at(line, place.start + 1).key(device).because(why).allowed(["rows in step with the headings"])
}

/// Reads all fields; everything that is wrong with them comes at once.
fn fields(grid: &Grid, line: usize, device: &str, cut: &[Under]) -> Result<Vec<Field>, Vec<Problem>> {
    let (mut fields, mut problems): (Vec<Field>, Vec<Problem>) = (Vec::new(), Vec::new());
    let key = |column: Column| format!("{device} {}", column.heading());
    for (column, under) in cut.iter().filter_map(|under| Some((under.column?, under))) {
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
    let end = grid.trim(0..grid.len()).end;
    let blank = |column: &Column| column.is_required() && !cut.iter().any(|under| under.column == Some(*column));
    let blanks: Vec<&str> = Column::ALL.into_iter().filter(blank).map(Column::heading).collect();
    if !blanks.is_empty() {
        let problem = Problem::new(format!("nothing stands under {}", blanks.join(", "))).at(line, end + 1);
        problems.push(problem.key(device).because("a row that has some of its figures needs all that are read"));
    }
    if problems.is_empty() { Ok(fields) } else { Err(problems) }
}

/// One field, or what is wrong with it and at which column.
fn field(grid: &Grid, column: Column, under: &Under) -> Result<Field, (String, usize)> {
    let text = ascii(grid, &under.place)?;
    if under.runs_on && column.holds() == Holds::Word {
        return Err((format!("`{}` runs on into another column", shown(&text)), under.place.start));
    }
    let figure = figure(column, &text).map_err(|what| (what, under.place.start))?;
    Ok(Field { column, text, figure, place: under.place.clone() })
}
