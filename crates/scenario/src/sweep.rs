//! The axes of a sweep, taken out of a scenario: results have the name of the machine and its load, not of the question.

use crate::language::{SWEEPS, SWEPT_KEY, SWEPT_VALUES};
use crate::resolved::{Table, Value};

/// Removes the axes from the checked tables; each as `KEY=VALUES`.
pub fn taken_out(root: &mut Table) -> Vec<String> {
    let Some(place) = root.entries.iter().position(|entry| std::ptr::eq(entry.key, &SWEEPS)) else { return Vec::new() };
    let Value::Tables(axes) = root.entries.remove(place).value else { return Vec::new() };
    let axis =
        |table: &Table| Some(format!("{}={}", table.text(&SWEPT_KEY)?.trim(), table.text(&SWEPT_VALUES)?.trim()));
    axes.iter().filter_map(axis).collect()
}
