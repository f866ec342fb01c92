//! Where every number of a scenario comes from: a row per number with its role and its reason.

use crate::growth;
use crate::language::{
    ASSUME, BORROWED, CALIBRATED, CONSTANT, DOCUMENT, Key, Kind, NAME, REMARK, REPORT, SECTION, SOURCE,
};
use crate::resolved::{Entry, Note, Origin, Table, Value};
use std::fmt;

/// The mark of a default without a source.
const ASSUMED: &str = "assumed";

/// A number with its origin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explained {
    /// Where it is, as `--set` would name it: "volume.BWPVS0.gap".
    pub key: String,
    /// The number with its unit.
    pub value: String,
    /// Its origin.
    pub role: Role,
    /// The document, the reason, or the target of a fit; empty without one.
    pub why: String,
}

/// The origin of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It is in the file, from a document or an override.
    Input,
    /// It is assumed, by the file or by the language.
    Assumed,
    /// It was fitted to measurements.
    Calibrated,
    /// It was taken from another system.
    Borrowed,
    /// It is not in the file: a documented default, or one that disables something.
    Default,
}

impl fmt::Display for Role {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Role::Input => "input",
            Role::Assumed => "assumed",
            Role::Calibrated => "calibrated",
            Role::Borrowed => "borrowed",
            Role::Default => "default",
        })
    }
}

/// The rows of a scenario, in the order of the language.
pub fn rows(root: &Table) -> Vec<Explained> {
    let source = root.table(&SOURCE).map(cited).unwrap_or_default();
    let covered = Covered { role: Role::Input, why: source, fixed: false };
    let mut rows = Vec::new();
    walk(root, "", &covered, &mut rows);
    rows
}

/// What covers the numbers of a table: its note, or that of a table around it.
#[derive(Clone)]
struct Covered {
    role: Role,
    why: String,
    /// Whether it comes from a default or an override, which no note inside can change.
    fixed: bool,
}

fn cited(source: &Table) -> String {
    let parts = [&DOCUMENT, &REPORT, &SECTION, &REMARK].into_iter().filter_map(|key| source.text(key));
    parts.collect::<Vec<_>>().join(", ")
}

fn walk(table: &Table, path: &str, around: &Covered, rows: &mut Vec<Explained>) {
    let covered = match table.note() {
        Some(note) if !around.fixed => noted(note),
        _ if std::ptr::eq(table.spec, &crate::language::MEASURE) && !around.fixed => {
            Covered { role: Role::Input, why: "how the scenario is measured".into(), fixed: false }
        }
        _ => around.clone(),
    };
    for entry in &table.entries {
        let here = decided(&entry.origin, &covered);
        let key = join(path, entry.key.name);
        let mut row = |key: &str, value: String| {
            rows.push(Explained { key: key.into(), value, role: here.role, why: here.why.clone() });
        };
        match &entry.value {
            Value::Table(inner) => walk(inner, &key, &here, rows),
            Value::Tables(tables) => {
                for (index, table) in tables.iter().enumerate() {
                    walk(table, &join(&key, &item(entry.key, table, index)), &here, rows);
                }
            }
            Value::Weights(weights) => {
                for weight in weights {
                    let here = decided(&weight.origin, &covered);
                    let key = join(&key, &quoted(&weight.name));
                    let value = weight.weight.to_string();
                    rows.push(Explained { key, value, role: here.role, why: here.why });
                }
            }
            // A constant is set by the name of what it is: pend, not pend.constant.
            _ if std::ptr::eq(entry.key, &CONSTANT) => number(entry).into_iter().for_each(|text| row(path, text)),
            _ => number(entry).into_iter().for_each(|text| row(&key, text)),
        }
        if growth::is_growth(entry.key)
            && let (Some(row), Some(stated)) = (rows.last_mut(), growth::stated(table))
        {
            row.why = if row.why.is_empty() { stated } else { format!("{stated}; {}", row.why) };
        }
    }
}

fn noted(note: Note<'_>) -> Covered {
    let role = if std::ptr::eq(note.key, &ASSUME) {
        Role::Assumed
    } else if std::ptr::eq(note.key, &CALIBRATED) {
        Role::Calibrated
    } else if std::ptr::eq(note.key, &BORROWED) {
        Role::Borrowed
    } else {
        Role::Input
    };
    Covered { role, why: note.text.to_string(), fixed: false }
}

fn decided(origin: &Origin, around: &Covered) -> Covered {
    match origin {
        Origin::Default(why) => {
            let role = if why.contains(ASSUMED) { Role::Assumed } else { Role::Default };
            Covered { role, why: (*why).into(), fixed: true }
        }
        Origin::Set(text) => Covered { role: Role::Input, why: format!("--set {text}"), fixed: true },
        Origin::Written => around.clone(),
    }
}

/// The text of a number, or of a word that decides how the machine works; none for names.
fn number(entry: &Entry) -> Option<String> {
    match &entry.value {
        Value::Span(span) => Some(span.text.clone()),
        Value::Bytes(bytes) => Some(bytes.text.clone()),
        Value::Percent(share) => Some(share.text.clone()),
        Value::Rate(rate) => Some(rate.text.clone()),
        Value::Pair(low, high) => Some(format!("{} to {}", low.text, high.text)),
        Value::Count(count) => Some(count.to_string()),
        Value::Counts(counts) => Some(counts.iter().map(u32::to_string).collect::<Vec<_>>().join(", ")),
        Value::Number(number) => Some(number.to_string()),
        Value::Word(word) => Some((*word).to_string()),
        Value::Text(word) if matches!(entry.key.kind, Kind::Word(_)) => Some(word.clone()),
        Value::Text(_) | Value::Filed(_) | Value::Device(_) | Value::Texts(_) | Value::Weights(_) => None,
        Value::Unusable | Value::Table(_) | Value::Tables(_) => None,
    }
}

fn item(key: &Key, table: &Table, index: usize) -> String {
    match (key.kind, table.text(&NAME)) {
        (Kind::Named(_), Some(name)) => quoted(name),
        _ => (index + 1).to_string(),
    }
}

fn join(path: &str, key: &str) -> String {
    if path.is_empty() { key.to_string() } else { format!("{path}.{key}") }
}

/// A name as a part of a path: in quotes when it has points of its own.
fn quoted(name: &str) -> String {
    if name.contains('.') { format!("\"{name}\"") } else { name.to_string() }
}
