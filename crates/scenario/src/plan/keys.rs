//! What checked keys of a table hold.

use crate::agree::Names;
use crate::language::*;
use crate::resolved::{Table, Value};
use kernel::distribution::Distribution;

/// The distribution of a table, unless something in it is unusable.
pub fn distribution(table: &Table) -> Option<Distribution> {
    if let Some(Value::Pair(low, high)) = table.value(&UNIFORM) {
        return Some(Distribution::Uniform { low: low.value, high: high.value });
    }
    if let Some(span) = table.span(&CONSTANT) {
        return Some(Distribution::Constant(span));
    }
    if let Some(mean) = table.span(&EXPONENTIAL) {
        return Some(Distribution::Exponential { mean });
    }
    if let Some(mean) = table.span(&ERLANG) {
        return Some(Distribution::Erlang { mean, stages: table.count(&STAGES)? });
    }
    if let Some(mean) = table.span(&HYPEREXPONENTIAL) {
        return Some(Distribution::Hyperexponential { mean, scv: table.number(&SCV)? });
    }
    Some(Distribution::Gamma { mean: table.span(&GAMMA)?, scv: table.number(&SCV)? })
}

pub fn checked<T>(value: Option<T>, key: &Key) -> T {
    value.unwrap_or_else(|| panic!("`{}` was checked and must be there", key.name))
}

pub fn name(table: &Table) -> String {
    checked(table.text(&NAME), &NAME).to_string()
}

/// What a key names.
pub fn named(table: &Table, key: &Key, kind: &crate::language::Table, names: &Names) -> Option<usize> {
    table.text(key).map(|name| checked(names.index(kind, name), key))
}
