//! The reference of the language: a row per key with what it may hold and what becomes of it when it is absent.

use crate::language::{Key, Kind, NOTES, Need, ROOT, Table};

/// A key in the reference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Its table.
    pub table: &'static str,
    /// The key.
    pub key: &'static str,
    /// The values that it may hold.
    pub holds: String,
    /// The consequence of its absence, and why.
    pub absent: String,
    /// Its meaning.
    pub doc: &'static str,
}

/// Every key of the language, table by table; the notes that any table may carry stand at the end.
pub fn reference() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for table in tables() {
        rows.extend(table.keys.iter().map(|key| row(table.name, key)));
    }
    rows.extend(NOTES.iter().map(|key| row("any table", key)));
    rows
}

/// Every table of the language, each once, in the order in which they are met.
pub fn tables() -> Vec<&'static Table> {
    let mut met: Vec<&'static Table> = vec![&ROOT];
    let mut next = 0;
    while let Some(table) = met.get(next) {
        next += 1;
        for inner in table.keys.iter().filter_map(|key| inner(key)) {
            if !met.iter().any(|table| std::ptr::eq(*table, inner)) {
                met.push(inner);
            }
        }
    }
    met
}

fn inner(key: &Key) -> Option<&'static Table> {
    match key.kind {
        Kind::Table(table)
        | Kind::TextOr(table)
        | Kind::Distribution(table)
        | Kind::Named(table)
        | Kind::Numbered(table)
        | Kind::Steps(table)
        | Kind::Alternatives(table) => Some(table),
        _ => None,
    }
}

fn row(table: &'static str, key: &Key) -> Row {
    let beside = match key.beside {
        [] => String::new(),
        keys => format!("beside {} only; ", keys.join(" or ")),
    };
    let absent = match key.need {
        Need::Required(why) => format!("required: {why}"),
        Need::Default(text, why) => format!("{text}: {why}"),
        Need::Defaults => "all its keys have defaults".into(),
        Need::WorkedOut(rule) => rule.into(),
        Need::Optional(meaning) => meaning.into(),
    };
    Row { table, key: key.name, holds: key.kind.describe(), absent: format!("{beside}{absent}"), doc: key.doc }
}
