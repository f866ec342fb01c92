//! A scenario as it was written: tables, keys and values in their order, each with its place.

use crate::text::{At, Text, clip};
use toml::Spanned;
use toml::de::{DeTable, DeValue};
use units::Problem;

/// A value with its place.
#[derive(Clone, Debug)]
pub struct Node {
    /// The value.
    pub value: Written,
    /// Its place.
    pub at: At,
}

/// A value as TOML knows it.
#[derive(Clone, Debug)]
pub enum Written {
    /// Text in quotes.
    Text(String),
    /// A whole number, as its decimal digits; none when it is beyond 64 bits.
    Integer(Option<i64>),
    /// A number with a point or an exponent.
    Float(f64),
    /// `true`, `false`, a date or a time: nothing that a scenario has.
    Other(String),
    /// A list.
    List(Vec<Node>),
    /// A table.
    Table(Entries),
}

/// The keys of a table in the order in which they were written.
#[derive(Clone, Debug, Default)]
pub struct Entries(pub Vec<Entry>);

/// A key with its value.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The key.
    pub key: String,
    /// The place of the key.
    pub at: At,
    /// The value.
    pub node: Node,
}

impl Written {
    /// Its kind, for a message.
    pub fn describe(&self) -> String {
        match self {
            Written::Text(text) => format!("the text \"{}\"", clip(text)),
            Written::Integer(Some(number)) => format!("the bare number {number}"),
            Written::Integer(None) => "a number beyond 64 bits".into(),
            Written::Float(number) => format!("the bare number {number}"),
            Written::Other(text) => clip(text),
            Written::List(_) => "a list".into(),
            Written::Table(_) => "a table".into(),
        }
    }
}

impl Entries {
    /// The entry of this key.
    pub fn get(&self, key: &str) -> Option<&Entry> {
        self.0.iter().find(|entry| entry.key == key)
    }

    /// The entry of this key, to be changed.
    pub fn get_mut(&mut self, key: &str) -> Option<&mut Entry> {
        self.0.iter_mut().find(|entry| entry.key == key)
    }
}

/// How many mistakes of syntax are looked at; what is not TOML at all has one at every word.
const MOST_ERRORS: usize = 1_000;

/// Reads TOML: as much of it as can be understood, and what cannot.
pub fn read(text: &Text<'_>) -> (Entries, Vec<Problem>) {
    let (table, errors) = DeTable::parse_recoverable(text.text);
    let mut problems: Vec<Problem> = Vec::new();
    for error in errors.into_iter().take(MOST_ERRORS) {
        let at = error.span().map_or(At::Nowhere, |span| At::File(span.start, span.end));
        let problem = text.place(Problem::new(format!("not TOML: {}", error.message())), at);
        // One mistake often breaks several rules of the grammar; the first on a line is the one to mend.
        if !problems.iter().any(|earlier| earlier.line == problem.line) {
            problems.push(problem);
        }
    }
    problems.sort_by_key(|problem| (problem.line, problem.column));
    (entries(table.into_inner()), problems)
}

/// The value in a text without a key, if it is TOML.
pub fn value(text: &str, at: At) -> Option<Node> {
    let parsed = DeValue::parse(text).ok()?;
    Some(moved(node(parsed), &|_| at))
}

/// The same keys and values, which then stand somewhere else.
pub fn moved_entries(entries: Entries, to: &impl Fn(At) -> At) -> Entries {
    let moved = |entry: Entry| Entry { key: entry.key, at: to(entry.at), node: moved(entry.node, to) };
    Entries(entries.0.into_iter().map(moved).collect())
}

fn moved(node: Node, to: &impl Fn(At) -> At) -> Node {
    let at = to(node.at);
    let value = match node.value {
        Written::List(items) => Written::List(items.into_iter().map(|item| moved(item, to)).collect()),
        Written::Table(entries) => Written::Table(moved_entries(entries, to)),
        Written::Text(_) | Written::Integer(_) | Written::Float(_) | Written::Other(_) => node.value,
    };
    Node { value, at }
}

fn entries(table: DeTable<'_>) -> Entries {
    let mut entries: Vec<Entry> = table
        .into_iter()
        .map(|(key, value)| {
            let span = key.span();
            Entry { key: key.into_inner().into_owned(), at: At::File(span.start, span.end), node: node(value) }
        })
        .collect();
    entries.sort_by_key(|entry| match entry.at {
        At::File(start, _) => start,
        At::Set(_) | At::Shipped(..) | At::Nowhere => usize::MAX,
    });
    Entries(entries)
}

fn node(value: Spanned<DeValue<'_>>) -> Node {
    let span = value.span();
    let value = match value.into_inner() {
        DeValue::String(text) => Written::Text(text.into_owned()),
        DeValue::Integer(number) => Written::Integer(i64::from_str_radix(number.as_str(), number.radix()).ok()),
        DeValue::Float(number) => Written::Float(number.as_str().parse().unwrap_or(f64::NAN)),
        DeValue::Boolean(value) => Written::Other(value.to_string()),
        DeValue::Datetime(value) => Written::Other(value.to_string()),
        DeValue::Array(items) => Written::List(items.into_iter().map(node).collect()),
        DeValue::Table(table) => Written::Table(entries(table)),
    };
    Node { value, at: At::File(span.start, span.end) }
}
