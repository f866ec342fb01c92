//! Device numbers: each used once, aliases numbered one after the other, none past FFFF.

use crate::language::{ALIAS_POOLS, BOUND_ALIASES, DEVICE, FIRST_ALIAS, Key, Need, POOL_ALIASES, VOLUMES};
use crate::problems::Problems;
use crate::resolved::{Entry, Origin, Table, Value};
use crate::text::At;
use machine::plan::DeviceNumber;
use std::collections::BTreeMap;
use units::Problem;

/// How many device numbers there are.
const ALL: u32 = 1 << 16;

/// Checks the numbers that are given and gives numbers to the aliases that have none.
pub fn number(root: &mut Table, problems: &mut Problems<'_>) {
    let devices = total(root);
    if devices > u64::from(ALL) {
        let problem = Problem::new(format!("{devices} devices in all, bases and aliases"))
            .because("a device number has 16 bits, so that there are 65,536 of them")
            .allowed(["up to 65,536 devices"]);
        problems.add(At::Nowhere, problem);
        return;
    }
    for list in [&ALIAS_POOLS, &VOLUMES] {
        for table in root.tables_mut(list) {
            // Numbers that were worked out before are worked out anew, so that more aliases find room.
            table.entries.retain(|entry| !(std::ptr::eq(entry.key, &FIRST_ALIAS) && entry.is_default()));
        }
    }
    let mut used: BTreeMap<u16, String> = BTreeMap::new();
    for volume in root.tables(&VOLUMES) {
        if let Some(device) = volume.device(&DEVICE) {
            claim(&mut used, volume, &DEVICE, (device.0, 1), problems);
        }
    }
    let highest = used.keys().next_back().copied();
    for (tables, count) in groups(root) {
        for table in tables {
            if let (Some(first), Some(count)) = (table.device(&FIRST_ALIAS), table.count(count)) {
                claim(&mut used, table, &FIRST_ALIAS, (first.0, count), problems);
            }
        }
    }
    let start = highest.map_or(0, |device| u32::from(device) + 1);
    for (list, count) in [(&ALIAS_POOLS, &POOL_ALIASES), (&VOLUMES, &BOUND_ALIASES)] {
        for table in root.tables_mut(list) {
            assign(&mut used, table, count, start, problems);
        }
    }
}

fn groups(root: &Table) -> [(&[Table], &'static Key); 2] {
    [(root.tables(&ALIAS_POOLS), &POOL_ALIASES), (root.tables(&VOLUMES), &BOUND_ALIASES)]
}

fn total(root: &Table) -> u64 {
    let aliases = groups(root).into_iter().flat_map(|(tables, key)| tables.iter().filter_map(|table| table.count(key)));
    root.tables(&VOLUMES).len() as u64 + aliases.map(u64::from).sum::<u64>()
}

/// Takes a range of numbers that was given.
fn claim(
    used: &mut BTreeMap<u16, String>,
    table: &Table,
    key: &Key,
    (first, count): (u16, u32),
    problems: &mut Problems<'_>,
) {
    let end = u32::from(first) + count;
    if end > ALL {
        let last = ALL - count;
        let problem = Problem::new(format!("{count} aliases from {first:04X} run past FFFF"))
            .key(table.path(key))
            .because("a device number has 16 bits")
            .allowed([format!("up to {last:04X}")]);
        problems.add(table.at(key), problem);
        return;
    }
    let wanted = u32::from(first)..end;
    if let Some((taken, owner)) = used.range(first..).next().filter(|(taken, _)| wanted.contains(&u32::from(**taken))) {
        let problem = Problem::new(format!("device number {taken:04X} a second time"))
            .key(table.path(key))
            .because(format!("{owner} has it, and a device number means one device"));
        problems.add(table.at(key), problem);
        return;
    }
    used.extend(wanted.map(|number| (number as u16, table.title().to_string())));
}

/// Gives numbers to aliases that have none: the first run of free ones that is long enough.
fn assign(
    used: &mut BTreeMap<u16, String>,
    table: &mut Table,
    count_key: &'static Key,
    start: u32,
    problems: &mut Problems<'_>,
) {
    let Some(count) = table.count(count_key).filter(|count| *count > 0) else { return };
    if table.entry(&FIRST_ALIAS).is_some() {
        return;
    }
    let mut first = start;
    while let Some(taken) = last_taken(used, first, count) {
        first = u32::from(taken) + 1;
    }
    if first + count > ALL {
        let problem = Problem::new(format!("no room for {count} aliases up to FFFF"))
            .key(table.path(count_key))
            .because(format!("aliases without numbers get those from {start:04X} on, after the highest base"))
            .allowed(["first_alias = the device number of the first one"]);
        problems.add(table.at(count_key), problem);
        return;
    }
    used.extend((first..first + count).map(|number| (number as u16, table.title().to_string())));
    let Need::WorkedOut(rule) = FIRST_ALIAS.need else { return };
    let value = Value::Device(DeviceNumber(first as u16));
    table.put(Entry { key: &FIRST_ALIAS, value, at: At::Nowhere, origin: Origin::Default(rule) });
}

/// The last number in use within a range.
fn last_taken(used: &BTreeMap<u16, String>, first: u32, count: u32) -> Option<u16> {
    let first = u16::try_from(first).ok()?;
    let last = u16::try_from(u32::from(first) + count - 1).unwrap_or(u16::MAX);
    used.range(first..=last).next_back().map(|(number, _)| *number)
}
