//! Virtual machines: they are where a control program is, promises and limits can be kept, and there are not too many.

use super::{Names, control_programs, steps, unused};
use crate::growth;
use crate::language::{
    ABSOLUTE_SHARE, CONTROL_PROGRAM, FOOTPRINT, GUESTS, HOST, INTERCEPT, LAID_OUT, LEAST_PACE, LIMIT, MACHINES,
    MOST_PACE, NAME, Need, PACE, PARTITIONS, RELATIVE_SHARE, RUNS_IN_MACHINES, VIRTUAL_MACHINES, VIRTUAL_PROCESSORS,
};
use crate::problems::Problems;
use crate::resolved::{Entry, Origin, Table, Value};
use crate::text::At;
use std::collections::{BTreeMap, BTreeSet};
use units::Problem;

/// The most virtual processors in all.
const MOST: u64 = 100_000;
/// The least share that is promised, and the least that is a limit, in percent.
const LEAST: f64 = 0.1;
/// The relative share of machines without one.
const USUAL_SHARE: u32 = 100;
/// The tolerance of sums of shares, because decimals are not exact.
const ROUNDING: f64 = 1e-9;

/// Gives machines without a share the usual one.
pub fn work_out_shares(root: &mut Table) {
    let Need::WorkedOut(rule) = RELATIVE_SHARE.need else { return };
    for kind in root.tables_mut(&VIRTUAL_MACHINES) {
        let written = kind.count(&RELATIVE_SHARE);
        let absolute = kind.entry(&ABSOLUTE_SHARE).is_some();
        match kind.entries.iter_mut().find(|entry| std::ptr::eq(entry.key, &RELATIVE_SHARE)) {
            Some(entry) if entry.is_default() && written != Some(USUAL_SHARE) => entry.origin = Origin::Written,
            Some(_) => {}
            None if absolute => {}
            None => kind.put(Entry {
                key: &RELATIVE_SHARE,
                value: Value::Count(USUAL_SHARE),
                at: At::Nowhere,
                origin: Origin::Default(rule),
            }),
        }
    }
}

/// Checks every kind of them, the shares of a partition together, their number, and pacing.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    for kind in root.tables(&VIRTUAL_MACHINES) {
        check_host(root, kind, names, problems);
        check_limits(kind, problems);
    }
    check_promises(root, problems);
    check_number(root, problems);
    for guest in root.tables(&GUESTS) {
        check_pace(guest, problems);
        check_intercepts(guest, problems);
    }
}

fn check_host(root: &Table, kind: &Table, names: &Names, problems: &mut Problems<'_>) {
    let Some(partition) = kind.text(&HOST) else { return };
    if control_programs::has_one(root, partition, names) != Some(false) {
        return;
    }
    let with_one = root.tables(&PARTITIONS).iter().filter(|partition| partition.entry(&CONTROL_PROGRAM).is_some());
    let mut allowed: Vec<String> = with_one.filter_map(|one| one.text(&NAME)).take(8).map(str::to_string).collect();
    allowed.push(format!("{} = {{}} in partition {partition}", CONTROL_PROGRAM.name));
    let problem = Problem::new(format!("a virtual machine in partition `{partition}`, which has no control program"))
        .key(kind.path(&HOST))
        .because("a control program dispatches virtual machines; an operating system runs guests")
        .allowed(allowed);
    problems.add(kind.at(&HOST), problem);
}

fn check_limits(kind: &Table, problems: &mut Problems<'_>) {
    for key in [&ABSOLUTE_SHARE, &LIMIT] {
        let Some(share) = kind.percent(key).filter(|share| share.percent() < LEAST) else { continue };
        let problem = Problem::new(format!("`{}` of {share}", key.name))
            .key(kind.path(key))
            .because("with so little it would hardly ever run")
            .allowed([format!("{LEAST} % to 100 %")]);
        problems.add(kind.at(key), problem);
        return;
    }
    let (Some(promised), Some(limit)) = (kind.percent(&ABSOLUTE_SHARE), kind.percent(&LIMIT)) else { return };
    if limit.percent() < promised.percent() {
        let problem = Problem::new(format!("a limit of {limit} below an absolute share of {promised}"))
            .key(kind.path(&LIMIT))
            .because("what is promised could never be had")
            .allowed([format!("{promised} to 100 %"), "no limit".into()]);
        problems.add(kind.at(&LIMIT), problem);
    }
}

/// Absolute shares are of one whole.
fn check_promises(root: &Table, problems: &mut Problems<'_>) {
    let mut promised: BTreeMap<&str, f64> = BTreeMap::new();
    for kind in root.tables(&VIRTUAL_MACHINES) {
        let (Some(partition), Some(share)) = (kind.text(&HOST), kind.percent(&ABSOLUTE_SHARE)) else { continue };
        let Some(count) = growth::count(kind, &MACHINES) else { continue };
        let sum = promised.entry(partition).or_default();
        let before = *sum;
        *sum += f64::from(count) * share.percent();
        if *sum > 100.0 + ROUNDING && before <= 100.0 + ROUNDING {
            let left = ((100.0 - before).max(0.0) * 1e6).round() / 1e6;
            let each = (left / f64::from(count) * 1e6).floor() / 1e6;
            let problem = Problem::new(format!(
                "absolute shares of {} % in all in partition `{partition}`",
                (*sum * 1e6).round() / 1e6
            ))
            .key(kind.path(&ABSOLUTE_SHARE))
            .because(format!(
                "they are of all its logical processors, of which {left} % are left, for {count} machines"
            ))
            .allowed([format!("up to {each} %"), format!("{} = ..., which is relative", RELATIVE_SHARE.name)]);
            problems.add(kind.at(&ABSOLUTE_SHARE), problem);
        }
    }
}

fn check_number(root: &Table, problems: &mut Problems<'_>) {
    let kinds = root.tables(&VIRTUAL_MACHINES);
    let size = |kind: &Table| {
        let machines = u64::from(growth::count(kind, &MACHINES).unwrap_or(1));
        machines * u64::from(kind.count(&VIRTUAL_PROCESSORS).unwrap_or(1))
    };
    let mut total = 0;
    let over = kinds.iter().find(|kind| {
        total += size(kind);
        total > MOST
    });
    if let Some(kind) = over {
        let problem = Problem::new(format!("{} virtual processors in all", kinds.iter().map(size).sum::<u64>()))
            .key(kind.path(&MACHINES))
            .because("more do not fit the memory that a run is promised to stay within")
            .allowed(["up to 100,000 virtual processors in all"]);
        problems.add(kind.at(&MACHINES), problem);
    }
}

/// Without a control program there are no intercepts.
fn check_intercepts(guest: &Table, problems: &mut Problems<'_>) {
    if guest.entry(&RUNS_IN_MACHINES).is_some() || guest.misspelt.contains(&RUNS_IN_MACHINES.name) {
        return;
    }
    for step in steps::all(guest).into_iter().filter(|step| step.entry(&INTERCEPT).is_some()) {
        let problem = Problem::new("an intercept of a guest that runs in no virtual machine")
            .key(step.path(&INTERCEPT))
            .because("there is no control program that simulates its instructions")
            .allowed(["virtual_machine = ... in the guest", "compute = ..."]);
        problems.add(step.at(&INTERCEPT), problem);
    }
}

/// A guest that is not charged cannot pace itself.
fn check_pace(guest: &Table, problems: &mut Problems<'_>) {
    let outside = guest.entry(&RUNS_IN_MACHINES).is_none() && !guest.misspelt.contains(&RUNS_IN_MACHINES.name);
    for step in steps::all(guest) {
        let Some(pace) = step.percent(&PACE) else { continue };
        if pace.percent() < LEAST_PACE {
            let problem = Problem::new(format!("a pace of {pace}"))
                .key(step.path(&PACE))
                .because("its guest would hardly ever run")
                .allowed([format!("{LEAST_PACE} % to {MOST_PACE} %")]);
            problems.add(step.at(&PACE), problem);
        }
        if outside {
            let problem = Problem::new("a pace of a guest that runs in no virtual machine")
                .key(step.path(&PACE))
                .because("it keeps to the time that a control program charges, and only control programs charge")
                .allowed(["virtual_machine = ... in the guest", "compute = ..."]);
            problems.add(step.at(&PACE), problem);
        }
    }
}

/// Warns of virtual machines without guests, and of footprints without caches.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let kinds = root.tables(&VIRTUAL_MACHINES);
    let inhabited: BTreeSet<&str> =
        root.tables(&GUESTS).iter().filter_map(|guest| guest.text(&RUNS_IN_MACHINES)).collect();
    unused::unused(kinds, &inhabited, "no guest runs in it", warnings);
    let cached = kinds.iter().find(|kind| kind.entry(&FOOTPRINT).is_some());
    if let Some(kind) = cached.filter(|_| root.entry(&LAID_OUT).is_none()) {
        let problem = Problem::new("a footprint where there are no caches")
            .key(kind.path(&FOOTPRINT))
            .because("without a topology it does not matter where a virtual processor runs")
            .allowed(["machine = \"zEC12\" in [cec]", "[topology]"]);
        warnings.add(kind.at(&FOOTPRINT), problem);
    }
}
