//! Partitions and processors: there are enough of them, shares add up, and something is left of every slice.

use super::dispatcher::dispatcher;
use crate::language::{
    ACTIVE, CEC, CFS, CGROUPS, CPENABLE, DEDICATED, ENABLED, HIGH, Key, LOGICAL_PROCESSORS, LOW, MAXIMUM, MODE, NO,
    PARTITION, PARTITIONS, PROCESSORS, PRSM, RELOAD, SHARED_PROCESSORS, SWITCH, TARGET, WEIGHT,
};
use crate::plan;
use crate::problems::Problems;
use crate::resolved::Table;
use crate::text::At;
use machine::cec::Rotation;
use machine::plan::{DispatcherPlan, PartitionPlan};
use units::{Problem, Span};

/// The least share that a screen takes, in percent.
const LEAST: f64 = 1.0;
/// The tolerance of sums of shares, because decimals are not exact.
const ROUNDING: f64 = 1e-9;

/// Checks every partition by itself, all of them against the processors, and the switch against their slices.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    // Threads have groups of their own, with checks of their own.
    if dispatcher(root) == Some(CFS) || !root.tables(&CGROUPS).is_empty() {
        return;
    }
    both_or_none(root, problems);
    let partitions = root.tables(&PARTITIONS);
    let by_weight = dispatcher(root) == Some(PRSM);
    for partition in partitions {
        if !by_weight && partition.entry(&WEIGHT).is_none() {
            check_share(partition, problems);
        }
        check_enabled(partition, problems);
        check_thresholds(partition, problems);
    }
    if !by_weight {
        check_sum(partitions, problems);
    }
    let Some(cec) = root.table(&SHARED_PROCESSORS) else { return };
    check_processors((cec, by_weight), partitions, problems);
    check_switch(cec, partitions, problems);
}

fn both_or_none(root: &Table, problems: &mut Problems<'_>) {
    let written = |key: &Key| root.entry(key).is_some() || root.misspelt.contains(&key.name);
    let first = root.tables(&PARTITIONS).first();
    if let Some(first) = first.filter(|_| !written(&SHARED_PROCESSORS)) {
        let problem = Problem::new("a partition without a [cec]")
            .key(first.title())
            .because("its logical processors are carried by the physical ones that [cec] has")
            .allowed([format!("[{}]", CEC.name)]);
        problems.add(first.at, problem);
    }
    if let Some(cec) = root.table(&SHARED_PROCESSORS)
        && first.is_none()
        && (!written(&PARTITIONS) || root.entry(&PARTITIONS).is_some_and(|entry| entry.at == At::Nowhere))
    {
        let problem = Problem::new("a [cec] without partitions")
            .key(cec.title())
            .because("its processors carry those of partitions and nothing else")
            .allowed([format!("[[{}]]", PARTITION.name), "no [cec]: guests then compute at full speed".into()]);
        problems.add(cec.at, problem);
    }
}

fn is_dedicated(partition: &Table) -> bool {
    partition.text(&MODE) == Some(DEDICATED)
}

/// A shared partition has a target of one percent at least, and a maximum no less; a dedicated one has neither.
fn check_share(partition: &Table, problems: &mut Problems<'_>) {
    let mut problem = |key: &Key, what: String, why: &str, allowed: String| {
        let problem = Problem::new(what).key(partition.path(key)).because(why).allowed([allowed]);
        problems.add(partition.at(key), problem);
    };
    if is_dedicated(partition) {
        if partition.entry(&TARGET).is_some() {
            let why = "in mode UP each logical processor has a physical one for itself, so that there is no share";
            problem(&TARGET, "a target of a dedicated partition".into(), why, "mode = \"MP\", or no target".into());
        }
        return;
    }
    if partition.entry(&TARGET).is_none() {
        if partition.text(&MODE).is_some() && !partition.misspelt.contains(&TARGET.name) {
            let why = "in mode MP a partition shares processors, and the target says how much it gets";
            problem(&TARGET, "`target` is missing".into(), why, format!("{LEAST} % to 100 %, or mode = \"UP\""));
        }
        return;
    }
    for key in [&TARGET, &MAXIMUM] {
        if let Some(share) = partition.percent(key).filter(|share| share.percent() < LEAST) {
            let why = "the screens take 1 to 100, and with nothing it would never run";
            problem(key, format!("a {} of {} %", key.name, share.percent()), why, format!("{LEAST} % to 100 %"));
        }
    }
    let (Some(target), Some(maximum)) = (partition.percent(&TARGET), partition.percent(&MAXIMUM)) else { return };
    if maximum.percent() < target.percent() {
        let what = format!("a maximum of {} % below a target of {} %", maximum.percent(), target.percent());
        let why = "what is aimed at could never be reached";
        problem(&MAXIMUM, what, why, format!("{} % to 100 %", target.percent()));
    }
}

fn check_thresholds(partition: &Table, problems: &mut Problems<'_>) {
    let Some(cpenable) = partition.table(&CPENABLE) else { return };
    let (Some(low), Some(high)) = (cpenable.percent(&LOW), cpenable.percent(&HIGH)) else { return };
    if low.percent() > high.percent() {
        let problem = Problem::new(format!("{low} below which fewer are enabled, {high} above which more are"))
            .key(cpenable.path(&LOW))
            .because("between them as many stay enabled as are")
            .allowed([format!("0 % to {high}")]);
        problems.add(cpenable.at(&LOW), problem);
    }
}

fn check_enabled(partition: &Table, problems: &mut Problems<'_>) {
    let (Some(enabled), Some(most)) = (partition.count(&ENABLED), partition.count(&LOGICAL_PROCESSORS)) else { return };
    if enabled > most {
        let problem = Problem::new(format!("{enabled} processors enabled for I/O where there are {most}"))
            .key(partition.path(&ENABLED))
            .because(format!("{} has {} = {most}", partition.title(), LOGICAL_PROCESSORS.name))
            .allowed([format!("1 to {most}")]);
        problems.add(partition.at(&ENABLED), problem);
    }
}

/// Targets are shares of one frame.
fn check_sum(partitions: &[Table], problems: &mut Problems<'_>) {
    let mut sum = 0.0;
    let there = |partition: &&Table| !is_dedicated(partition) && partition.text(&ACTIVE) != Some(NO);
    for partition in partitions.iter().filter(there) {
        let Some(target) = partition.percent(&TARGET) else { continue };
        let before = sum;
        sum += target.percent();
        if sum > 100.0 + ROUNDING {
            let problem = Problem::new(format!("targets of {} % in all", rounded(sum)))
                .key(partition.path(&TARGET))
                .because(format!("they share one frame, and those before it have {} % of it", rounded(before)))
                .allowed([format!("up to {} %", rounded((100.0 - before).max(0.0)))]);
            problems.add(partition.at(&TARGET), problem);
            return;
        }
    }
}

/// Without the digits that adding decimals leaves behind.
fn rounded(percent: f64) -> f64 {
    (percent * 1e6).round() / 1e6
}

/// Dedicated partitions take theirs first; a shared one is on no more than are left.
fn check_processors((cec, by_weight): (&Table, bool), partitions: &[Table], problems: &mut Problems<'_>) {
    let Some(processors) = cec.count(&PROCESSORS) else { return };
    let logical = |partition: &Table| partition.count(&LOGICAL_PROCESSORS);
    let mut dedicated = 0;
    for partition in partitions.iter().filter(|partition| is_dedicated(partition)) {
        let left = processors - dedicated;
        let Some(wanted) = logical(partition) else { return };
        if wanted > left {
            let problem = Problem::new(format!("{wanted} dedicated processors where {left} are left"))
                .key(partition.path(&LOGICAL_PROCESSORS))
                .because(format!("there are {processors} physical processors, and each belongs to one partition"))
                .allowed([format!("up to {left}"), "more processors in [cec]".into()]);
            problems.add(partition.at(&LOGICAL_PROCESSORS), problem);
            return;
        }
        dedicated += wanted;
    }
    let shared = processors - dedicated;
    for partition in partitions.iter().filter(|partition| !is_dedicated(partition)) {
        // By weight each is dispatched by itself, so that there may be more of them.
        let fits = |wanted: &u32| if by_weight { shared > 0 } else { *wanted <= shared };
        let Some(wanted) = logical(partition).filter(|wanted| !fits(wanted)) else { continue };
        let why = if by_weight {
            "dedicated partitions have them all"
        } else {
            "all of a partition's logical processors are carried at once in its slice"
        };
        let problem = Problem::new(format!("{wanted} logical processors on {shared} shared physical ones"))
            .key(partition.path(&LOGICAL_PROCESSORS))
            .because(why)
            .allowed(
                (shared > 0).then(|| format!("up to {shared}")).into_iter().chain(["more processors in [cec]".into()]),
            );
        problems.add(partition.at(&LOGICAL_PROCESSORS), problem);
    }
}

/// The switch to a partition is a part of its slice, and so is what it loses there.
fn check_switch(cec: &Table, partitions: &[Table], problems: &mut Problems<'_>) {
    let plans: Option<Vec<PartitionPlan>> = partitions.iter().map(plan::partition).collect();
    let (Some(plan), Some(plans)) = (plan::cec(cec), plans) else { return };
    let DispatcherPlan::Slices(slices) = plan.dispatcher else { return };
    let rotation = Rotation::planned(slices.slice, &plans);
    if !rotation.switches() {
        return;
    }
    let turns: Vec<(usize, Span)> = (0..=plans.len())
        .filter_map(|number| rotation.turn(number))
        .filter_map(|turn| Some((turn.partition?.index(), turn.slice)))
        // A target of nothing is a problem of its own.
        .filter(|(_, slice)| !slice.is_zero())
        .collect();
    let Some(shortest) = turns.iter().map(|(_, slice)| *slice).min() else { return };
    if shortest <= plan.switch {
        let problem = Problem::new(format!("a switch of {} in slices from {shortest}", plan.switch))
            .key(cec.path(&SWITCH))
            .because("it takes the beginning of each slice, and a partition would never run in one that is no longer")
            .allowed([format!("less than {shortest}"), "longer slices".into()]);
        problems.add(cec.at(&SWITCH), problem);
        return;
    }
    for (number, partition) in partitions.iter().enumerate() {
        let reload = plans[number].reload;
        let own = turns.iter().find(|(other, slice)| *other == number && *slice <= plan.switch + reload);
        let Some((_, slice)) = own else { continue };
        let problem =
            Problem::new(format!("a reload of {reload} in slices of {slice}, with a switch of {}", plan.switch))
                .key(partition.path(&RELOAD))
                .because("both take the beginning of each slice, and nothing would ever run in what is left")
                .allowed([format!("less than {}", *slice - plan.switch), "longer slices".into()]);
        problems.add(partition.at(&RELOAD), problem);
    }
}
