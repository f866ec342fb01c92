//! One table against the language: unknown keys, keys that are missing, keys that exclude each other, defaults.

use super::reader::Reader;
use super::value;
use crate::language::{self, Choice, Key, Kind, NOTES, Need, is_note};
use crate::mark;
use crate::resolved::{Entry, Origin, Table, Value};
use crate::text::{At, clip};
use crate::written::{self, Entries, Node, Written};
use units::Problem;

/// What a message puts before a key: "volume BWPVS0: service.".
#[derive(Clone, Debug)]
pub struct Path(String);

impl Path {
    /// The path of the file itself.
    pub fn root() -> Path {
        Path(String::new())
    }

    /// The path of a table inside this one.
    pub fn below(&self, key: &str) -> Path {
        Path(format!("{}{key}.", self.0))
    }

    /// The path of the item of a list, counted from one.
    pub fn item(&self, key: &str, number: usize) -> Path {
        Path(format!("{}{key}[{number}].", self.0))
    }

    /// The path of a table with a name.
    pub fn named(table: &str, name: &str) -> Path {
        Path(format!("{table} {name}: "))
    }

    /// The name of a key in a message.
    pub fn key(&self, key: &str) -> String {
        format!("{}{key}", self.0)
    }

    /// The name of the table itself in a message.
    pub fn title(&self) -> &str {
        self.0.trim_end_matches([':', ' ', '.'])
    }
}

/// Reads a table.
pub fn table(
    reader: &mut Reader<'_, '_>,
    spec: &'static language::Table,
    written: &Entries,
    at: At,
    path: &Path,
) -> Table {
    let misspelt = unknown(reader, spec, written, path);
    excluded(reader, spec, written, path);
    let mut table = Table { spec, at, prefix: path.0.clone(), entries: Vec::new(), misspelt };
    for choice in spec.choices {
        choose(reader, choice, &table, written);
    }
    one_note(reader, written, path);
    for key in spec.all_keys() {
        if let Some(entry) = entry(reader, key, written, &table, path) {
            table.entries.push(entry);
        }
    }
    table
}

/// Reports keys that the table does not have; the keys that were probably meant.
fn unknown(
    reader: &mut Reader<'_, '_>,
    spec: &'static language::Table,
    written: &Entries,
    path: &Path,
) -> Vec<&'static str> {
    let mut meant = Vec::new();
    for entry in written.0.iter().filter(|entry| spec.key(&entry.key).is_none()) {
        let names = spec.all_keys().map(|key| key.name);
        let nearest = reader.problems.nearest(&entry.key, names.clone());
        meant.extend(names.clone().find(|name| Some(*name) == nearest.as_deref()));
        let problem = Problem::new(format!("unknown key `{}`", clip(&entry.key)))
            .key(path.key(&clip(&entry.key)))
            .because(format!("{} has no such key", spec.noun()))
            .allowed(names)
            .nearest(nearest);
        reader.problems.add(entry.at, problem);
    }
    meant
}

/// Keys that stand without any of the keys they go with, unless none of those was chosen at all, which is said elsewhere.
fn excluded(reader: &mut Reader<'_, '_>, spec: &'static language::Table, written: &Entries, path: &Path) {
    let unchosen =
        |key: &Key| rivals(spec, key).is_some_and(|choice| choice.needed && given(choice, written).is_empty());
    for key in spec.keys.iter().filter(|key| !goes_with(key, written) && !unchosen(key)) {
        if let Some(entry) = written.get(key.name) {
            let problem = Problem::new(format!("`{}` without `{}`", key.name, key.beside.join("` or `")))
                .key(path.key(key.name))
                .because(format!("it says {}", key.doc))
                .allowed([format!("beside {}", key.beside.join(", "))]);
            reader.problems.add(entry.at, problem);
        }
    }
}

/// The keys that decide whether a key makes sense, where only one of them may be given.
fn rivals(spec: &'static language::Table, key: &Key) -> Option<&'static Choice> {
    spec.choices.iter().find(|choice| choice.keys.iter().any(|other| key.beside.contains(&other.name)))
}

/// Which keys of a choice are given, in the order of the file.
fn given<'w>(choice: &Choice, written: &'w Entries) -> Vec<&'w written::Entry> {
    written.0.iter().filter(|entry| choice.keys.iter().any(|key| key.name == entry.key)).collect()
}

fn goes_with(key: &Key, written: &Entries) -> bool {
    key.beside.is_empty() || key.beside.iter().any(|other| written.get(other).is_some())
}

fn choose(reader: &mut Reader<'_, '_>, choice: &Choice, table: &Table, written: &Entries) {
    let names = || choice.keys.iter().map(|key| key.name);
    if let [first, others @ ..] = given(choice, written).as_slice() {
        for other in others {
            let problem = Problem::new(format!("both `{}` and `{}`", first.key, other.key))
                .key(format!("{}{}", table.prefix, other.key))
                .because(choice.why)
                .allowed([format!("one of {}", names().collect::<Vec<_>>().join(", "))]);
            reader.problems.add(other.at, problem);
        }
    } else if choice.needed && reader.complete && !names().any(|name| table.misspelt.contains(&name)) {
        let problem = Problem::new(format!("none of {}", names().collect::<Vec<_>>().join(", ")))
            .key(table.title())
            .because(choice.why)
            .allowed(names().map(|name| format!("{name} = ...")));
        reader.problems.add(table.at, problem);
    }
}

fn one_note(reader: &mut Reader<'_, '_>, written: &Entries, path: &Path) {
    let is_note = |entry: &&written::Entry| {
        let table = matches!(entry.node.value, Written::Table(_));
        !table && NOTES.iter().any(|note| note.name == entry.key)
    };
    let notes: Vec<&written::Entry> = written.0.iter().filter(is_note).collect();
    for other in notes.iter().skip(1) {
        let problem = Problem::new(format!("both `{}` and `{}`", notes[0].key, other.key))
            .key(path.key(&other.key))
            .because("the numbers of a table have one origin; give each its own table if they differ");
        reader.problems.add(other.at, problem);
    }
}

fn entry(
    reader: &mut Reader<'_, '_>,
    key: &'static Key,
    written: &Entries,
    table: &Table,
    path: &Path,
) -> Option<Entry> {
    if let Some(found) = written.get(key.name) {
        if let (Written::List(items), Kind::Named(_), Need::Required(why)) = (&found.node.value, key.kind, key.need)
            && items.is_empty()
        {
            missing(reader, key, why, table);
        }
        let value = value::read(reader, key, &found.node, path);
        let origin = mark::origin(reader.problems.text(), key, &found.node);
        return Some(Entry { key, value, at: found.node.at, origin });
    }
    if !goes_with(key, written) {
        return None;
    }
    let taken = |value, why| Some(Entry { key, value, at: At::Nowhere, origin: Origin::Default(why) });
    match key.need {
        Need::Required(why) => {
            // Of several that exclude each other the intended one is unknown.
            let contested = rivals(table.spec, key).is_some_and(|choice| given(choice, written).len() > 1);
            if !contested {
                missing(reader, key, why, table);
            }
            None
        }
        Need::Default(text, why) => {
            let node = default_node(key.kind, text);
            taken(value::read(reader, key, &node, path), why)
        }
        Need::Defaults => {
            let node = Node { value: Written::Table(Entries::default()), at: At::Nowhere };
            taken(value::read(reader, key, &node, path), "all its keys have defaults")
        }
        Need::WorkedOut(_) | Need::Optional(_) => None,
    }
}

/// Reports a key that is required, unless it was misspelt or is lost in a syntax error.
fn missing(reader: &mut Reader<'_, '_>, key: &'static Key, why: &'static str, table: &Table) {
    if !reader.complete || table.misspelt.contains(&key.name) {
        return;
    }
    let what = match key.kind {
        Kind::Named(named) => format!("no {}", named.plural()),
        _ => format!("`{}` is missing", key.name),
    };
    debug_assert!(!is_note(key), "a note is never required");
    let problem = Problem::new(what).key(table.path(key)).because(why).allowed([key.kind.describe()]);
    reader.problems.add(table.at, problem);
}

/// A default of the language as if it had been written.
pub fn default_node(kind: Kind, text: &str) -> Node {
    let value = match kind {
        Kind::Count(..) => Written::Integer(text.parse().ok()),
        Kind::Number(..) => Written::Float(text.parse().unwrap_or(f64::NAN)),
        Kind::Counts(..) => {
            let numbers = text.split(|c: char| !c.is_ascii_digit()).filter(|number| !number.is_empty());
            let item = |number: &str| Node { value: Written::Integer(number.parse().ok()), at: At::Nowhere };
            Written::List(numbers.map(item).collect())
        }
        _ => Written::Text(text.into()),
    };
    Node { value, at: At::Nowhere }
}

/// A value that could not be read.
pub fn unusable(reader: &mut Reader<'_, '_>, at: At, problem: Problem) -> Value {
    reader.problems.add(at, problem);
    Value::Unusable
}
