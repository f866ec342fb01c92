//! A resolved scenario as plain values for programs: numbers with their units in the names of their keys.
//!
//! Spans are in seconds, shares in percent, rates per second, amounts of data in bytes, and `yes` is true.

use crate::language::{
    self, BESIDE, CLASSES, COUNTED, DISTRIBUTION, Kind, NETWORK_RATE, NO, Need, OF_CLASS, OWN_EXITS, SWEEPS, YES,
    is_beside, is_note,
};
use crate::problems::Problems;
use crate::reference::tables;
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
    /// A table of this class with every key of the language, absent ones included.
    Table(String, Vec<(String, Plain)>),
}

/// A class of values: a table of the language as programs see it.
#[derive(Clone, Debug, PartialEq)]
pub struct Class {
    /// What it is called: "AliasPool".
    pub name: String,
    /// The class whose fields it has too.
    pub base: Option<String>,
    /// The place of the table in the machine.
    pub doc: &'static str,
    /// Its fields, in the order of the language.
    pub fields: Vec<Field>,
}

/// A field of a class: a key of the language.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The name of the key, with the unit of its numbers.
    pub name: String,
    /// Its type, as programs write it: "tuple[str, ...]".
    pub hint: String,
    /// The meaning of the key.
    pub doc: &'static str,
}

/// The class of every table of the language, a base before what is based on it.
pub fn classes() -> Vec<Class> {
    let mut classes: Vec<Class> = tables().into_iter().filter(|table| !is_inline(table)).map(class).collect();
    classes.sort_by_key(|class| class.base.is_some());
    classes
}

fn class(table: &'static language::Table) -> Class {
    let is_based = !std::ptr::eq(table, &DISTRIBUTION) && DISTRIBUTION.keys.iter().all(|key| table.has(key));
    let own = |key: &&'static language::Key| !(is_based && DISTRIBUTION.has(key));
    let fields = keys(table).filter(own).map(|key| Field { name: field(key), hint: hint(table, key), doc: key.doc });
    let base = is_based.then(|| class_name(&DISTRIBUTION));
    Class { name: class_name(table), base, doc: table.doc, fields: fields.collect() }
}

/// Tables that are no class: a file stands for its text, and some are beside the scenario, not in it.
fn is_inline(table: &language::Table) -> bool {
    let holds = |kind| matches!(kind, Kind::Table(inner) | Kind::Named(inner) | Kind::Numbered(inner) if std::ptr::eq(inner, table));
    std::ptr::eq(table, &language::TEXT_FILE) || BESIDE.iter().any(|key| holds(key.kind))
}

/// The keys of a table that have values for programs; a resolved scenario has each numbered table by itself.
fn keys(table: &language::Table) -> impl Iterator<Item = &'static language::Key> + use<> {
    table.keys.iter().copied().filter(|key| !is_note(key) && !is_beside(key) && !std::ptr::eq(*key, &COUNTED))
}

/// The name of a table without underscores; a word more where it means little outside the table around it.
fn class_name(table: &language::Table) -> String {
    let (before, name, behind) = match table.name {
        "scenario" => ("", "view", ""),
        "cache" => ("minidisk_", "cache", ""),
        "cost" => ("serialization_", "cost", ""),
        "exit" => ("own_", "exit", ""),
        "costs" => ("path_", "costs", ""),
        "controller" => ("parking_", "controller", ""),
        "srm" => ("", "srm", "_change"),
        "change_of_aliases" => ("", "alias", "_change"),
        "change_of_paths" => ("", "path", "_change"),
        "change_of_partition" => ("", "partition", "_change"),
        name => ("", name, ""),
    };
    let words = format!("{before}{name}{behind}");
    words.split('_').map(|word| format!("{}{}", word[..1].to_uppercase(), &word[1..])).collect()
}

/// The type of a key's values as programs write it, with `None` where one may be absent.
fn hint(table: &language::Table, key: &language::Key) -> String {
    let hint = match key.kind {
        Kind::Word(words) if words.iter().all(|word| [YES, NO].contains(word)) => "bool".into(),
        Kind::Text
        | Kind::Lines
        | Kind::TextOr(_)
        | Kind::Line
        | Kind::Name(_)
        | Kind::Refer(_)
        | Kind::Word(_)
        | Kind::File
        | Kind::Device => "str".into(),
        Kind::Span(..) | Kind::SpanOr(_) | Kind::Percent(_) | Kind::Growth(_) | Kind::Rate(..) | Kind::Number(..) => {
            "float".into()
        }
        Kind::Bytes(..) | Kind::Count(..) => "int".into(),
        Kind::SpanPair => "tuple[float, float]".into(),
        Kind::Counts(..) => "tuple[int, ...]".into(),
        Kind::Refers(_) => "tuple[str, ...]".into(),
        Kind::Weights(_) => "Mapping[str, float]".into(),
        Kind::Distribution(inner) | Kind::Table(inner) => class_name(inner),
        Kind::Named(inner) | Kind::Numbered(inner) | Kind::Steps(inner) | Kind::Alternatives(inner) => {
            format!("tuple[{}, ...]", class_name(inner))
        }
    };
    let is_chosen = table.choices.iter().any(|choice| choice.keys.iter().any(|other| std::ptr::eq(*other, key)));
    let is_there = |name| table.key(name).is_some_and(|key| matches!(key.need, Need::Required(_)));
    let stands = key.beside.is_empty() || key.beside.iter().copied().any(is_there);
    let is_always = stands
        && key.always.unwrap_or(match key.need {
            Need::Optional(_) | Need::WorkedOut(_) => false,
            Need::Required(_) | Need::Default(..) | Need::Defaults => !is_chosen,
        });
    let is_absent = absent(key.kind) == Plain::Absent && (!is_always || matches!(key.kind, Kind::SpanOr(_)));
    if is_absent { format!("{hint} | None") } else { hint }
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
    of_keys(table, keys(table.spec))
}

impl Scenario {
    /// The verdict of its fit, what is open, and its readings; they are not part of the resolved scenario.
    pub fn left_open(&self) -> Plain {
        of_keys(&self.beside.tables, BESIDE.iter().copied().filter(|key| !std::ptr::eq(*key, &SWEEPS)))
    }
}

/// These keys of a table.
fn of_keys(table: &Table, keys: impl Iterator<Item = &'static language::Key>) -> Plain {
    let values = keys.map(|key| (field(key), value(key.kind, table.value(key))));
    Plain::Table(class_name(table.spec), values.collect())
}

/// The name of a key with the unit of its numbers; several tables have the plural.
fn field(key: &language::Key) -> String {
    if std::ptr::eq(key, &OWN_EXITS) {
        return "own_exits".into();
    }
    // A word of its own where programs have `class` for something else.
    if std::ptr::eq(key, &OF_CLASS) {
        return "of_class".into();
    }
    if std::ptr::eq(key, &CLASSES) {
        return "classes".into();
    }
    let unit = match key.kind {
        Kind::Named(_) | Kind::Numbered(_) => "s",
        _ if std::ptr::eq(key, &NETWORK_RATE) => "_bytes_per_s",
        Kind::Span(..) | Kind::SpanOr(_) | Kind::SpanPair => "_s",
        Kind::Percent(_) | Kind::Growth(_) => "_percent",
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
