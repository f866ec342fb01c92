//! What the figures of a row owe each other: TOTAL = LPAR MGMT + EFFECTIVE.

use super::column::Column;
use super::page::{Partition, PartitionPage};
use super::row::Row;
use crate::rmf::Page;
use measures::Figure;
use units::Problem;

impl PartitionPage {
    /// The rows whose total is not the sum of its parts within what the printed digits leave open.
    pub fn disagreements(&self) -> Vec<Problem> {
        let rows = self.rows().iter().zip(Partition::keys(self.rows()));
        rows.filter_map(|(row, key)| disagreement(row).map(|problem| problem.in_file(&self.file).key(key))).collect()
    }
}

fn disagreement(row: &Row) -> Option<Problem> {
    let of = |column: Column| row.figure(column);
    let effective = match of(Column::PhysicalEffective) {
        figure if !figure.is_known() && row.is_nobody() => Figure::ZERO,
        figure => figure,
    };
    let (total, sum) = (of(Column::PhysicalTotal), of(Column::PhysicalManagement).plus(effective));
    if !total.is_known() || !sum.is_known() || total.agrees_with(sum) {
        return None;
    }
    let text = |column: Column| Some(row.text(column)).filter(|text| !text.is_empty()).unwrap_or("nothing");
    let [management, effective, total] =
        [Column::PhysicalManagement, Column::PhysicalEffective, Column::PhysicalTotal].map(text);
    let problem = Problem::new(format!("the total {total} is not {management} + {effective}")).at(row.line, 1);
    Some(problem.because("TOTAL is LPAR MGMT + EFFECTIVE in every row, but for rounding"))
}
