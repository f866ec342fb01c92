//! Tables whose name counts up, `BWP[S0..S7]`: as many tables, with names and device numbers that count on.

use crate::check;
use crate::language::{CHANNELS, COUNTED, DEVICE, FIRST_ALIAS, GUESTS, Key, Kind, NAME, ONE, ONE_MINIDISK, VOLUMES};
use crate::pattern::{MOST, Pattern, is_pattern};
use crate::problems::Problems;
use crate::text::{At, clip};
use crate::written::{Entries, Node, Written};
use std::borrow::Cow;
use units::Problem;

/// The tables that may be numbered.
const NUMBERED: [&Key; 3] = [&CHANNELS, &VOLUMES, &GUESTS];
/// The most keys, items and bytes of text that are written out: far more than 10,000 volumes need.
const LARGEST: usize = 32 << 20;

/// The scenario with every numbered table written out.
pub fn expanded<'w>(scenario: &'w Entries, problems: &mut Problems<'_>) -> Cow<'w, Entries> {
    let any = |key: &Key| match scenario.get(key.name).map(|entry| &entry.node.value) {
        Some(Written::List(items)) => items.iter().any(|item| table(item).is_some_and(|table| is_numbered(table, key))),
        _ => false,
    };
    if !NUMBERED.into_iter().any(any) {
        return Cow::Borrowed(scenario);
    }
    problems.say_once();
    let mut expanded = scenario.clone();
    let mut room = LARGEST;
    for key in NUMBERED {
        let Some(Written::List(items)) = expanded.get_mut(key.name).map(|entry| &mut entry.node.value) else {
            continue;
        };
        for item in std::mem::take(items) {
            match table(&item).filter(|table| is_numbered(table, key)) {
                Some(table) => items.extend(members((table, item.at), key, &mut room, problems)),
                None => items.push(item),
            }
        }
    }
    Cow::Owned(expanded)
}

/// Writes out the tables of a kind of which some members are meant and not all, so that these can be edited.
pub fn split(items: &mut Vec<Node>, key: &Key, means: &dyn Fn(&str) -> bool) {
    for item in std::mem::take(items) {
        let names = table(&item).map(names).unwrap_or_default();
        let meant = names.iter().filter(|name| means(name)).count();
        match table(&item) {
            Some(table) if (1..names.len()).contains(&meant) => {
                let member = |(number, name): (usize, &String)| node(member(table, name, number, key), item.at);
                items.extend(names.iter().enumerate().map(member));
            }
            _ => items.push(item),
        }
    }
}

/// The names that a table counts up; none where it is not numbered, or not rightly.
pub fn names(table: &Entries) -> Vec<String> {
    let read = pattern_of(table).and_then(|name| Pattern::read(name, count(table)).ok());
    read.map_or(Vec::new(), |pattern| pattern.names().to_vec())
}

fn table(item: &Node) -> Option<&Entries> {
    if let Written::Table(table) = &item.value { Some(table) } else { None }
}

fn node(table: Entries, at: At) -> Node {
    Node { value: Written::Table(table), at }
}

fn is_numbered(table: &Entries, key: &Key) -> bool {
    pattern_of(table).is_some() || (has_count(key) && table.get(COUNTED.name).is_some())
}

/// Whether `count` is how many tables there are; that of a guest is its population.
fn has_count(key: &Key) -> bool {
    !std::ptr::eq(key, &GUESTS)
}

/// The pattern that is its name.
fn pattern_of(table: &Entries) -> Option<&str> {
    text(table, &NAME).filter(|name| is_pattern(name))
}

fn text<'w>(table: &'w Entries, key: &Key) -> Option<&'w str> {
    match table.get(key.name).map(|entry| &entry.node.value) {
        Some(Written::Text(text)) => Some(text),
        _ => None,
    }
}

/// How many, where that can be read.
fn count(table: &Entries) -> Option<u32> {
    match table.get(COUNTED.name).map(|entry| &entry.node.value) {
        Some(Written::Integer(Some(count))) => {
            u32::try_from(*count).ok().filter(|count| (1..=MOST as u32).contains(count))
        }
        _ => None,
    }
}

/// The members of a numbered table; one that is refused stays as it is, without a second problem.
fn members((table, at): (&Entries, At), key: &Key, room: &mut usize, problems: &mut Problems<'_>) -> Vec<Node> {
    let refusal = match refusal(table, key) {
        Some(refusal) => Some(refusal),
        None => {
            let needed = size(table).saturating_mul(names(table).len());
            let fits = needed <= *room;
            *room = room.saturating_sub(needed);
            let problem = || {
                Problem::new(format!("`{}`: its tables are too large", clip(text(table, &NAME).unwrap_or_default())))
            };
            let why = "more do not fit the memory that a run is promised to stay within";
            (!fits).then(|| (&NAME, problem().because(why).allowed(["fewer names, shorter tables"])))
        }
    };
    let Some((of, problem)) = refusal else {
        let member = |(number, name): (usize, &String)| node(member(table, name, number, key), at);
        return names(table).iter().enumerate().map(member).collect();
    };
    let name = text(table, &NAME).unwrap_or_default();
    let Kind::Named(spec) = key.kind else { unreachable!("numbered tables have names") };
    let place = table.get(of.name).map_or(at, |entry| entry.node.at);
    problems.add(place, problem.key(format!("{} {}: {}", spec.name, clip(name), of.name)));
    let named = table.get(NAME.name).map_or(place, |entry| entry.node.at);
    problems.say_no_more(named);
    vec![node(member(table, name, 0, key), at)]
}

/// The problem of a numbered table, with the key that has it.
fn refusal(table: &Entries, key: &Key) -> Option<(&'static Key, Problem)> {
    let counted = table.get(COUNTED.name).filter(|_| has_count(key));
    if counted.is_some() && count(table).is_none() {
        let problem = Problem::new("`count` is out of range");
        return Some((&COUNTED, problem.allowed([COUNTED.kind.describe()])));
    }
    let Some(name) = pattern_of(table) else {
        let problem = Problem::new("`count` beside a name that does not count up");
        let why = "each of them has a name of its own";
        return Some((&COUNTED, problem.because(why).allowed(["name = \"PAGE[00..]\"", "no `count`"])));
    };
    if name.contains(['*', '?']) {
        let problem = Problem::new(format!("`*` or `?` in the name `{}`", clip(name)));
        let why = "they choose among names that are there; this table gives names";
        return Some((&NAME, problem.because(why).allowed(["PAGE[00..07]", "PAGE[A..H]"])));
    }
    let declared = count(table).filter(|_| has_count(key));
    let names = match Pattern::read(name, declared) {
        Ok(pattern) => pattern.names().len(),
        Err(problem) => return Some((&NAME, *problem)),
    };
    if let Some(count) = declared.filter(|count| *count as usize != names) {
        let problem = Problem::new(format!("`count` is {count}, and `{}` has {names} names", clip(name)));
        return Some((&COUNTED, problem.allowed([names.to_string(), "no `count`".into()])));
    }
    if let Some((of, other)) = uneven(table, names).filter(|_| !has_count(key)) {
        let problem = Problem::new(format!("`{}` has {other} names, and `{}` has {names}", clip(of), clip(name)));
        let why = "each of these guests has the one volume or minidisk of its place";
        return Some((&NAME, problem.because(why).allowed([format!("{names} names"), "uniform = [...]".into()])));
    }
    if table.get(FIRST_ALIAS.name).is_some() {
        let problem = Problem::new(format!("`first_alias` of {names} volumes"));
        let why = "their aliases follow each other, and are numbered behind the volumes";
        return Some((&FIRST_ALIAS, problem.because(why).allowed(["no `first_alias`", "a table for each volume"])));
    }
    let device = text(table, &DEVICE).and_then(|device| check::device(device).ok());
    if let Some(device) = device.filter(|device| std::ptr::eq(key, &VOLUMES) && usize::from(device.0) + names > 1 << 16)
    {
        let problem = Problem::new(format!("{names} volumes from {:04X} run past FFFF", device.0));
        let last = format!("up to {:04X}", (1 << 16) - names);
        return Some((&DEVICE, problem.because("a device number has 16 bits").allowed([last])));
    }
    None
}

/// The first pattern, with how many names it has, that does not count along with this many.
fn uneven(table: &Entries, names: usize) -> Option<(&str, usize)> {
    table.0.iter().find_map(|entry| match &entry.node.value {
        Written::Text(text) if along(&entry.key).is_some() && is_pattern(text) => {
            Some((text.as_str(), Pattern::read(text, None).map_or(0, |own| own.names().len())))
                .filter(|(_, own)| *own != names)
        }
        Written::Table(inner) => uneven(inner, names),
        Written::List(items) => items.iter().filter_map(self::table).find_map(|inner| uneven(inner, names)),
        _ => None,
    })
}

/// The key of an I/O that takes one name, which counts along with that of a guest.
fn along(key: &str) -> Option<&'static Key> {
    [&ONE, &ONE_MINIDISK].into_iter().find(|own| own.name == key)
}

/// Puts the name of this place for each pattern that counts along.
fn count_along(table: &mut Entries, number: usize) {
    for entry in &mut table.0 {
        match &mut entry.node.value {
            Written::Text(text) if along(&entry.key).is_some() && is_pattern(text) => {
                let read = Pattern::read(text, None).ok();
                if let Some(own) = read.and_then(|pattern| pattern.names().get(number).cloned()) {
                    *text = own;
                }
            }
            Written::Table(inner) => count_along(inner, number),
            Written::List(items) => {
                for item in items {
                    if let Written::Table(inner) = &mut item.value {
                        count_along(inner, number);
                    }
                }
            }
            _ => {}
        }
    }
}

/// A member: its name in place of the pattern, its device number counted on, and the volume of a guest.
fn member(table: &Entries, name: &str, number: usize, key: &Key) -> Entries {
    let mut member = table.clone();
    if has_count(key) {
        member.0.retain(|entry| entry.key != COUNTED.name);
    } else {
        count_along(&mut member, number);
    }
    for entry in &mut member.0 {
        let Written::Text(text) = &mut entry.node.value else { continue };
        if entry.key == NAME.name {
            *text = name.to_string();
        } else if entry.key == DEVICE.name
            && let Ok(first) = check::device(text)
        {
            *text = format!("{:04X}", usize::from(first.0) + number);
        }
    }
    member
}

/// Keys, items and bytes of text.
fn size(table: &Entries) -> usize {
    fn of(node: &Node) -> usize {
        match &node.value {
            Written::Text(text) | Written::Other(text) => 1 + text.len(),
            Written::Integer(_) | Written::Float(_) => 1,
            Written::List(items) => 1 + items.iter().map(of).sum::<usize>(),
            Written::Table(table) => 1 + size(table),
        }
    }
    table.0.iter().map(|entry| 8 + entry.key.len() + of(&entry.node)).sum()
}
