//! The value of a key against what it may hold: lists and tables here, the rest in `scalar`.

use super::filed;
use super::reader::Reader;
use super::scalar::{mistyped, name, scalar};
use super::table::{Path, table, unusable};
use crate::language::{self, CONSTANT, Key, Kind, LONGEST, NAME, PROGRAM, WEIGHTS};
use crate::pattern::{Pattern, is_pattern};
use crate::resolved::{Entry, Origin, Reference, Table, Value, Weight};
use crate::text::clip;
use crate::written::{self, Entries, Node, Written};
use units::Problem;

/// Reads the value of a key.
pub fn read(reader: &mut Reader<'_, '_>, key: &'static Key, node: &Node, path: &Path) -> Value {
    match (key.kind, &node.value) {
        (Kind::Table(spec), Written::Table(entries)) => {
            Value::Table(table(reader, spec, entries, node.at, &path.below(key.name)))
        }
        (Kind::TextOr(spec), Written::Table(entries)) => {
            let table = table(reader, spec, entries, node.at, &path.below(key.name));
            filed::filed(reader, &table)
        }
        (Kind::Distribution(spec), Written::Table(entries)) => {
            let table = table(reader, spec, entries, node.at, &path.below(key.name));
            check_spread(reader, &table);
            Value::Table(table)
        }
        (Kind::Distribution(spec), Written::Text(_)) => constant(reader, key, spec, node, path),
        (Kind::Named(spec), Written::List(items)) => Value::Tables(named(reader, key, spec, items, path)),
        (Kind::Steps(_) | Kind::Alternatives(_), Written::List(items)) if items.is_empty() => {
            let (what, why) = empty(key);
            let problem = Problem::new(what).key(path.key(key.name)).because(why);
            unusable(reader, node.at, problem.allowed([key.kind.describe()]))
        }
        (Kind::Steps(spec) | Kind::Numbered(spec) | Kind::Alternatives(spec), Written::List(items)) => {
            numbered(reader, key, spec, items, path)
        }
        (Kind::Refers(_), Written::List(items)) => references(reader, key, node, items, path),
        (Kind::Weights(_), Written::Table(entries)) => weights(reader, key, node, entries, path),
        (Kind::Counts(..), Written::List(items)) => counts(reader, key, node, items, path),
        (Kind::SpanPair, Written::List(items)) => pair(reader, key, node, items, path),
        (kind, value) => match scalar(kind, value) {
            Ok(value) => value,
            Err(problem) => unusable(reader, node.at, problem.key(path.key(key.name))),
        },
    }
}

/// The problem of an empty list, and why.
fn empty(key: &Key) -> (&'static str, &'static str) {
    match key.kind {
        Kind::Alternatives(_) => ("no alternatives", "one of them has to be chosen"),
        _ if std::ptr::eq(key, &PROGRAM) => ("no steps", "it would do nothing, for ever"),
        _ => ("no steps", "it would do nothing, and { think = \"0 ms\" } says so"),
    }
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

fn numbered(
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
        let why = if key.lists_targets() { "an I/O goes somewhere" } else { "without any, leave the key out" };
        return unusable(reader, node.at, problem.because(why).allowed([key.kind.describe()]));
    }
    let mut texts: Vec<Reference> = Vec::new();
    let mut seen = std::collections::BTreeSet::new();
    for item in items {
        let read = match &item.value {
            Written::Text(text) if is_pattern(text) => Pattern::read(text, None).map(|_| text.clone()),
            Written::Text(text) => name(text, language::LONGEST_NAME).map(|_| text.clone()),
            other => Err(mistyped(key.kind, other).into()),
        };
        match read {
            Ok(name) if !seen.insert(name.clone()) => {
                let problem = Problem::new(format!("`{name}` twice")).because("each has one place in the list");
                let weights = key.lists_targets().then_some("weighted = { ... }");
                reader.problems.add(item.at, problem.key(path.key(key.name)).allowed(weights));
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

/// This many whole numbers.
fn counts(reader: &mut Reader<'_, '_>, key: &'static Key, node: &Node, items: &[Node], path: &Path) -> Value {
    let Kind::Counts(many, least, most) = key.kind else { unreachable!("it was looked at") };
    let path = path.key(key.name);
    if items.len() != many {
        let problem = Problem::new(format!("{} numbers where {many} are needed", items.len()));
        return unusable(reader, node.at, problem.key(path).allowed([key.kind.describe()]));
    }
    let mut counts = Vec::new();
    for item in items {
        match scalar(Kind::Count(least, most), &item.value) {
            Ok(Value::Count(count)) => counts.push(count),
            Ok(_) => {}
            Err(problem) => reader.problems.add(item.at, problem.key(path.clone())),
        }
    }
    if counts.len() == many { Value::Counts(counts) } else { Value::Unusable }
}

fn pair(reader: &mut Reader<'_, '_>, key: &'static Key, node: &Node, items: &[Node], path: &Path) -> Value {
    let path = path.key(key.name);
    let [low, high] = items else {
        let problem = Problem::new(format!("{} spans where two are needed", items.len()));
        return unusable(reader, node.at, problem.key(path).allowed([key.kind.describe()]));
    };
    let mut read = |node: &Node, least| match scalar(Kind::Span(least, LONGEST), &node.value) {
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
        return unusable(reader, node.at, problem.key(path).because("the shortest span comes first"));
    }
    Value::Pair(low, high)
}
