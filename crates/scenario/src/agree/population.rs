//! How much a scenario may hold: volumes, minidisks and guests.

use crate::growth;
use crate::language::{CGROUPS, COUNT, GUESTS, Key, MINIDISKS, MOST_GUESTS, PARTITIONS, VOLUMES};
use crate::problems::Problems;
use crate::resolved::{Table, Value};
use crate::text::At;
use units::Problem;

/// The most volumes.
const MOST_VOLUMES: (usize, &str) = (10_000, "up to 10,000 volumes");
/// The most minidisks.
const MOST_MINIDISKS: (usize, &str) = (100_000, "up to 100,000 minidisks");
/// Why there is a most.
const MEMORY: &str = "more do not fit the memory that a run is promised to stay within";

/// Whether there has to be something to do I/O to: without partitions nothing else is shared.
pub fn needs_volumes(root: &Table) -> bool {
    [&PARTITIONS, &CGROUPS].into_iter().all(|key| root.entry(key).is_none() && !root.misspelt.contains(&key.name))
}

/// Checks that there is something to do I/O to, and all three.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    let unread = root.entry(&VOLUMES).is_some_and(|entry| !matches!(entry.value, Value::Tables(_)));
    let missing = root.tables(&VOLUMES).is_empty() && !unread && !root.misspelt.contains(&VOLUMES.name);
    if missing && needs_volumes(root) {
        let problem = Problem::new("no volumes")
            .key(VOLUMES.name)
            .because("without volumes there is nothing to do I/O to, and without partitions nothing else is shared")
            .allowed([VOLUMES.kind.describe(), PARTITIONS.kind.describe()]);
        problems.add(At::Nowhere, problem);
    }
    let mut at_most = |key: &Key, (most, allowed): (usize, &str)| {
        let tables = root.tables(key);
        if let Some(first) = tables.get(most) {
            let problem = Problem::new(format!("{} {}", tables.len(), first.spec.plural()));
            problems.add(first.at, problem.key(first.title()).because(MEMORY).allowed([allowed]));
        }
    };
    at_most(&VOLUMES, MOST_VOLUMES);
    at_most(&MINIDISKS, MOST_MINIDISKS);
    let guests = root.tables(&GUESTS);
    let mut total: u64 = 0;
    let size = |guest: &Table| u64::from(growth::count(guest, &COUNT).unwrap_or(1));
    let Some(first) = guests.iter().find(|guest| {
        total += size(guest);
        total > u64::from(MOST_GUESTS)
    }) else {
        return;
    };
    let problem = Problem::new(format!("{} guests in all", guests.iter().map(size).sum::<u64>()))
        .key(first.path(&COUNT))
        .because(MEMORY)
        .allowed(["up to 100,000 guests in all"]);
    problems.add(first.at(&COUNT), problem);
}
