//! The tables beside the machine, taken out of a scenario: results have the name of the machine and its load.

use std::mem;

use crate::language::{SWEEPS, SWEPT_KEY, SWEPT_VALUES, is_beside};
use crate::resolved::{Table, Value};

/// The tables beside the machine: the axes of a sweep, and what a fit left open.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The axes of the sweep, each as `KEY=VALUES`.
    pub swept: Vec<String>,
    /// The tables themselves.
    pub tables: Table,
}

/// Removes these tables from the checked ones; each axis of the sweep becomes `KEY=VALUES`.
pub fn taken_out(root: &mut Table) -> Beside {
    let axis =
        |table: &Table| Some(format!("{}={}", table.text(&SWEPT_KEY)?.trim(), table.text(&SWEPT_VALUES)?.trim()));
    let swept = match root.value(&SWEEPS) {
        Some(Value::Tables(axes)) => axes.iter().filter_map(axis).collect(),
        _ => Vec::new(),
    };
    let (beside, machine) = mem::take(&mut root.entries).into_iter().partition(|entry| is_beside(entry.key));
    root.entries = machine;
    let tables = Table { entries: beside, prefix: String::new(), misspelt: Vec::new(), ..*root };
    Beside { swept, tables }
}
