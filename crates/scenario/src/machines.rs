//! The machines that ship with slicewright: their cores and caches, put beside the `cec.machine` that names one.

use crate::language::{BEYOND, CACHES, CEC, LAID_OUT, MACHINE, NAME, NEST, NEST_COST, SHIPPED};
use crate::mark;
use crate::text::{At, Text};
use crate::written::{self, Entries, Entry, Node, Written};

static DESCRIPTIONS: [&str; SHIPPED.len()] = [
    include_str!("../machines/z990.toml"),
    include_str!("../machines/z9.toml"),
    include_str!("../machines/z10.toml"),
    include_str!("../machines/z196.toml"),
    include_str!("../machines/zec12.toml"),
    include_str!("../machines/z13.toml"),
    include_str!("../machines/z14.toml"),
    include_str!("../machines/z15.toml"),
    include_str!("../machines/z16.toml"),
    include_str!("../machines/z17.toml"),
    include_str!("../machines/generic.toml"),
];

/// How much slower work is beyond the innermost caches, unless they are the outermost, and beyond the next.
const INNER: [f64; 2] = [1.3, 2.5];
/// How much slower work is beyond the outermost caches, where only memory is.
const OUTERMOST: f64 = 4.0;

/// The slowdown beyond a cache with this nest weight, at this cost of a unit.
pub fn beyond_nest(nest: f64, cost: f64) -> f64 {
    1.0 + nest * cost
}

/// The assumed slowdown beyond the cache of this number, counted from zero, with this many levels.
pub fn beyond(number: usize, levels: usize) -> f64 {
    if number + 1 >= levels { OUTERMOST } else { INNER[number.min(INNER.len() - 1)] }
}

/// What a shipped machine rests on: the first line of its description.
pub fn why(machine: usize) -> &'static str {
    DESCRIPTIONS[machine].lines().next().unwrap_or_default().trim_start_matches("# ")
}

/// The source of a value of a shipped machine: the comment on its line, or what the whole machine rests on.
pub fn source(machine: usize, end: usize) -> &'static str {
    let line = DESCRIPTIONS[machine].get(end..).and_then(|rest| rest.lines().next()).unwrap_or_default();
    line.split_once('#').map_or_else(|| why(machine), |(_, comment)| comment.trim())
}

/// The written part of a shipped machine's topology.
pub fn description(name: &str) -> Option<Entries> {
    let machine = SHIPPED.iter().position(|shipped| *shipped == name)?;
    let text = Text::of(DESCRIPTIONS[machine].as_bytes(), name, &[]).expect("a description is text");
    let (entries, mistakes) = written::read(&text);
    assert!(mistakes.is_empty(), "the description of {name} is TOML");
    Some(written::moved_entries(entries, &|at| match at {
        At::File(_, end) => At::Shipped(machine, end),
        At::Set(_) | At::Shipped(..) | At::Nowhere => at,
    }))
}

/// The caches of a described machine.
pub fn caches(description: &Entries) -> &[Node] {
    match description.get(CACHES.name).map(|entry| &entry.node.value) {
        Some(Written::List(caches)) => caches,
        _ => &[],
    }
}

/// The one of these tables that has this name.
pub fn called<'n>(tables: &'n [Node], name: &str) -> Option<&'n Entries> {
    tables.iter().find(|table| name_of(table) == Some(name)).and_then(entries)
}

/// Completes a scenario's topology from its machine, in place of values from another machine.
pub fn describe(scenario: &mut Entries, text: &Text<'_>) {
    let cec = scenario.get(CEC.name).map(|entry| &entry.node);
    let machine = cec.and_then(entries).and_then(|cec| cec.get(MACHINE.name)).map(|entry| &entry.node.value);
    let Some(Written::Text(name)) = machine else { return };
    let Some(described) = description(name) else { return };
    if scenario.get(LAID_OUT.name).is_none() {
        let at = described.0.first().map_or(At::Nowhere, |entry| entry.at);
        let node = Node { value: Written::Table(Entries::default()), at };
        scenario.0.push(Entry { key: LAID_OUT.name.into(), at, node });
    }
    let topology = scenario.get_mut(LAID_OUT.name).map(|entry| &mut entry.node.value);
    let Some(Written::Table(topology)) = topology else { return };
    forget(topology, text);
    let caches = caches(&described).to_vec();
    for entry in described.0 {
        if topology.get(&entry.key).is_none() {
            topology.0.push(entry);
        }
    }
    if let Some(Written::List(written)) = topology.get_mut(CACHES.name).map(|entry| &mut entry.node.value) {
        complete(written, caches);
    }
}

/// Gives the caches that are written what is described of them, in the order in which they are described.
fn complete(written: &mut Vec<Node>, described: Vec<Node>) {
    let mut completed = Vec::new();
    for mut cache in described {
        let own = written.iter().position(|node| name_of(node).is_some() && name_of(node) == name_of(&cache));
        if let Some(mut own) = own.map(|own| written.remove(own)) {
            if let (Written::Table(own), Written::Table(cache)) = (&mut own.value, &mut cache.value) {
                let missing = |entry: &Entry| own.get(&entry.key).is_none();
                let missing: Vec<Entry> = cache.0.drain(..).filter(missing).collect();
                own.0.extend(missing);
            }
            cache = own;
        }
        completed.push(cache);
    }
    completed.append(written);
    *written = completed;
}

/// Removes the values of a shipped machine; changed values stay.
fn forget(topology: &mut Entries, text: &Text<'_>) {
    let cost = topology.get(NEST_COST.name).and_then(|entry| number(&entry.node));
    topology.0.retain(|entry| stale(entry, text, |described| described.get(&entry.key)).is_none());
    let Some(Written::List(caches)) = topology.get_mut(CACHES.name).map(|entry| &mut entry.node.value) else { return };
    for cache in caches.iter_mut() {
        let name = name_of(cache).unwrap_or_default().to_string();
        let Written::Table(cache) = &mut cache.value else { continue };
        let nest = cache.get(NEST.name).and_then(|entry| number(&entry.node));
        let worked_out = nest.zip(cost).map(|(nest, cost)| beyond_nest(nest, cost));
        let mut kept = Entries::default();
        let mut own_name = None;
        for entry in std::mem::take(&mut cache.0) {
            match stale(&entry, text, |described| called(self::caches(described), &name)?.get(&entry.key)) {
                Some(at) if entry.key == NAME.name => {
                    let node = Node { at, ..entry.node };
                    own_name = Some(Entry { node, ..entry });
                }
                Some(_) => {}
                None if is_usual(&entry, worked_out, text) => {}
                None => kept.0.push(entry),
            }
        }
        if !kept.0.is_empty() {
            // A change is of the cache of this name.
            kept.0.extend(own_name);
        }
        *cache = kept;
    }
    caches.retain(|cache| entries(cache).is_none_or(|cache| !cache.0.is_empty()));
    if caches.is_empty() {
        topology.0.retain(|entry| entry.key != CACHES.name);
    }
}

/// The place in a shipped machine of a value that is not in the file: it was put there, or was written out with its
/// mark.
fn stale(entry: &Entry, text: &Text<'_>, of: impl Fn(&Entries) -> Option<&Entry>) -> Option<At> {
    match entry.node.at {
        At::Shipped(..) if matches!(entry.node.value, Written::List(_)) => return None,
        At::Shipped(..) => return Some(entry.node.at),
        At::File(..) | At::Set(_) | At::Nowhere => {}
    }
    let why = mark::reason(text.comment(entry.node.at))?;
    SHIPPED.iter().find_map(|name| {
        let described = description(name)?;
        let said = &of(&described)?.node;
        let same = match (&said.value, &entry.node.value) {
            (Written::Text(said), Written::Text(written)) => said == written,
            (Written::Integer(said), Written::Integer(written)) => said == written,
            (Written::Float(said), Written::Float(written)) => said == written,
            _ => false,
        };
        let At::Shipped(machine, end) = said.at else { return None };
        (same && source(machine, end) == why).then_some(said.at)
    })
}

/// A number that is written with or without a point.
fn number(node: &Node) -> Option<f64> {
    match node.value {
        Written::Float(number) => Some(number),
        Written::Integer(Some(number)) => Some(number as f64),
        _ => None,
    }
}

/// Whether a value is one that is assumed or worked out beyond some cache, and was written out as that.
fn is_usual(entry: &Entry, worked_out: Option<f64>, text: &Text<'_>) -> bool {
    let usual = |number| number == OUTERMOST || INNER.contains(&number) || worked_out == Some(number);
    let assumed = number(&entry.node).is_some_and(usual);
    entry.key == BEYOND.name && assumed && mark::reason(text.comment(entry.node.at)).is_some()
}

fn entries(node: &Node) -> Option<&Entries> {
    match &node.value {
        Written::Table(entries) => Some(entries),
        _ => None,
    }
}

/// The name of a table.
pub fn name_of(cache: &Node) -> Option<&str> {
    match &entries(cache)?.get(NAME.name)?.node.value {
        Written::Text(name) => Some(name),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_shipped_machine_says_what_it_rests_on() {
        for (machine, name) in SHIPPED.iter().enumerate() {
            assert!(why(machine).starts_with(&format!("{name}: ")), "{name}: {}", why(machine));
            assert!(!caches(&description(name).unwrap()).is_empty(), "{name}");
        }
    }
}
