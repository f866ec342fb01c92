//! A row of the page: its fields with what is printed in them, and the lines that are passed over.

use super::column::{Column, Holds};
use super::layout::{Cut, Layout};
use crate::disk::{is_device_number, is_disk};
use crate::grid::Grid;
use crate::number::{Printed, ascii, shown};
use crate::row;
use measures::{Figure, Role};
use std::fmt;
use units::Problem;

/// A field as it is printed.
pub type Field = row::Field<Column>;

/// A row of a disk.
pub type Row = row::Row<Column>;

/// A line that was passed over.
pub type Skipped = row::Skipped<Why>;

/// The kind of a line under a header.
pub(crate) type Outcome = row::Outcome<Column, Why>;

/// Why a sound line is no row of a disk.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Why {
    /// The device is of a type that is no disk.
    NotADisk,
    /// A mean or a total over rows or intervals.
    Summary,
    /// A line of a log that belongs to one interval.
    IntervalLine,
    /// A line under the title of another page.
    OtherPage,
}

impl fmt::Display for Why {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Why::NotADisk => "not a disk",
            Why::Summary => "a summary line",
            Why::IntervalLine => "an interval line of a log",
            Why::OtherPage => "a line of another page",
        })
    }
}

const BOUND_TO: &str = "->";

impl Row {
    /// The device number as printed.
    pub fn device(&self) -> &str {
        self.text(Column::Address)
    }

    /// The label: the first printed word; the rest is the owner of the volume.
    pub fn label(&self) -> &str {
        self.text(Column::Label).split_whitespace().next().unwrap_or("")
    }

    /// What the row says it is: `->` names the base of a classic alias, and an alias of a pool has no label.
    ///
    /// z/VM HyperPAV Support, DASD Tuning via HyperPAV: aliases "are not showing volume labels", "are not showing `->`".
    pub fn role(&self) -> Role {
        match (self.text(Column::Type).strip_prefix(BOUND_TO), self.label()) {
            (Some(base), _) => Role::BoundAlias { base: base.to_string() },
            (None, "") => Role::PoolAlias { pool: String::new() },
            (None, _) => Role::Base,
        }
    }

    /// Reads a line under a header.
    pub(crate) fn read(grid: &Grid, line: usize, layout: &Layout, layout_at: usize) -> Outcome {
        let cuts = layout.cut(grid);
        let text = |wanted: Column| {
            cuts.iter().find(|cut| cut.column == wanted).map(|cut| grid.text(cut.zone.clone())).unwrap_or_default()
        };
        let (device, kind) = (text(Column::Address), text(Column::Type));
        if !is_device_number(&device) {
            return Outcome::Wrong(vec![not_a_row(grid, line, &device)]);
        }
        let is_alias = kind.starts_with(BOUND_TO);
        if !is_alias && !is_disk(&kind) {
            return Outcome::Skipped(Skipped { line, name: device, kind, why: Why::NotADisk });
        }
        if let Some(problem) = shifted(grid, line, layout, &cuts) {
            let key = format!("{device} {}", problem.key);
            return Outcome::Wrong(vec![problem.key(key)]);
        }
        let mut problems = Vec::new();
        if is_alias && !is_device_number(&kind[BOUND_TO.len()..]) {
            let at = cuts.iter().find(|cut| cut.column == Column::Type).map_or(0, |cut| cut.zone.start);
            let what = format!("`{}` names no base", shown(&kind));
            let problem = Problem::new(what).at(line, at + 1).key(format!("{device} Type"));
            problems.push(problem.allowed(["`->` and a device number, such as ->522A"]));
        }
        let fields = fields(grid, line, &device, &cuts, &mut problems);
        if problems.is_empty() {
            Outcome::Row(Row { line, fields, layout: layout_at })
        } else {
            Outcome::Wrong(problems)
        }
    }
}

fn not_a_row(grid: &Grid, line: usize, device: &str) -> Problem {
    let column = grid.trim(0..grid.len()).start + 1;
    let what = match device {
        "" => "the line has no device number".to_string(),
        _ => format!("`{}` is not a device number", shown(device)),
    };
    let why = "lines under the headings are rows of devices";
    let allowed = ["four hexadecimal digits under Addr", "`>>` summary lines", "a new page header"];
    Problem::new(what).at(line, column).key("Addr").because(why).allowed(allowed)
}

/// A row that reaches beyond the last heading and has a number that does not end where its heading ends.
///
/// Either alone is harmless: columns may have no heading, and a row may have been edited by hand. Together they mean
/// that numbers stand under the wrong headings.
fn shifted(grid: &Grid, line: usize, layout: &Layout, cuts: &[Cut]) -> Option<Problem> {
    let end = grid.trim(0..grid.len()).end;
    let aside = |cut: &&Cut| {
        let place = grid.trim(cut.zone.clone());
        cut.column.holds() != Holds::Text && !place.is_empty() && place.end != cut.zone.end
    };
    let cut = cuts.iter().find(aside).filter(|_| end > layout.end())?;
    let place = grid.trim(cut.zone.clone());
    let what = format!("`{}` does not end where its heading ends", shown(&grid.text(place.clone())));
    let why = format!("the row reaches beyond the last heading, which ends in column {}", layout.end());
    let heading = cut.column.heading();
    let allowed = ["rows in step with the headings, tabs meaning stops of eight"];
    Some(Problem::new(what).at(line, place.start + 1).key(heading).because(why).allowed(allowed))
}

/// Reads all fields; a row that ends early is one problem, however many fields it lacks.
fn fields(grid: &Grid, line: usize, device: &str, cuts: &[Cut], problems: &mut Vec<Problem>) -> Vec<Field> {
    let mut fields = Vec::with_capacity(cuts.len());
    let end = grid.trim(0..grid.len()).end;
    let needed = |cut: &Cut| cut.column.is_required() && cut.column != Column::Label;
    let cut_short = cuts.iter().find(|cut| needed(cut) && cut.zone.start >= end);
    if let Some(cut) = cut_short {
        let what = format!("the row ends here, before `{}`", cut.column.heading());
        let problem = Problem::new(what).at(line, end + 1).key(device);
        problems.push(problem.because("a row needs every field that is read"));
    }
    for cut in cuts.iter().filter(|cut| cut.zone.start < end || cut_short.is_none()) {
        match field(grid, cut) {
            Ok(field) => fields.push(field),
            Err((what, at)) => {
                let key = format!("{device} {}", cut.column.heading());
                problems.push(Problem::new(what).at(line, at + 1).key(key).allowed([allowed(cut.column)]));
            }
        }
    }
    fields
}

/// One field, or what is wrong with it and at which column.
fn field(grid: &Grid, cut: &Cut) -> Result<Field, (String, usize)> {
    let place = grid.trim(cut.zone.clone());
    let text = ascii(grid, &place)?;
    if cut.runs_on {
        return Err((format!("`{}` runs on into another column", shown(&text)), place.start));
    }
    if text.is_empty() && cut.column.is_required() && cut.column != Column::Label {
        return Err(("is blank".to_string(), cut.zone.end.saturating_sub(1)));
    }
    let figure = figure(cut.column, &text).map_err(|what| (what, place.start))?;
    Ok(Field { column: cut.column, text, figure, place })
}

/// The number that a text says in a column, or what is wrong with it.
pub(crate) fn figure(column: Column, text: &str) -> Result<Figure, String> {
    match column.holds() {
        Holds::Text => Ok(Figure::UNKNOWN),
        Holds::Number => Ok(Printed::read(text)?.figure()),
        Holds::Count => {
            let figure = Printed::read(text)?.figure();
            let whole = !figure.is_known() || !text.contains('.');
            if whole { Ok(figure) } else { Err(format!("`{}` is not a whole number", shown(text))) }
        }
    }
}

/// The allowed contents of a column's field, in words.
pub(crate) fn allowed(column: Column) -> &'static str {
    match (column, column.holds()) {
        (Column::Address, _) => "four hexadecimal digits",
        (Column::Type, _) => "a device type, or `->` and a device number",
        (_, Holds::Text) => "ASCII text within the column",
        (_, Holds::Count) => "a whole number, such as 4",
        (_, Holds::Number) => "a number as 711, 1.84 or .2",
    }
}
