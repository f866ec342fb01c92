//! Paging: it reads or writes something, has a name beside guests, and goes to volumes of its partition.

use super::steps::Reference;
use super::{Names, control_programs};
use crate::language::{GUEST, NAME, PAGE_READS, PAGE_WRITES, PAGED_TO, PAGINGS, RUNS_IN};
use crate::problems::Problems;
use crate::resolved::Table;
use units::Problem;

/// The volumes of paging, as references.
pub fn targets(paging: &Table) -> Vec<Reference<'_>> {
    let key = || paging.path(&PAGED_TO);
    let listed = paging.references(&PAGED_TO).iter();
    listed.map(|reference| Reference { name: &reference.name, at: reference.at, key: key() }).collect()
}

/// Checks every table of paging.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    for paging in root.tables(&PAGINGS) {
        let rates = [&PAGE_READS, &PAGE_WRITES];
        if rates.iter().all(|key| paging.entry(key).is_none() && !paging.misspelt.contains(&key.name)) {
            let problem = Problem::new("neither reads nor writes").key(paging.title());
            let why = "paging without a rate does nothing, and no rate is usual";
            problems.add(paging.at, problem.because(why).allowed(["reads = \"800/s\"", "writes = \"500/s\""]));
        }
        if let Some(name) = paging.text(&NAME).filter(|name| names.index(&GUEST, name).is_some()) {
            let problem = Problem::new(format!("paging called `{name}` like a guest")).key(paging.path(&NAME));
            problems.add(paging.at(&NAME), problem.because("both have a row in the table of guests"));
        }
        let partition = paging.text(&RUNS_IN);
        if let Some(name) = partition.filter(|name| control_programs::has_one(root, name, names) == Some(true)) {
            let problem = Problem::new(format!("paging in `{name}`, which has a control program"))
                .key(paging.path(&RUNS_IN))
                .because("a control program does its own I/O; what that takes of processors is in its costs");
            problems.add(paging.at(&RUNS_IN), problem.allowed(["no `partition`"]));
        }
    }
}
