//! The topology: that of a shipped machine, or one that is written out whole; levels of caches from the inside out.

use crate::language::{
    BEYOND, CACHE_SIZE, CACHES, CGROUPS, CHIPS_PER_BOOK, CONTROL_PROGRAM, CORES_PER_BOOK, CORES_PER_CHIP, Key,
    LAID_OUT, MACHINE, NAME, NEST, NEST_COST, Need, OF_BOOK, OF_CHIP, OF_CORE, PARTITIONS, SHARED_BY, SHARED_DATA_FAR,
    SHARED_PROCESSORS,
};
use crate::machines;
use crate::problems::Problems;
use crate::resolved::{Entry, Origin, Table, Value};
use crate::text::At;
use crate::written::{Entries, Written};
use units::{Bytes, Problem};

/// The most levels of caches.
const MOST_LEVELS: usize = 3;

/// Sets how much slower work is beyond each cache where the scenario does not.
pub fn work_out_beyond(root: &mut Table) {
    let Need::WorkedOut(rule) = BEYOND.need else { return };
    let Some(topology) = root.table_mut(&LAID_OUT) else { return };
    let cost = topology.number(&NEST_COST);
    let caches = topology.tables_mut(&CACHES);
    let levels = caches.len();
    for (number, cache) in caches.iter_mut().enumerate() {
        let nest = cache.number(&NEST).zip(cost);
        let usual =
            nest.map_or_else(|| machines::beyond(number, levels), |(nest, cost)| machines::beyond_nest(nest, cost));
        let written = cache.number(&BEYOND);
        match cache.entries.iter_mut().find(|entry| std::ptr::eq(entry.key, &BEYOND)) {
            // It was changed after it had been written out.
            Some(entry) if entry.is_default() && written != Some(usual) => entry.origin = Origin::Written,
            Some(_) => {}
            None => cache.put(Entry {
                key: &BEYOND,
                value: Value::Number(usual),
                at: At::Nowhere,
                origin: Origin::Default(rule),
            }),
        }
    }
}

/// Checks it against the machine that is named, or that it is whole, and every level against the one before.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    let Some(topology) = root.table(&LAID_OUT) else { return };
    let Some(cec) = root.table(&SHARED_PROCESSORS) else {
        if root.entry(&SHARED_PROCESSORS).is_none() && !root.misspelt.contains(&SHARED_PROCESSORS.name) {
            let problem = Problem::new("a [topology] without a [cec]")
                .key(topology.title())
                .because("it says how the processors lie that [cec] has");
            problems.add(topology.at, problem.allowed(["[cec]", "no [topology]"]));
        }
        return;
    };
    match cec.text(&MACHINE).and_then(|name| Some((name, machines::description(name)?))) {
        Some(machine) => check_described(topology, (machine.0, &machine.1), problems),
        // The contents of a machine with an unreadable name are unknown.
        None if cec.entry(&MACHINE).is_some() || cec.misspelt.contains(&MACHINE.name) => {}
        None => check_whole(topology, problems),
    }
    check_levels(topology, problems);
    check_books(topology, problems);
    check_nest(topology, problems);
}

fn check_whole(topology: &Table, problems: &mut Problems<'_>) {
    [&CORES_PER_CHIP, &CHIPS_PER_BOOK].into_iter().for_each(|key| need(topology, key, problems));
    for cache in topology.tables(&CACHES) {
        [&SHARED_BY, &CACHE_SIZE].into_iter().for_each(|key| need(cache, key, problems));
    }
}

fn need(table: &Table, key: &Key, problems: &mut Problems<'_>) {
    if table.entry(key).is_none() && !table.misspelt.contains(&key.name) {
        let problem = Problem::new(format!("`{}` is missing", key.name))
            .key(table.path(key))
            .because(format!("it says {}, and no `cec.machine` does", key.doc))
            .allowed([key.kind.describe(), "machine = \"zEC12\" in [cec]".into()]);
        problems.add(table.at, problem);
    }
}

/// Beside a shipped machine only what models and workloads differ in may be another.
fn check_described(topology: &Table, (machine, described): (&str, &Entries), problems: &mut Problems<'_>) {
    for key in [&CORES_PER_CHIP, &CHIPS_PER_BOOK] {
        check_same(topology, key, (machine, described), problems);
    }
    let known = machines::caches(described);
    for cache in topology.tables(&CACHES) {
        let Some(name) = cache.text(&NAME) else { continue };
        if let Some(described) = machines::called(known, name) {
            for key in [&SHARED_BY, &CACHE_SIZE, &NEST] {
                check_same(cache, key, (machine, described), problems);
            }
            continue;
        }
        let names: Vec<&str> = known.iter().filter_map(machines::name_of).collect();
        let problem = Problem::new(format!("{machine} has no cache called `{name}`"))
            .key(cache.path(&NAME))
            .because(OTHER_NUMBERS)
            .allowed(names.iter().copied())
            .nearest(problems.nearest(name, names.iter().copied()));
        problems.add(cache.at(&NAME), problem);
    }
}

const OTHER_NUMBERS: &str = "beside a shipped machine only `cores_per_book` and `beyond` may be others; a machine with other numbers is written out \
     in [topology]";

fn check_same(table: &Table, key: &Key, (machine, described): (&str, &Entries), problems: &mut Problems<'_>) {
    let (Some(entry), Some(said)) = (table.entry(key), described.get(key.name)) else { return };
    let said = match (&entry.value, &said.node.value) {
        (Value::Count(count), Written::Integer(Some(said))) if i64::from(*count) != *said => said.to_string(),
        (Value::Number(number), Written::Float(said)) if number != said => said.to_string(),
        (Value::Text(text), Written::Text(said)) if text != said => format!("\"{said}\""),
        (Value::Bytes(bytes), Written::Text(said)) if Ok(bytes.value) != said.parse::<Bytes>() => {
            format!("\"{said}\"")
        }
        _ => return,
    };
    let problem = Problem::new(format!("another `{}` than that of {machine}", key.name))
        .key(table.path(key))
        .because(OTHER_NUMBERS)
        .allowed([said, "no `machine` in [cec], and all of [topology]".into()]);
    problems.add(entry.at, problem);
}

/// A book has no more processors than its chips have cores.
fn check_books(topology: &Table, problems: &mut Problems<'_>) {
    let count = |key| topology.count(key);
    let (Some(own), Some(chip), Some(chips)) = (count(&CORES_PER_BOOK), count(&CORES_PER_CHIP), count(&CHIPS_PER_BOOK))
    else {
        return;
    };
    if own > chip * chips {
        let problem = Problem::new(format!("{own} processors in a book of {chips} chips with {chip} cores each"))
            .key(topology.path(&CORES_PER_BOOK))
            .because("the processors of a book are cores of its chips");
        problems.add(topology.at(&CORES_PER_BOOK), problem.allowed([format!("1 to {}", chip * chips)]));
    }
}

/// A cost of nest intensity needs weights.
fn check_nest(topology: &Table, problems: &mut Problems<'_>) {
    if topology.entry(&NEST_COST).is_none() {
        return;
    }
    for cache in topology.tables(&CACHES).iter().filter(|cache| cache.entry(&NEST).is_none()) {
        if !cache.misspelt.contains(&NEST.name) {
            let problem =
                Problem::new("a cost of nest intensity for a cache without a weight").key(cache.path(&NEST)).because(
                    "`beyond` is 1 + `nest` x `nest_cost`, and neither the scenario nor its machine has this `nest`",
                );
            problems.add(cache.at, problem.allowed(["nest = 1.6", "no `nest_cost`, and `beyond` for each cache"]));
        }
    }
}

fn check_levels(topology: &Table, problems: &mut Problems<'_>) {
    let caches = topology.tables(&CACHES);
    if let Some(fourth) = caches.get(MOST_LEVELS) {
        let problem = Problem::new(format!("{} levels of caches", caches.len()))
            .key(fourth.title())
            .because("there is one for a core, one for a chip and one for a book at most");
        problems.add(fourth.at, problem.allowed([format!("up to {MOST_LEVELS}")]));
    }
    let mut names: Vec<&str> = Vec::new();
    for cache in caches {
        let Some(name) = cache.text(&NAME) else { continue };
        if names.contains(&name) {
            let problem = Problem::new(format!("a second cache called `{name}`")).key(cache.path(&NAME));
            problems.add(cache.at(&NAME), problem.because("a name must say which is meant"));
        }
        names.push(name);
    }
    for pair in caches.windows(2) {
        check_next(&pair[0], &pair[1], problems);
    }
}

/// A level is shared by more than the one before it, and beyond it work is no faster.
fn check_next(inner: &Table, outer: &Table, problems: &mut Problems<'_>) {
    let reach = |cache: &Table| match cache.text(&SHARED_BY) {
        Some(OF_CORE) => Some(0),
        Some(OF_CHIP) => Some(1),
        Some(OF_BOOK) => Some(2),
        _ => None,
    };
    if let (Some(inside), Some(outside)) = (reach(inner), reach(outer))
        && outside <= inside
    {
        let words = [OF_CORE, OF_CHIP, OF_BOOK];
        let problem = Problem::new(format!("a cache of a {} outside one of a {}", words[outside], words[inside]))
            .key(outer.path(&SHARED_BY))
            .because("the innermost comes first, and each is shared by more than the one before it")
            .allowed(words[inside + 1..].iter().copied().chain(["another order"]));
        problems.add(outer.at(&SHARED_BY), problem);
    }
    let (Some(inside), Some(outside)) = (inner.number(&BEYOND), outer.number(&BEYOND)) else { return };
    if outside < inside {
        // A default cannot be the one to mend.
        let (key, said) = if outer.at(&BEYOND) == At::Nowhere { (inner, "at most") } else { (outer, "at least") };
        let bound = if said == "at most" { outside } else { inside };
        let problem =
            Problem::new(format!("work {outside} times slower beyond a cache where it is {inside} inside it"))
                .key(key.path(&BEYOND))
                .because("what is farther away takes no less time")
                .allowed([format!("{said} {bound}")]);
        problems.add(key.at(&BEYOND), problem);
    }
}

/// Warns when no guest on it depends on distances.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let Some(topology) = root.table(&LAID_OUT) else { return };
    let depends = |(tables, key)| root.tables(tables).iter().any(|table| table.entry(key).is_some());
    if [(&PARTITIONS, &CONTROL_PROGRAM), (&CGROUPS, &SHARED_DATA_FAR)].into_iter().any(depends) {
        return;
    }
    let (table, key): (&Table, &Key) = match root.table(&SHARED_PROCESSORS) {
        Some(cec) if cec.entry(&MACHINE).is_some() => (cec, &MACHINE),
        _ => (topology, &CACHES),
    };
    let problem = Problem::new("distances and caches without a guest that depends on them")
        .key(if std::ptr::eq(table, topology) { table.title().to_string() } else { table.path(key) })
        .because("only virtual machines, under a control program, lose time when they run somewhere else");
    warnings.add(table.at(key), problem.allowed(["a partition with control_program = {}"]));
}
