//! The tables beside the machine, taken out of a scenario: results have the name of the machine and its load.

use crate::language::{BESIDE, SWEEPS, SWEPT_KEY, SWEPT_VALUES, is_beside};
use crate::resolved::{Table, Value};
use crate::view::{self, Plain};

/// The tables beside the machine.
#[derive(Clone, Debug)]
pub struct Beside {
    /// The axes of the sweep, each as `KEY=VALUES`.
    pub swept: Vec<String>,
    /// The verdict of the fit, the open values and the readings.
    pub left_open: Plain,
}

/// Removes these tables from the checked ones.
pub fn taken_out(root: &mut Table) -> Beside {
    let axis =
        |table: &Table| Some(format!("{}={}", table.text(&SWEPT_KEY)?.trim(), table.text(&SWEPT_VALUES)?.trim()));
    let swept = match root.value(&SWEEPS) {
        Some(Value::Tables(axes)) => axes.iter().filter_map(axis).collect(),
        _ => Vec::new(),
    };
    let left_open = view::keys(root, BESIDE.iter().copied().filter(|key| !std::ptr::eq(*key, &SWEEPS)));
    root.entries.retain(|entry| !is_beside(entry.key));
    Beside { swept, left_open }
}
