//! A resolved scenario as plain values for programs: numbers with their units in the names of their keys.
//!
//! Spans are in seconds, shares in percent, rates per second, amounts of data in bytes, and `yes` is true.

use crate::language::{self, BESIDE, Kind, NETWORK_RATE, NO, OWN_EXITS, SWEEPS, YES, is_beside, is_note};
use crate::problems::Problems;
use crate::resolved::{Table, Value};
use crate::text::Text;
use crate::{Scenario, check, screens, written};

/// A plain value.
#[derive(Clone, Debug, PartialEq)]
pub enum Plain {
    /// Absent: there is no key, or a word such as `auto` in place of a number.
    Absent,
    /// Text, a name or a word.
    Text(String),
    /// `yes` or `no`.
    Truth(bool),
    /// A whole number.
    Count(u64),
    /// A number.
    Number(f64),
    /// Several values.
    List(Vec<Plain>),
    /// Numbers by name.
    Weights(Vec<(String, f64)>),
    /// A table with every key of the language, absent ones included.
    Table(Vec<(String, Plain)>),
}

impl Scenario {
    /// The resolved scenario as plain values.
    pub fn view(&self) -> Plain {
        of_table(&self.root)
    }
}

/// What can be understood of a text that may be no scenario: everything else is absent.
pub fn outline(bytes: &[u8]) -> Plain {
    let text = Text::of(bytes, "", &[]).unwrap_or_else(|_| Text::of(b"", "", &[]).expect("nothing is text"));
    let mut problems = Problems::new(&text);
    let (mut entries, syntax) = written::read(&text);
    screens::rename(&mut entries, &mut problems);
    of_table(&check::scenario(&entries, syntax.is_empty(), &mut problems))
}

fn of_table(table: &Table) -> Plain {
    keys(table, table.spec.keys.iter().copied().filter(|key| !is_note(key) && !is_beside(key)))
}

impl Scenario {
    /// The verdict of its fit, what is open, and its readings; they are not part of the resolved scenario.
    pub fn left_open(&self) -> Plain {
        keys(&self.beside.tables, BESIDE.iter().copied().filter(|key| !std::ptr::eq(*key, &SWEEPS)))
    }
}

/// These keys of a table.
fn keys(table: &Table, keys: impl Iterator<Item = &'static language::Key>) -> Plain {
    Plain::Table(keys.map(|key| (field(key), value(key.kind, table.value(key)))).collect())
}

/// The name of a key with the unit of its numbers; several tables have the plural.
fn field(key: &language::Key) -> String {
    if std::ptr::eq(key, &OWN_EXITS) {
        return "own_exits".into();
    }
    let unit = match key.kind {
        Kind::Named(_) | Kind::Numbered(_) => "s",
        _ if std::ptr::eq(key, &NETWORK_RATE) => "_bytes_per_s",
        Kind::Span(..) | Kind::SpanOr(_) | Kind::SpanPair => "_s",
        Kind::Percent(_) => "_percent",
        Kind::Rate(..) => "_per_s",
        Kind::Bytes(..) if key.name != "bytes" => "_bytes",
        _ => "",
    };
    format!("{}{unit}", key.name.replace('.', "_"))
}

fn value(kind: Kind, value: Option<&Value>) -> Plain {
    let Some(value) = value else { return absent(kind) };
    match value {
        Value::Unusable | Value::Word(_) => absent(kind),
        Value::Text(word) => match kind {
            Kind::Word(words) if words.iter().all(|word| [YES, NO].contains(word)) => Plain::Truth(word == YES),
            _ => Plain::Text(word.clone()),
        },
        Value::Filed(filed) => filed.text.clone().map_or(Plain::Absent, Plain::Text),
        Value::Texts(names) => Plain::List(names.iter().map(|name| Plain::Text(name.name.clone())).collect()),
        Value::Weights(weights) => {
            Plain::Weights(weights.iter().map(|weight| (weight.name.clone(), weight.weight)).collect())
        }
        Value::Span(span) => Plain::Number(span.value.seconds()),
        Value::Pair(low, high) => Plain::List([low, high].map(|span| Plain::Number(span.value.seconds())).into()),
        Value::Bytes(bytes) => Plain::Count(bytes.value.bytes()),
        Value::Percent(share) => Plain::Number(share.value.percent()),
        Value::Rate(rate) => Plain::Number(rate.value.per_second()),
        Value::Count(count) => Plain::Count((*count).into()),
        Value::Counts(counts) => Plain::List(counts.iter().map(|count| Plain::Count((*count).into())).collect()),
        Value::Number(number) => Plain::Number(*number),
        Value::Device(device) => Plain::Text(format!("{:04X}", device.0)),
        Value::Table(table) => of_table(table),
        Value::Tables(tables) => Plain::List(tables.iter().map(of_table).collect()),
    }
}

/// What stands for a value that is not there: no tables, no names, or nothing.
fn absent(kind: Kind) -> Plain {
    match kind {
        Kind::Named(_) | Kind::Numbered(_) | Kind::Steps(_) | Kind::Alternatives(_) | Kind::Refers(_) => {
            Plain::List(Vec::new())
        }
        Kind::Weights(_) => Plain::Weights(Vec::new()),
        _ => Plain::Absent,
    }
}
