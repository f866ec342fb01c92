//! The tables beside the machine, taken out of a scenario: results have the name of the machine and its load.

use crate::language::{SWEEPS, SWEPT_KEY, SWEPT_VALUES, is_beside};
use crate::resolved::{Table, Value};

/// Removes these tables from the checked ones; the axes of the sweep, each as `KEY=VALUES`.
pub fn taken_out(root: &mut Table) -> Vec<String> {
    let axis =
        |table: &Table| Some(format!("{}={}", table.text(&SWEPT_KEY)?.trim(), table.text(&SWEPT_VALUES)?.trim()));
    let swept = match root.value(&SWEEPS) {
        Some(Value::Tables(axes)) => axes.iter().filter_map(axis).collect(),
        _ => Vec::new(),
    };
    root.entries.retain(|entry| !is_beside(entry.key));
    swept
}
