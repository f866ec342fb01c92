//! Names: no two of a kind alike, nor a volume and a minidisk, and every reference to one that exists.

use super::population::needs_volumes;
use crate::language::{
    self, ALIAS_POOLS, CGROUPS, CHANNELS, CLASSES, CONTROL_UNITS, ENQUEUES, FRONT_ENDS, GUESTS, Key, Kind, LPAR_GROUPS,
    MINIDISK, MINIDISKS, NAME, NETWORKS, Need, OWN_EXITS, PAGINGS, PARTITIONS, RESOURCES, SERIALIZED, SPIN_LOCKS,
    TARGETS, THREAD_LOCKS, VIRTUAL_MACHINES, VOLUME, VOLUMES, plurals,
};
use crate::pattern::{Pattern, is_pattern};
use crate::problems::Problems;
use crate::resolved::{Reference, Table, Value, Weight};
use crate::text::{At, clip};
use machine::plan::Target;
use std::collections::{BTreeMap, BTreeSet};
use units::Problem;

/// The tables with names.
const NAMED: [&Key; 18] = [
    &LPAR_GROUPS,
    &PARTITIONS,
    &CGROUPS,
    &VIRTUAL_MACHINES,
    &SPIN_LOCKS,
    &THREAD_LOCKS,
    &NETWORKS,
    &CHANNELS,
    &CONTROL_UNITS,
    &ALIAS_POOLS,
    &VOLUMES,
    &MINIDISKS,
    &RESOURCES,
    &ENQUEUES,
    &FRONT_ENDS,
    &CLASSES,
    &GUESTS,
    &PAGINGS,
];

/// Where each name is in the list of its kind.
#[derive(Debug, Default)]
pub struct Names {
    indices: BTreeMap<&'static str, BTreeMap<String, usize>>,
    /// Kinds of which some names are not known, because they could not be read.
    partial: BTreeSet<&'static str>,
}

impl Names {
    /// The names of a scenario; the first of two alike counts.
    pub fn of(root: &Table, problems: &mut Problems<'_>) -> Names {
        let mut names = Names::default();
        for key in NAMED {
            names.collect(key, root.tables(key), problems);
            let needed = matches!(key.need, Need::Required(_)) || std::ptr::eq(key, &VOLUMES) && needs_volumes(root);
            let required = needed && root.tables(key).is_empty();
            let unread = matches!(root.value(key), Some(Value::Unusable)) || root.misspelt.contains(&key.name);
            if required || unread || root.tables(key).iter().any(|table| table.text(&NAME).is_none()) {
                names.partial.insert(key.name);
            }
        }
        names.share(root.tables(&MINIDISKS), problems);
        names.collect_exits(root, problems);
        names
    }

    /// Exits stand within the service.
    fn collect_exits(&mut self, root: &Table, problems: &mut Problems<'_>) {
        let own = root.table(&SERIALIZED);
        let exits = own.map_or(&[][..], |own| own.tables(&OWN_EXITS));
        self.collect(&OWN_EXITS, exits, problems);
        let unread = own.is_some_and(|own| {
            matches!(own.value(&OWN_EXITS), Some(Value::Unusable)) || own.misspelt.contains(&OWN_EXITS.name)
        });
        if unread || root.misspelt.contains(&SERIALIZED.name) || exits.iter().any(|exit| exit.text(&NAME).is_none()) {
            self.partial.insert(OWN_EXITS.name);
        }
    }

    /// Volumes and minidisks share one set of names, so that a list of both says which is meant.
    fn share(&self, minidisks: &[Table], problems: &mut Problems<'_>) {
        for (index, minidisk) in minidisks.iter().enumerate() {
            let Some(name) = minidisk.text(&NAME) else { continue };
            if let Some(volume) = self.index(&VOLUME, name) {
                let problem = Problem::new(format!("a minidisk called `{name}` like a volume"))
                    .key(format!("minidisk[{}].name", index + 1))
                    .because(format!("volume number {} has that name, and an I/O must say where it goes", volume + 1));
                problems.add(minidisk.at(&NAME), problem);
            }
        }
    }

    fn collect(&mut self, kind: &Key, tables: &[Table], problems: &mut Problems<'_>) {
        let known = self.indices.entry(kind.name).or_default();
        for (index, table) in tables.iter().enumerate() {
            let Some(name) = table.text(&NAME) else { continue };
            if let Some(first) = known.get(name) {
                let problem = Problem::new(format!("a second {} called `{name}`", kind.name))
                    .key(format!("{}[{}].name", kind.name, index + 1))
                    .because(format!("number {} has that name, and a name must say which is meant", first + 1));
                problems.add(table.at(&NAME), problem);
            } else {
                known.insert(name.to_string(), index);
            }
        }
    }

    /// Which of its kind a name means.
    pub fn index(&self, kind: &language::Table, name: &str) -> Option<usize> {
        self.indices.get(kind.name)?.get(name).copied()
    }

    /// Which volume or minidisk a name means.
    pub fn target(&self, name: &str) -> Option<Target> {
        let volume = self.index(&VOLUME, name).map(Target::Volume);
        volume.or_else(|| self.index(&MINIDISK, name).map(Target::Minidisk))
    }

    /// The names of a kind.
    fn all(&self, kind: &language::Table) -> impl Iterator<Item = &str> {
        self.indices.get(kind.name).into_iter().flat_map(|names| names.keys().map(String::as_str))
    }
}

/// The most names that patterns mean in all.
const MOST_MEANT: usize = 1_000_000;

/// Writes the names that patterns mean in their place, in the order of the scenario.
pub fn write_out(root: &mut Table, names: &Names, problems: &mut Problems<'_>) {
    let mut room = MOST_MEANT;
    names.write_out(root, &mut room, problems);
}

impl Names {
    fn write_out(&self, table: &mut Table, room: &mut usize, problems: &mut Problems<'_>) {
        let prefix = table.prefix.clone();
        for entry in &mut table.entries {
            let path = format!("{prefix}{}", entry.key.name);
            match (entry.key.kind, &mut entry.value) {
                (Kind::Refers(kinds), Value::Texts(texts)) if texts.iter().any(|text| is_pattern(&text.name)) => {
                    let meant = texts.drain(..).flat_map(|text| {
                        let names = self.meant(kinds, (&text.name, text.at), &path, (room, problems));
                        names.into_iter().map(move |name| Reference { name, at: text.at })
                    });
                    let meant: Vec<Reference> = meant.collect();
                    *texts = once(meant, |reference| (&reference.name, reference.at), &path, problems);
                }
                (Kind::Weights(kinds), Value::Weights(weights)) if weights.iter().any(|own| is_pattern(&own.name)) => {
                    let meant = weights.drain(..).flat_map(|own| {
                        let names = self.meant(kinds, (&own.name, own.at), &path, (room, problems));
                        names.into_iter().map(move |name| Weight { name, ..own.clone() })
                    });
                    let meant: Vec<Weight> = meant.collect();
                    *weights = once(meant, |weight| (&weight.name, weight.at), &path, problems);
                }
                (_, Value::Table(table)) => self.write_out(table, room, problems),
                (_, Value::Tables(tables)) => tables.iter_mut().for_each(|table| self.write_out(table, room, problems)),
                _ => {}
            }
        }
    }

    /// The names of these kinds that a text means, if it is a pattern; else the text.
    fn meant(
        &self,
        kinds: &[&language::Table],
        (text, at): (&str, At),
        path: &str,
        (room, problems): (&mut usize, &mut Problems<'_>),
    ) -> Vec<String> {
        if !is_pattern(text) {
            return vec![text.to_string()];
        }
        let pattern = match Pattern::read(text, None) {
            Ok(pattern) => pattern,
            Err(problem) => {
                problems.add(at, problem.key(path));
                return Vec::new();
            }
        };
        let of_kind = |kind: &&language::Table| {
            let mut found: Vec<(usize, &String)> =
                self.indices.get(kind.name).into_iter().flatten().map(|(name, at)| (*at, name)).collect();
            found.sort_unstable();
            found
                .into_iter()
                .map(|(_, name)| name.clone())
                .filter(|name| pattern.matches(name))
                .collect::<Vec<String>>()
        };
        let found: Vec<String> = kinds.iter().flat_map(of_kind).collect();
        let (nouns, key) = (plurals(kinds, " or "), path);
        if found.is_empty() && !kinds.iter().any(|kind| self.partial.contains(kind.name)) {
            let all = || kinds.iter().flat_map(|kind| self.all(kind));
            let problem = Problem::new(format!("no {nouns} match `{}`", clip(text))).key(key);
            let nearest = problems.nearest(text, all());
            problems.add(at, problem.allowed(all().take(8)).nearest(nearest));
        }
        if found.len() > *room {
            let problem = Problem::new(format!("patterns mean more than {MOST_MEANT} {nouns}")).key(key);
            problems.add(at, problem.because("more do not fit the memory that a run is promised to stay within"));
            return Vec::new();
        }
        *room -= found.len();
        found
    }
}

/// Each name once; one that patterns and names mean twice is a problem.
fn once<T>(meant: Vec<T>, name: impl Fn(&T) -> (&String, At), path: &str, problems: &mut Problems<'_>) -> Vec<T> {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for item in meant {
        let (own, at) = name(&item);
        if seen.insert(own.clone()) {
            kept.push(item);
        } else {
            let problem = Problem::new(format!("`{own}` twice")).key(path);
            problems.add(at, problem.because("a pattern means it too, and each has one place in the list"));
        }
    }
    kept
}

/// Checks every reference in a table and below.
pub fn references(table: &Table, names: &Names, problems: &mut Problems<'_>) {
    for entry in &table.entries {
        let mut check = |kinds: &[&language::Table], name: &str, at| {
            dangling(kinds, (name, at), &table.path(entry.key), names, problems);
        };
        match (entry.key.kind, &entry.value) {
            (Kind::Refer(kind), Value::Text(name)) => check(&[kind], name, entry.at),
            (Kind::Refers(kinds), Value::Texts(texts)) => {
                texts.iter().for_each(|reference| check(kinds, &reference.name, reference.at));
            }
            (Kind::Weights(kinds), Value::Weights(weights)) => {
                weights.iter().for_each(|weight| check(kinds, &weight.name, weight.at));
            }
            (_, Value::Table(table)) => references(table, names, problems),
            (_, Value::Tables(tables)) => tables.iter().for_each(|table| references(table, names, problems)),
            _ => {}
        }
    }
}

fn dangling(kinds: &[&language::Table], (name, at): (&str, At), key: &str, names: &Names, problems: &mut Problems<'_>) {
    let known = |kind: &&language::Table| names.index(kind, name).is_some();
    if kinds.iter().any(|kind| known(kind) || names.partial.contains(kind.name)) {
        return;
    }
    let all = || kinds.iter().flat_map(|kind| names.all(kind));
    let nouns = plurals(kinds, " or ");
    let count = all().count();
    let mut allowed: Vec<String> = all().take(8).map(str::to_string).collect();
    if count > 8 {
        allowed.push(format!("{} more", count - 8));
    }
    let other = TARGETS.iter().find(|kind| TARGETS.iter().any(|target| std::ptr::eq(*target, kinds[0])) && known(kind));
    let why = match other {
        Some(kind) => format!("{} has that name", kind.noun()),
        None if count == 0 => format!("the scenario has no {nouns}"),
        None => String::new(),
    };
    let singular: Vec<String> = kinds.iter().map(|kind| kind.name.replace('_', " ")).collect();
    let problem = Problem::new(format!("no {} is called `{}`", singular.join(" or "), clip(name)))
        .key(key)
        .because(why)
        .allowed(allowed)
        .nearest(problems.nearest(name, all()));
    problems.add(at, problem);
}
