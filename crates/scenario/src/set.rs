//! Overrides from the command line, `volume.*.gap="0.1 ms"`, put into what was written before it is checked.

use crate::language::{self, CONSTANT, Key, Kind, NAME, NOTES, OF_CLASS, is_note};
use crate::machines;
use crate::numbered;
use crate::pattern::{Pattern, is_pattern};
use crate::problems::Problems;
use crate::screens;
use crate::text::{At, clip};
use crate::written::{self, Entries, Entry, Node, Written};
use units::Problem;

/// The form of an override, for messages.
const SHAPE: &str =
    "table.name.key=value: alias_pool.POOL.aliases=8, volume.*.gap=\"0.1 ms\", measure.interval=\"1 min\"";

/// Puts every override into the scenario.
pub fn apply(scenario: &mut Entries, problems: &mut Problems<'_>) {
    // Values of a shipped machine can be set too, and go when another machine is set.
    machines::describe(scenario, problems.text());
    for index in 0..problems.text().set.len() {
        set(scenario, index, problems);
    }
}

/// Puts the override of this index into the scenario.
pub fn set(scenario: &mut Entries, index: usize, problems: &mut Problems<'_>) {
    let Some((path, value)) = split(&problems.text().set[index]) else {
        let problem = Problem::new("no `=` between a key and a value").allowed([SHAPE]);
        problems.add(At::Set(index), problem);
        return;
    };
    change(scenario, Override { at: At::Set(index), path, value: Some(value), problems });
}

/// Takes the key away that the override of this index names; nothing where it is absent.
pub fn remove(scenario: &mut Entries, index: usize, problems: &mut Problems<'_>) {
    let path = problems.text().set[index].trim();
    change(scenario, Override { at: At::Set(index), path, value: None, problems });
}

fn change(scenario: &mut Entries, mut change: Override<'_, '_, '_>) {
    change.in_table(&language::ROOT, scenario, change.path);
    machines::describe(scenario, change.problems.text());
}

/// The path and the value around the first `=` that is not within quotes.
fn split(text: &str) -> Option<(&str, &str)> {
    let mut quoted = false;
    let at = text.find(|c| {
        quoted ^= c == '"';
        c == '=' && !quoted
    })?;
    Some((text[..at].trim(), text[at + 1..].trim()))
}

struct Override<'o, 'r, 'a> {
    at: At,
    path: &'o str,
    /// None takes the key away.
    value: Option<&'o str>,
    problems: &'r mut Problems<'a>,
}

impl Override<'_, '_, '_> {
    /// Goes on in a table; false when the path leads nowhere.
    fn in_table(&mut self, spec: &'static language::Table, entries: &mut Entries, rest: &str) -> bool {
        let (name, rest) = key_part(spec, rest);
        let Some(key) = spec.key(name).or_else(|| screens::key(spec, name)) else { return self.unknown(spec, name) };
        let Some(value) = self.value else { return self.without(key, entries, rest) };
        match (key.kind, rest) {
            (Kind::Named(inner), Some(rest)) => self.in_named(key, inner, entries, rest),
            (Kind::Steps(inner) | Kind::Numbered(inner) | Kind::Alternatives(inner), Some(rest)) => {
                self.in_numbered(key, inner, entries, rest)
            }
            (Kind::Table(inner) | Kind::Distribution(inner) | Kind::TextOr(inner), Some(rest)) => {
                prefer(spec, key, entries);
                let table = self.table_of(key, entries);
                self.in_table(inner, table, rest)
            }
            (Kind::Weights(_), Some(rest)) => {
                prefer(spec, key, entries);
                let node = self.node(Kind::Number(0.0, 0.0), value);
                let name = rest.trim_matches('"').to_string();
                self.put(&name, node, key, entries);
                true
            }
            (kind @ Kind::Named(_), None) => match self.node(kind, value) {
                tables @ Node { value: Written::List(_), .. } => {
                    replace(entries, key.name, tables);
                    true
                }
                _ => self.fail(
                    format!("`{}` is a list of tables", key.name),
                    [format!(
                        "{0}.NAME.key=value, {0}.*.key=value, or all of them: {0}=[{{ name = \"A\" }}]",
                        key.name
                    )],
                ),
            },
            (Kind::Numbered(_), None) => self.fail(
                format!("`{}` is a list of tables", key.name),
                [format!("{0}.1.key=value or {0}.*.key=value", key.name)],
            ),
            (_, Some(rest)) => self.fail(format!("`{}` has nothing in it called `{}`", key.name, clip(rest)), []),
            (kind, None) => {
                prefer(spec, key, entries);
                let node = self.node(kind, value);
                replace(entries, key.name, node);
                true
            }
        }
    }

    /// Takes a key away, or goes on in what is there.
    fn without(&mut self, key: &'static Key, entries: &mut Entries, rest: Option<&str>) -> bool {
        let Some(rest) = rest else {
            entries.0.retain(|entry| entry.key != key.name);
            return true;
        };
        match (key.kind, entries.get_mut(key.name).map(|entry| &mut entry.node.value)) {
            (_, None) => true,
            (Kind::Named(inner), _) => self.in_named(key, inner, entries, rest),
            (Kind::Steps(inner) | Kind::Numbered(inner) | Kind::Alternatives(inner), _) => {
                self.in_numbered(key, inner, entries, rest)
            }
            (Kind::Table(inner) | Kind::Distribution(inner) | Kind::TextOr(inner), Some(Written::Table(table))) => {
                self.in_table(inner, table, rest)
            }
            (Kind::Weights(_), Some(Written::Table(weights))) => {
                weights.0.retain(|entry| entry.key != rest.trim_matches('"'));
                true
            }
            _ => self.fail(format!("`{}` has nothing in it called `{}`", key.name, clip(rest)), []),
        }
    }

    fn in_named(&mut self, key: &Key, spec: &'static language::Table, entries: &mut Entries, rest: &str) -> bool {
        let names: Vec<String> = tables_of(entries, key.name).iter().flat_map(|table| names_of(table)).collect();
        let names = || names.iter().map(String::as_str);
        let (wanted, rest) = named_part(names(), rest);
        let Some(rest) = rest else {
            return self.fail(format!("`{}` names a table", clip(self.path)), [SHAPE.to_string()]);
        };
        // A whole numbered table is meant by its own name, as it is written.
        let exact = names().any(|name| name == wanted);
        if let Some(class) = wanted.strip_prefix('@').filter(|_| !exact && spec.has(&OF_CLASS)) {
            return self.in_class((key, spec, class), entries, rest);
        }
        let pattern = match Pattern::read(wanted, None) {
            Ok(pattern) => Some(pattern),
            Err(_) if exact => None,
            Err(problem) => {
                self.problems.add(self.at, problem.key(clip(self.path)));
                return false;
            }
        };
        let means = |name: &str| if exact { name == wanted } else { pattern.as_ref().is_some_and(|p| p.matches(name)) };
        if wanted != "*" && !names().any(means) {
            let nearest = self.problems.nearest(wanted, names());
            let verb = if is_pattern(wanted) { "matches" } else { "is called" };
            let what = format!("no {} {verb} `{}`", key.name.replace('_', " "), clip(wanted));
            let problem = Problem::new(what).nearest(nearest).allowed(names().take(8).chain(["*"]));
            self.problems.add(self.at, problem.key(clip(self.path)));
            return false;
        }
        if let Some(Written::List(items)) = entries.get_mut(key.name).map(|entry| &mut entry.node.value) {
            numbered::split(items, key, &means);
        }
        let mut tables = tables_of(entries, key.name);
        if tables.is_empty() {
            return self.fail(format!("the scenario has no {}s", key.name.replace('_', " ")), []);
        }
        let mut chosen =
            tables.iter_mut().filter(|table| wanted == "*" || names_of(table).iter().any(|name| means(name)));
        chosen.all(|table| self.in_table(spec, table, rest))
    }

    /// All tables of a class of business, which may be anything until it is checked.
    fn in_class(
        &mut self,
        (key, spec, class): (&Key, &'static language::Table, &str),
        entries: &mut Entries,
        rest: &str,
    ) -> bool {
        let mut tables = tables_of(entries, key.name);
        let classes: Vec<String> =
            tables.iter().filter_map(|table| text_of(table, &OF_CLASS)).map(String::from).collect();
        if !classes.iter().any(|own| own == class) {
            let names = || classes.iter().map(String::as_str);
            let nearest = self.problems.nearest(class, names()).map(|name| format!("@{name}"));
            let known: std::collections::BTreeSet<String> = names().map(|name| format!("@{name}")).collect();
            let problem = Problem::new(format!("no {} is of class `{}`", key.name.replace('_', " "), clip(class)));
            self.problems
                .add(self.at, problem.nearest(nearest).allowed(known.into_iter().take(8)).key(clip(self.path)));
            return false;
        }
        let mut chosen = tables.iter_mut().filter(|table| text_of(table, &OF_CLASS) == Some(class));
        chosen.all(|table| self.in_table(spec, table, rest))
    }

    /// Steps and changes have no names but numbers, from one; `*` means every one that has the key.
    fn in_numbered(&mut self, key: &Key, spec: &'static language::Table, entries: &mut Entries, rest: &str) -> bool {
        let mut tables = tables_of(entries, key.name);
        let count = tables.len();
        let (wanted, rest) = first_part(rest);
        let Some(rest) = rest else {
            return self.fail(format!("`{}` names {}", clip(self.path), spec.noun()), [SHAPE.to_string()]);
        };
        if count == 0 {
            return self.fail(format!("there are no {}", spec.plural()), []);
        }
        if wanted == "*" {
            let (name, _) = first_part(rest);
            if spec.key(name).is_none() {
                return self.unknown(spec, name);
            }
            let mut having = tables.iter_mut().filter(|table| table.get(name).is_some()).peekable();
            if having.peek().is_none() {
                return self.fail(format!("no {} has `{name}`", spec.name), []);
            }
            return having.all(|table| self.in_table(spec, table, rest));
        }
        match wanted.parse::<usize>().ok().and_then(|number| tables.get_mut(number.checked_sub(1)?)) {
            Some(table) => self.in_table(spec, table, rest),
            None => {
                self.fail(format!("no {} `{}`", spec.name, clip(wanted)), [format!("1 to {count}"), "*".to_string()])
            }
        }
    }

    fn unknown(&mut self, spec: &'static language::Table, name: &str) -> bool {
        let names = spec.all_keys().map(|key| key.name);
        let nearest = self.problems.nearest(name, names.clone());
        let problem = Problem::new(format!("unknown key `{}`", clip(name)))
            .key(clip(self.path))
            .because(format!("{} has no such key", spec.noun()))
            .allowed(names)
            .nearest(nearest);
        self.problems.add(self.at, problem);
        false
    }

    fn fail<const N: usize>(&mut self, what: String, allowed: [String; N]) -> bool {
        self.problems.add(self.at, Problem::new(what).key(clip(self.path)).allowed(allowed));
        false
    }

    /// The value as TOML; a bare word, or what a text key holds, as text.
    fn node(&self, kind: Kind, value: &str) -> Node {
        let text = || Node { value: Written::Text(value.to_string()), at: self.at };
        match written::value(value, self.at) {
            Some(node) if kind.is_text() && !matches!(node.value, Written::Text(_)) => text(),
            Some(node) => node,
            None => text(),
        }
    }

    /// The table at a key; a span there becomes a constant distribution.
    fn table_of<'e>(&self, key: &Key, entries: &'e mut Entries) -> &'e mut Entries {
        let at = self.at;
        if entries.get(key.name).is_none() {
            replace(entries, key.name, Node { value: Written::Table(Entries::default()), at });
        }
        let entry = entries.get_mut(key.name).expect("it was there or was put there");
        if !matches!(entry.node.value, Written::Table(_)) {
            let mut table = Entries::default();
            if let (Kind::Distribution(_), Written::Text(_)) = (key.kind, &entry.node.value) {
                replace(&mut table, CONSTANT.name, entry.node.clone());
            }
            entry.node = Node { value: Written::Table(table), at: entry.node.at };
        }
        match &mut entry.node.value {
            Written::Table(table) => table,
            _ => unreachable!("it was made a table"),
        }
    }

    /// Puts a value into a table of names.
    fn put(&mut self, name: &str, node: Node, key: &Key, entries: &mut Entries) {
        let table = self.table_of(key, entries);
        replace(table, name, node);
    }
}

/// Takes away the keys that a key excludes, and those that went with them.
fn prefer(spec: &'static language::Table, key: &'static Key, entries: &mut Entries) {
    let chosen = |other: &Key| std::ptr::eq(other, key);
    if is_note(key) {
        entries.0.retain(|entry| !NOTES.iter().any(|note| note.name == entry.key));
    }
    let Some(choice) = spec.choices.iter().find(|choice| choice.keys.iter().any(|other| chosen(other))) else { return };
    let excluded = |other: &Key| {
        let rival = choice.keys.iter().any(|rival| std::ptr::eq(*rival, other)) && !chosen(other);
        let widow = choice.keys.iter().any(|rival| other.beside.contains(&rival.name));
        rival || widow && !other.beside.contains(&key.name)
    };
    entries.0.retain(|entry| !spec.keys.iter().any(|other| other.name == entry.key && excluded(other)));
}

fn replace(entries: &mut Entries, name: &str, node: Node) {
    match entries.get_mut(name) {
        Some(entry) => entry.node = node,
        None => entries.0.push(Entry { key: name.to_string(), at: node.at, node }),
    }
}

fn tables_of<'e>(entries: &'e mut Entries, name: &str) -> Vec<&'e mut Entries> {
    let Some(Entry { node: Node { value: Written::List(items), .. }, .. }) = entries.get_mut(name) else {
        return Vec::new();
    };
    let tables = items.iter_mut().filter_map(|item| match &mut item.value {
        Written::Table(table) => Some(table),
        _ => None,
    });
    tables.collect()
}

fn name_of(table: &Entries) -> &str {
    text_of(table, &NAME).unwrap_or_default()
}

fn text_of<'t>(table: &'t Entries, key: &Key) -> Option<&'t str> {
    match table.get(key.name).map(|entry| &entry.node.value) {
        Some(Written::Text(text)) => Some(text),
        _ => None,
    }
}

/// Its name, and the names that this counts up.
fn names_of(table: &Entries) -> Vec<String> {
    std::iter::once(name_of(table).to_string()).chain(numbered::names(table)).collect()
}

/// The name that a path begins with, which may have points in it, and what follows; the first part where none is known.
pub fn named_part<'n, 'p>(names: impl Iterator<Item = &'n str>, path: &'p str) -> (&'p str, Option<&'p str>) {
    match names.filter(|name| begins_with(path, name)).map(str::len).max() {
        Some(length) => (&path[..length], path[length..].strip_prefix('.')),
        None if path.starts_with('"') => first_part(path),
        None => pattern_part(path),
    }
}

/// The first part of a path, in which a pattern may have points between its brackets.
fn pattern_part(path: &str) -> (&str, Option<&str>) {
    let bracket = path.find('[').filter(|at| path.find('.').is_none_or(|point| *at < point));
    let end = bracket.and_then(|at| path[at..].find(']').map(|end| at + end)).unwrap_or(0);
    match path[end..].split_once('.') {
        Some((part, rest)) => (&path[..end + part.len()], Some(rest)),
        None => (path, None),
    }
}

fn begins_with(path: &str, name: &str) -> bool {
    !name.is_empty() && path.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
}

/// The same where a key of this table is meant, whose name may have points in it.
pub fn key_part<'p>(spec: &'static language::Table, path: &'p str) -> (&'p str, Option<&'p str>) {
    let pointed = spec.keys.iter().map(|key| key.name).filter(|name| name.contains('.') && begins_with(path, name));
    match pointed.max_by_key(|name| name.len()) {
        Some(name) => (&path[..name.len()], path[name.len()..].strip_prefix('.')),
        None => first_part(path),
    }
}

/// The first part of a path, in quotes or up to a point, and what follows the point.
pub fn first_part(path: &str) -> (&str, Option<&str>) {
    if let Some((name, rest)) = path.strip_prefix('"').and_then(|rest| rest.split_once('"')) {
        return (name, rest.strip_prefix('.'));
    }
    match path.split_once('.') {
        Some((part, rest)) => (part, Some(rest)),
        None => (path, None),
    }
}
