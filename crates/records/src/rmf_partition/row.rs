//! A row of the page: a partition, or what no partition owns; and the lines that are passed over.

use super::column::Column;
use crate::rmf::{RowLine, Why, is_like_a_number, stray_word};
use crate::row;

/// A row of a partition and a type of processors.
pub type Row = row::Row<Column>;

/// A line that was passed over.
pub type Skipped = row::Skipped<Why>;

/// The kind of a line under a header.
pub(crate) type Outcome = row::Outcome<Column, Why>;

/// The text in place of a name where no partition owns the time.
const NOBODY: &str = "*PHYSICAL*";

const TOTAL: &str = "TOTAL";

const FIGURES: [Column; 7] = [
    Column::DispatchEffective,
    Column::DispatchTotal,
    Column::LogicalEffective,
    Column::LogicalTotal,
    Column::PhysicalManagement,
    Column::PhysicalEffective,
    Column::PhysicalTotal,
];

/// In which columns of a partition's row something has to stand.
const NEEDED: [Column; 5] = [
    Column::LogicalEffective,
    Column::LogicalTotal,
    Column::PhysicalManagement,
    Column::PhysicalEffective,
    Column::PhysicalTotal,
];

/// The column in the row of time that no partition owns.
const NEEDED_OF_NOBODY: [Column; 2] = [Column::PhysicalManagement, Column::PhysicalTotal];

impl Row {
    /// The name of the partition as printed.
    pub fn name(&self) -> &str {
        self.text(Column::Name)
    }

    /// Whether it is the row of what no partition owns.
    pub fn is_nobody(&self) -> bool {
        self.name() == NOBODY
    }
}

/// Reads a line under a header.
pub(crate) fn read(line: &RowLine<'_, Column>) -> Outcome {
    let name = line.word_under(Column::Name).unwrap_or_default();
    let skipped = |why| Outcome::Skipped(Skipped { line: line.line, name: name.clone(), kind: String::new(), why });
    if name.eq_ignore_ascii_case(TOTAL) {
        return Outcome::Skipped(Skipped::of_nothing(line.line, Why::Summary));
    }
    let cut = match line.cut() {
        Ok(cut) => cut,
        Err(place)
            if FIGURES
                .into_iter()
                .any(|column| line.word_under(column).is_some_and(|word| is_like_a_number(&word))) =>
        {
            return Outcome::Wrong(vec![stray_word(line, &place, &name)]);
        }
        Err(_) => return Outcome::Skipped(Skipped::of_nothing(line.line, Why::Remark)),
    };
    match FIGURES.into_iter().any(|column| cut.has(column)) {
        // A sentence has words that stand under headings as well; one of them twice under one, or beside all.
        false if name.is_empty() || line.first() != name || cut.row(&name, &[]).is_err() => {
            Outcome::Skipped(Skipped::of_nothing(line.line, Why::Remark))
        }
        false => skipped(Why::NoFigures),
        true if !FIGURES.into_iter().any(|column| is_like_a_number(&cut.text(column))) => {
            Outcome::Skipped(Skipped::of_nothing(line.line, Why::Remark))
        }
        true => {
            let needed: &[Column] = if name == NOBODY { &NEEDED_OF_NOBODY } else { &NEEDED };
            match cut.row(&name, &[&[Column::Name], needed].concat()) {
                Ok(row) => Outcome::Row(row),
                Err(problems) => Outcome::Wrong(problems),
            }
        }
    }
}
