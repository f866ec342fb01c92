//! Changes: nothing comes online that was not built, and a volume is released after it was reserved.

use super::Names;
use crate::language::{
    ALIAS_POOL, ALIAS_POOLS, ALIASES_ONLINE, BOUND_ALIASES, CHANGED_ALIASES, CHANGED_AT, CHANGED_PATHS, CHANGED_POOL,
    CHANGED_UNIT, CHANGED_VOLUME, CHANGES, CONTROL_UNIT, CONTROL_UNITS, FROM_POOL, INTERVAL, INTERVALS, Key, MEASURED,
    NAME, PATHS, PATHS_ONLINE, POOL_ALIASES, RELEASED, RESERVED, SHARING, VOLUME, VOLUMES,
};
use crate::problems::Problems;
use crate::resolved::Table;
use std::collections::{BTreeMap, BTreeSet};
use units::{Problem, Span};

/// The changes in the order in which they happen: by time, at one time in the order of the file.
pub fn in_time(root: &Table) -> Vec<&Table> {
    let mut changes: Vec<&Table> = root.tables(&CHANGES).iter().collect();
    changes.sort_by_key(|change| change.span(&CHANGED_AT));
    changes
}

/// Checks every change against what was built, and reservations against those before.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    for change in root.tables(&CHANGES) {
        if let Some(aliases) = change.table(&CHANGED_ALIASES) {
            check_aliases(root, aliases, names, problems);
        }
        if let Some(paths) = change.table(&CHANGED_PATHS) {
            let unit = paths.text(&CHANGED_UNIT).and_then(|name| names.index(&CONTROL_UNIT, name));
            if let Some(unit) = unit.map(|index| &root.tables(&CONTROL_UNITS)[index]) {
                at_most(paths, &PATHS_ONLINE, unit, &PATHS, problems);
            }
        }
    }
    check_reserves(root, names, problems);
}

fn check_aliases(root: &Table, aliases: &Table, names: &Names, problems: &mut Problems<'_>) {
    if let Some(index) = aliases.text(&CHANGED_POOL).and_then(|name| names.index(&ALIAS_POOL, name)) {
        at_most(aliases, &ALIASES_ONLINE, &root.tables(&ALIAS_POOLS)[index], &POOL_ALIASES, problems);
        return;
    }
    let Some(index) = aliases.text(&CHANGED_VOLUME).and_then(|name| names.index(&VOLUME, name)) else { return };
    let volume = &root.tables(&VOLUMES)[index];
    if volume.entry(&BOUND_ALIASES).is_some() {
        at_most(aliases, &ALIASES_ONLINE, volume, &BOUND_ALIASES, problems);
        return;
    }
    let pool = volume.text(&FROM_POOL);
    let problem = Problem::new(format!("{} has no aliases of its own", volume.title()))
        .key(aliases.path(&CHANGED_VOLUME))
        .because(pool.map_or(String::new(), |pool| format!("it borrows from pool `{pool}`")))
        .allowed(pool.map(|pool| format!("pool = \"{pool}\"")).into_iter().chain(["a volume with aliases".into()]));
    problems.add(aliases.at(&CHANGED_VOLUME), problem);
}

/// No more come online than were built.
fn at_most(change: &Table, online: &Key, built: &Table, count: &Key, problems: &mut Problems<'_>) {
    let (Some(wanted), Some(most)) = (change.count(online), built.count(count)) else { return };
    if wanted > most {
        let problem = Problem::new(format!("{wanted} {} online where there are {most}", count.name))
            .key(change.path(online))
            .because(format!("{} has {} = {most}", built.title(), count.name))
            .allowed([format!("0 to {most}")]);
        problems.add(change.at(online), problem);
    }
}

/// One system at a time reserves a volume.
fn check_reserves(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    if root.tables(&CHANGES).iter().any(|change| change.span(&CHANGED_AT).is_none()) {
        // Without all the times the order is unknown.
        return;
    }
    let mut reserved = BTreeSet::new();
    for change in in_time(root) {
        let exists = |name: &&str| names.index(&VOLUME, name).is_some();
        let at = change.span_text(&CHANGED_AT).unwrap_or_default();
        if let Some(volume) = change.text(&RESERVED).filter(exists)
            && !reserved.insert(volume)
        {
            let problem = Problem::new(format!("volume `{volume}` is reserved at {at} for the second time"))
                .key(change.path(&RESERVED))
                .because("one other system reserves it, and has it until it releases it");
            problems.add(change.at(&RESERVED), problem.allowed([format!("a release of `{volume}` before {at}")]));
        }
        if let Some(volume) = change.text(&RELEASED).filter(exists)
            && !reserved.remove(volume)
        {
            let problem = Problem::new(format!("volume `{volume}` is released at {at}, and no system has reserved it"))
                .key(change.path(&RELEASED))
                .because("only what is reserved can be released");
            problems.add(change.at(&RELEASED), problem.allowed([format!("a reserve of `{volume}` before {at}")]));
        }
    }
}

/// Warns of changes that come too late, and of changes of paths without effect.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    late(root, warnings);
    let unit = |name: &str| root.tables(&CONTROL_UNITS).iter().find(|unit| unit.text(&NAME) == Some(name));
    let mut online: BTreeMap<&str, u32> = BTreeMap::new();
    for change in in_time(root) {
        let Some(paths) = change.table(&CHANGED_PATHS) else { continue };
        let (Some(name), Some(wanted)) = (paths.text(&CHANGED_UNIT), paths.count(&PATHS_ONLINE)) else { continue };
        let Some(unit) = unit(name) else { continue };
        let (Some(built), Some(sharing)) = (unit.count(&PATHS), unit.percent(&SHARING)) else { continue };
        let before = online.insert(name, wanted).unwrap_or(built);
        // The machine's rule: the remaining paths carry the load of all, so sharing grows, to all of it at most.
        let slowing = |paths: u32| (sharing.fraction() * f64::from(built) / f64::from(paths)).min(1.0);
        if before > 0 && wanted > 0 && slowing(before) == slowing(wanted) {
            let why =
                format!("what connected I/Os on control unit `{name}` do to each other stays the same: its sharing is");
            let problem = Problem::new(format!("{wanted} paths instead of {before} make no difference"))
                .key(paths.path(&PATHS_ONLINE))
                .because(format!("{why} {} %", sharing.percent()))
                .allowed(["a sharing between 0 % and 100 %", "online = 0"]);
            warnings.add(paths.at(&PATHS_ONLINE), problem);
        }
    }
}

fn late(root: &Table, warnings: &mut Problems<'_>) {
    let Some(measure) = root.table(&MEASURED) else { return };
    let (Some(interval), Some(intervals)) = (measure.span(&INTERVAL), measure.count(&INTERVALS)) else { return };
    let end: Span = interval * u64::from(intervals);
    for change in in_time(root) {
        if change.span(&CHANGED_AT).is_none_or(|at| at < end) {
            continue;
        }
        let at = change.span_text(&CHANGED_AT).unwrap_or_default();
        let problem = Problem::new(format!("a change at {at} comes after the last interval"))
            .key(change.path(&CHANGED_AT))
            .because(format!("the last interval ends at {end}"))
            .allowed([format!("before {end}"), "longer or more intervals".into()]);
        warnings.add(change.at(&CHANGED_AT), problem);
    }
}
