//! A row of the page: its fields with what is printed in them, and the lines that are passed over.

use super::column::Column;
use crate::disk::{is_device_number, is_disk};
use crate::number::shown;
use crate::rmf::{Cut, RowLine, stray_word};
use crate::row;
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
}

/// Reads a line under a header.
pub(crate) fn read(line: &RowLine<'_, Column>) -> Outcome {
    let device = line.word_under(Column::Device).filter(|text| is_device_number(text));
    let skipped = |kind: &str, why| {
        let name = device.clone().unwrap_or_default();
        Outcome::Skipped(Skipped { line: line.line, name, kind: kind.to_string(), why })
    };
    let cut = match (line.cut(), &device) {
        (Ok(cut), _) => cut,
        (Err(place), Some(device)) => return Outcome::Wrong(vec![stray_word(line, &place, device)]),
        (Err(_), None) => return skipped("", Why::Remark),
    };
    let times = [Column::Iosq, Column::Pend, Column::Disconnect, Column::Connect];
    let measured = cut.tells(Column::Rate) && times.into_iter().any(|column| cut.tells(column));
    let kind = cut.text(Column::Type);
    match &device {
        None if measured && cut.has(Column::Device) => Outcome::Wrong(vec![no_device(line, &cut)]),
        None if measured => skipped("", Why::Summary),
        None => skipped("", Why::Remark),
        Some(_) if !kind.is_empty() && !is_disk(&kind) => skipped(&kind, Why::NotADisk),
        // A damaged number is something, a blank is not.
        Some(_) if !FIGURES.into_iter().any(|column| cut.has(column)) => skipped(&kind, Why::NoFigures),
        Some(device) => match cut.row(device, &NEEDED) {
            Ok(row) => Outcome::Row(row),
            Err(problems) => Outcome::Wrong(problems),
        },
    }
}

const FIGURES: [Column; 5] = [Column::Rate, Column::Iosq, Column::Pend, Column::Disconnect, Column::Connect];

/// In which columns of a row something has to stand.
const NEEDED: [Column; 6] =
    [Column::Device, Column::Rate, Column::Iosq, Column::Pend, Column::Disconnect, Column::Connect];

fn no_device(line: &RowLine<'_, Column>, cut: &Cut<'_, Column>) -> Problem {
    let at = cut.place(Column::Device).map_or(0, |place| place.start);
    let problem = Problem::new(format!("`{}` is not a device number", shown(&cut.text(Column::Device))));
    let key = Column::Device.heading();
    problem.at(line.line, at + 1).key(key).because("the line has figures").allowed(["three to five hexadecimal digits"])
}
