//! One value against what its key may hold.
//!
//! It leaves out whether the names it refers to exist: that is known when everything has been read.

use super::Reader;
use super::quantity;
use super::table::{Path, table, unusable};
use crate::language::{self, CONSTANT, Key, Kind, NAME, WEIGHTS};
use crate::resolved::{Entry, Origin, Reference, Table, Value, Weight};
use crate::text::clip;
use crate::written::{self, Entries, Node, Written};
use units::{Problem, Span};

/// The most characters a text has.
const LONGEST_TEXT: usize = 2_000;
/// The most characters a line has.
const LONGEST_LINE: usize = 200;

/// Reads the value of a key.
pub fn read(reader: &mut Reader<'_, '_>, key: &'static Key, node: &Node, path: &Path) -> Value {
    match (key.kind, &node.value) {
        (Kind::Table(spec), Written::Table(entries)) => {
            Value::Table(table(reader, spec, entries, node.at, &path.below(key.name)))
        }
        (Kind::Distribution(spec), Written::Table(entries)) => {
            let table = table(reader, spec, entries, node.at, &path.below(key.name));
            check_spread(reader, &table);
            Value::Table(table)
        }
        (Kind::Distribution(spec), Written::Text(_)) => constant(reader, key, spec, node, path),
        (Kind::Named(spec), Written::List(items)) => Value::Tables(named(reader, key, spec, items, path)),
        (Kind::Steps(_), Written::List(items)) if items.is_empty() => {
            let problem = Problem::new("no steps").key(path.key(key.name)).because("it would do nothing, for ever");
            unusable(reader, node.at, problem.allowed([key.kind.describe()]))
        }
        (Kind::Steps(spec), Written::List(items)) => steps(reader, key, spec, items, path),
        (Kind::Refers(_), Written::List(items)) => references(reader, key, node, items, path),
        (Kind::Weights(_), Written::Table(entries)) => weights(reader, key, node, entries, path),
        (Kind::SpanPair, Written::List(items)) => pair(reader, key, node, items, path),
        (kind, value) => match scalar(kind, value) {
            Ok(value) => value,
            Err(problem) => unusable(reader, node.at, problem.key(path.key(key.name))),
        },
    }
}

/// A value that is neither a list nor a table.
fn scalar(kind: Kind, value: &Written) -> Result<Value, Box<Problem>> {
    match (kind, value) {
        (Kind::Text, Written::Text(text)) => free_text(text, LONGEST_TEXT, true),
        (Kind::Line, Written::Text(text)) => free_text(text, LONGEST_LINE, false),
        (Kind::Name(most), Written::Text(text)) => name(text, most),
        (Kind::Refer(_), Written::Text(text)) => name(text, language::LONGEST_NAME),
        (Kind::Word(words), Written::Text(text)) => word(text, words),
        (Kind::Device, Written::Text(text)) => quantity::device(text).map(Value::Device),
        (Kind::Span(least), Written::Text(text)) => quantity::span(text, bound(least)).map(Value::Span),
        (Kind::SpanOr(word), Written::Text(text)) if text == word => Ok(Value::Word(word)),
        (Kind::SpanOr(word), Written::Text(text)) => quantity::span(text, Span::ZERO)
            .map(Value::Span)
            .map_err(|problem| problem.allowed([Kind::SpanOr(word).describe()]).into()),
        (Kind::Percent(most), Written::Text(text)) => quantity::percent(text, most).map(Value::Percent),
        (Kind::Rate(most), Written::Text(text)) => quantity::rate(text, most).map(Value::Rate),
        (Kind::Count(least, most), Written::Integer(number)) => count(*number, least, most),
        (Kind::Number(least, most), Written::Integer(Some(whole))) => number(*whole as f64, least, most),
        (Kind::Number(least, most), Written::Float(value)) => number(*value, least, most),
        _ => Err(mistyped(kind, value).into()),
    }
}

fn mistyped(kind: Kind, value: &Written) -> Problem {
    let problem = Problem::new(format!("{} where {} is needed", value.describe(), plain(kind)));
    let quantity =
        matches!(kind, Kind::Span(_) | Kind::SpanOr(_) | Kind::Percent(_) | Kind::Rate(_) | Kind::Distribution(_));
    let why = match (kind, value) {
        _ if quantity && matches!(value, Written::Integer(_) | Written::Float(_)) => "a quantity has a unit, in quotes",
        (Kind::Device, Written::Integer(_) | Written::Float(_)) => "device numbers are hexadecimal, in quotes",
        (Kind::Named(_), Written::Table(_)) => "there may be several of them, so each has double brackets",
        (Kind::Count(..) | Kind::Number(..), Written::Text(_)) => "counts and plain numbers stand without quotes",
        _ => "",
    };
    problem.because(why).allowed([kind.describe()])
}

/// A kind of value in few words.
fn plain(kind: Kind) -> String {
    match kind {
        Kind::Text | Kind::Line => "text".into(),
        Kind::Name(_) | Kind::Refer(_) => "a name".into(),
        Kind::Refers(_) => "a list of names".into(),
        Kind::Weights(_) => "a table of weights".into(),
        Kind::Word(_) => "a word".into(),
        Kind::Device => "a device number".into(),
        Kind::Span(_) | Kind::SpanOr(_) => "a span of time".into(),
        Kind::SpanPair => "a list of two spans".into(),
        Kind::Percent(_) => "a share".into(),
        Kind::Rate(_) => "a rate".into(),
        Kind::Count(..) => "a whole number".into(),
        Kind::Number(..) => "a number".into(),
        Kind::Distribution(_) => "a span of time or a distribution".into(),
        Kind::Table(table) => format!("a table [{}]", table.name),
        Kind::Named(table) => format!("a list of tables [[{}]]", table.name),
        Kind::Steps(_) => "a list of steps".into(),
    }
}

fn bound(text: &str) -> Span {
    text.parse().expect("the bounds of the language are spans")
}

fn free_text(text: &str, most: usize, lines: bool) -> Result<Value, Box<Problem>> {
    let length = text.chars().count();
    if text.trim().is_empty() {
        return Err(Problem::new("the text is empty").because("it should say something").into());
    }
    if length > most {
        return Err(Problem::new(format!("the text has {length} characters"))
            .allowed([format!("up to {most}")])
            .into());
    }
    match text.chars().find(|c| c.is_control() && !(lines && *c == '\n')) {
        Some(c) => Err(Problem::new(format!("a control character {} in the text", c.escape_unicode()))
            .because("it would garble reports and terminals")
            .into()),
        None => Ok(Value::Text(text.to_string())),
    }
}

fn name(text: &str, most: usize) -> Result<Value, Box<Problem>> {
    let problem = |what: String| Err(Problem::new(what).allowed([Kind::Name(most).describe()]).into());
    if text.is_empty() {
        return problem("the name is empty".into());
    }
    if let Some(c) = text.chars().find(|c| !(c.is_ascii_alphanumeric() || "-_.".contains(*c))) {
        return problem(format!("`{}` in the name `{}`", c.escape_debug(), clip(text)));
    }
    if text.len() > most {
        return problem(format!("the name `{}` has {} characters", clip(text), text.len()));
    }
    Ok(Value::Text(text.to_string()))
}

fn word(text: &str, words: &'static [&'static str]) -> Result<Value, Box<Problem>> {
    if words.contains(&text) {
        return Ok(Value::Text(text.to_string()));
    }
    let near = |word: &&&str| strsim::normalized_damerau_levenshtein(&clip(text).to_lowercase(), word) >= 0.5;
    Err(Problem::new(format!("`{}` is none of the words that stand here", clip(text)))
        .allowed(words.iter().copied())
        .nearest(words.iter().find(near).copied())
        .into())
}

fn count(number: Option<i64>, least: u32, most: u32) -> Result<Value, Box<Problem>> {
    let allowed = [format!("{least} to {most}")];
    let Some(number) = number else { return Err(Problem::new("a number beyond 64 bits").allowed(allowed).into()) };
    match u32::try_from(number) {
        Ok(count) if (least..=most).contains(&count) => Ok(Value::Count(count)),
        _ => Err(Problem::new(format!("{number} is out of range")).allowed(allowed).into()),
    }
}

fn number(number: f64, least: f64, most: f64) -> Result<Value, Box<Problem>> {
    if (least..=most).contains(&number) {
        return Ok(Value::Number(number));
    }
    Err(Problem::new(format!("{number} is out of range")).allowed([format!("{least} to {most}")]).into())
}

/// A span alone is a constant.
fn constant(
    reader: &mut Reader<'_, '_>,
    key: &'static Key,
    spec: &'static language::Table,
    node: &Node,
    path: &Path,
) -> Value {
    let value = match scalar(CONSTANT.kind, &node.value) {
        Ok(value) => value,
        Err(problem) => return unusable(reader, node.at, problem.key(path.key(key.name))),
    };
    // Read as a table so that its other keys get their defaults.
    let entry = written::Entry { key: CONSTANT.name.into(), at: node.at, node: node.clone() };
    let mut constant = table(reader, spec, &Entries(vec![entry]), node.at, &path.below(key.name));
    for entry in &mut constant.entries {
        if std::ptr::eq(entry.key, &CONSTANT) {
            *entry = Entry { key: &CONSTANT, value: value.clone(), at: node.at, origin: Origin::Written };
        }
    }
    Value::Table(constant)
}

/// A hyperexponential is at least as irregular as an exponential.
fn check_spread(reader: &mut Reader<'_, '_>, table: &Table) {
    let scv = table.number(&language::SCV);
    if table.entry(&language::HYPEREXPONENTIAL).is_some() && scv.is_some_and(|scv| scv < 1.0) {
        let problem = Problem::new(format!("scv {} of a hyperexponential", scv.unwrap_or_default()))
            .key(table.path(&language::SCV))
            .because("a mixture of exponentials has a squared coefficient of variation of at least 1")
            .allowed(["1 to 1000", "gamma or erlang for less"]);
        reader.problems.add(table.at(&language::SCV), problem);
    }
}

fn named(
    reader: &mut Reader<'_, '_>,
    key: &'static Key,
    spec: &'static language::Table,
    items: &[Node],
    path: &Path,
) -> Vec<Table> {
    let mut tables = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let numbered = path.item(key.name, index + 1);
        let Written::Table(entries) = &item.value else {
            reader.problems.add(item.at, mistyped(key.kind, &item.value).key(numbered.title()));
            continue;
        };
        let path = match entries.get(NAME.name).map(|entry| &entry.node.value) {
            Some(Written::Text(text)) if name(text, language::LONGEST_NAME).is_ok() => Path::named(spec.name, text),
            _ => numbered,
        };
        tables.push(table(reader, spec, entries, item.at, &path));
    }
    tables
}

fn steps(
    reader: &mut Reader<'_, '_>,
    key: &'static Key,
    spec: &'static language::Table,
    items: &[Node],
    path: &Path,
) -> Value {
    let mut tables = Vec::new();
    for (index, item) in items.iter().enumerate() {
        let path = path.item(key.name, index + 1);
        let Written::Table(entries) = &item.value else {
            reader.problems.add(item.at, mistyped(key.kind, &item.value).key(path.title()));
            continue;
        };
        tables.push(table(reader, spec, entries, item.at, &path));
    }
    Value::Tables(tables)
}

fn references(reader: &mut Reader<'_, '_>, key: &'static Key, node: &Node, items: &[Node], path: &Path) -> Value {
    if items.is_empty() {
        let problem = Problem::new("the list is empty").key(path.key(key.name));
        return unusable(reader, node.at, problem.because("an I/O goes somewhere").allowed([key.kind.describe()]));
    }
    let mut texts: Vec<Reference> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for item in items {
        let read = match &item.value {
            Written::Text(text) => name(text, language::LONGEST_NAME).map(|_| text.clone()),
            other => Err(mistyped(key.kind, other).into()),
        };
        match read {
            Ok(name) if !seen.insert(name.clone()) => {
                let problem = Problem::new(format!("`{name}` twice")).because("each is equally likely");
                reader.problems.add(item.at, problem.key(path.key(key.name)).allowed(["weighted = { ... }"]));
            }
            Ok(name) => texts.push(Reference { name, at: item.at }),
            Err(problem) => reader.problems.add(item.at, problem.key(path.key(key.name))),
        }
    }
    Value::Texts(texts)
}

fn weights(reader: &mut Reader<'_, '_>, key: &'static Key, node: &Node, entries: &Entries, path: &Path) -> Value {
    let below = path.below(key.name);
    if entries.0.is_empty() {
        let problem = Problem::new("the table is empty").key(path.key(key.name));
        return unusable(reader, node.at, problem.because("an I/O goes somewhere").allowed([key.kind.describe()]));
    }
    let mut weights = Vec::new();
    for entry in &entries.0 {
        match scalar(Kind::Number(WEIGHTS.0, WEIGHTS.1), &entry.node.value) {
            Ok(Value::Number(weight)) => {
                let origin = crate::mark::origin(reader.problems.text(), &language::WEIGHTED, &entry.node);
                weights.push(Weight { name: entry.key.clone(), weight, at: entry.at, origin });
            }
            Ok(_) => {}
            Err(problem) => reader.problems.add(entry.node.at, problem.key(below.key(&clip(&entry.key)))),
        }
    }
    Value::Weights(weights)
}

fn pair(reader: &mut Reader<'_, '_>, key: &'static Key, node: &Node, items: &[Node], path: &Path) -> Value {
    let path = path.key(key.name);
    let [low, high] = items else {
        let problem = Problem::new(format!("{} spans where two are needed", items.len()));
        return unusable(reader, node.at, problem.key(path).allowed([key.kind.describe()]));
    };
    let mut read = |node: &Node, least| match scalar(Kind::Span(least), &node.value) {
        Ok(Value::Span(span)) => Some(span),
        Ok(_) => None,
        Err(problem) => {
            reader.problems.add(node.at, problem.key(path.clone()));
            None
        }
    };
    let (Some(low), Some(high)) = (read(low, "0 us"), read(high, "0.001 us")) else { return Value::Unusable };
    if low.value > high.value {
        let problem = Problem::new(format!("{} to {}", low.text, high.text));
        return unusable(reader, node.at, problem.key(path).because("the shortest span stands first"));
    }
    Value::Pair(low, high)
}
