//! Partitions over time: additions, deletions, and the share of each.

use super::{Names, dispatcher, in_time};
use crate::language::{
    ACTIVE, ADDED, CHANGED_AT, CHANGED_PARTITION, CHANGES, DEDICATED, DELETED, Key, MAXIMUM, MODE, NEW_MAXIMUM,
    NEW_ONLINE, NEW_SCHEDULING_PARAMETER, NEW_TARGET, NEW_WEIGHT, NO, PARTITION, PARTITIONS, PROMISED, PRSM,
    SHARED_PROCESSORS, SLICES, SWITCH, TARGET,
};
use crate::plan;
use crate::problems::Problems;
use crate::resolved::Table;
use machine::cec::{Rotation, Sharing};
use machine::ids::Partition;
use machine::plan::DispatcherPlan;
use units::{Percent, Problem, Span};

/// The least share that a screen takes, in percent.
const LEAST: f64 = 1.0;
/// The tolerance of sums of shares, because decimals are not exact.
const ROUNDING: f64 = 1e-9;

/// A partition as it is at a time.
#[derive(Clone, Debug)]
struct Standing {
    active: bool,
    dedicated: bool,
    target: Option<Percent>,
    maximum: Option<Percent>,
}

/// Checks what is changed against what is there at that time.
pub fn check(root: &Table, names: &Names, problems: &mut Problems<'_>) {
    for share in root.tables(&CHANGES).iter().filter_map(|change| change.table(&CHANGED_PARTITION)) {
        check_keys(root, share, names, problems);
    }
    check_parameters(root, problems);
    if root.tables(&CHANGES).iter().any(|change| change.span(&CHANGED_AT).is_none()) {
        // Without all the times the order is unknown.
        return;
    }
    let mut roster: Vec<Standing> = root.tables(&PARTITIONS).iter().map(Standing::first).collect();
    let mut slice = root.table(&SHARED_PROCESSORS).and_then(plan::cec).and_then(|cec| match cec.dispatcher {
        DispatcherPlan::Slices(slices) => Some((slices.slice, cec.switch)),
        DispatcherPlan::Prsm(_) | DispatcherPlan::Cfs(_) => None,
    });
    let changes = in_time(root);
    for (number, change) in changes.iter().enumerate() {
        let parameter = change.count(&NEW_SCHEDULING_PARAMETER);
        slice = slice.map(|(before, switch)| (parameter.map_or(before, plan::slice_at), switch));
        if !apply(change, names, &mut roster, problems) && parameter.is_none() {
            continue;
        }
        // Changes at one time are judged together.
        let more = changes[number + 1..].iter().take_while(|next| next.span(&CHANGED_AT) == change.span(&CHANGED_AT));
        if !more.into_iter().any(|next| concerns(next)) {
            check_sum(&roster, change, problems);
            check_switch(slice, &roster, change, problems);
        }
    }
}

/// Says whether a change is one of partitions.
fn concerns(change: &Table) -> bool {
    [&CHANGED_PARTITION, &NEW_SCHEDULING_PARAMETER, &ADDED, &DELETED].into_iter().any(|key| change.entry(key).is_some())
}

impl Standing {
    fn first(partition: &Table) -> Standing {
        Standing {
            active: partition.text(&ACTIVE) != Some(NO),
            dedicated: partition.text(&MODE) == Some(DEDICATED),
            target: partition.percent(&TARGET),
            maximum: partition.percent(&MAXIMUM),
        }
    }
}

/// A scheduling parameter changes where slices go round.
fn check_parameters(root: &Table, problems: &mut Problems<'_>) {
    let dispatcher = dispatcher::dispatcher(root);
    for change in root.tables(&CHANGES).iter().filter(|change| change.entry(&NEW_SCHEDULING_PARAMETER).is_some()) {
        if root.table(&SHARED_PROCESSORS).is_some() && (dispatcher == Some(SLICES) || dispatcher.is_none()) {
            continue;
        }
        let why = dispatcher.map_or("there is no [cec]".into(), |word| format!("the dispatcher is \"{word}\""));
        let problem = Problem::new("a scheduling parameter where no slices go round")
            .key(change.path(&NEW_SCHEDULING_PARAMETER))
            .because(why)
            .allowed([format!("dispatcher = \"{SLICES}\" in [cec]")]);
        problems.add(change.at(&NEW_SCHEDULING_PARAMETER), problem);
    }
}

/// The share fits the dispatcher and the partition.
fn check_keys(root: &Table, share: &Table, names: &Names, problems: &mut Problems<'_>) {
    let given: Vec<&Key> = [&NEW_TARGET, &NEW_MAXIMUM, &NEW_WEIGHT, &NEW_ONLINE]
        .into_iter()
        .filter(|k| share.entry(k).is_some())
        .collect();
    let mut refuse = |key: Option<&Key>, what: String, why: String, allowed: &str| {
        let (path, at) = key.map_or((share.title().to_string(), share.at), |key| (share.path(key), share.at(key)));
        problems.add(at, Problem::new(what).key(path).because(why).allowed([allowed]));
    };
    let dispatcher = dispatcher::dispatcher(root);
    let fitting = if dispatcher == Some(PRSM) { "weight, online" } else { "target, maximum" };
    let Some(first) = given.first() else {
        if share.misspelt.is_empty() {
            refuse(None, "nothing is changed".into(), "a share is changed by what is promised".into(), fitting);
        }
        return;
    };
    let index = share.text(&PROMISED).and_then(|name| names.index(&PARTITION, name));
    let Some(partition) = index.map(|index| &root.tables(&PARTITIONS)[index]) else { return };
    if partition.text(&MODE) == Some(DEDICATED) {
        let why = format!("{} is in mode UP: it shares nothing", partition.title());
        return refuse(
            Some(first),
            format!("a {} of a dedicated partition", first.name),
            why,
            "a partition in mode MP",
        );
    }
    let by_weight = |key: &Key| [&NEW_WEIGHT, &NEW_ONLINE].iter().any(|own| own.name == key.name);
    let foreign = |key: &Key| by_weight(key) != (dispatcher == Some(PRSM));
    if let (Some(word), Some(key)) = (dispatcher, given.iter().find(|key| foreign(key))) {
        let why = format!("it says {}", key.doc);
        refuse(Some(key), format!("`{}` with dispatcher = \"{word}\"", key.name), why, fitting);
    }
    for key in [&NEW_TARGET, &NEW_MAXIMUM] {
        if let Some(percent) = share.percent(key).filter(|percent| percent.percent() < LEAST) {
            let why = "the screens take 1 to 100, and with nothing it would never run".to_string();
            refuse(Some(key), format!("a {} of {} %", key.name, percent.percent()), why, "1 % to 100 %");
        }
    }
}

/// Carries a change out on the roster; says whether it is one of partitions.
fn apply(change: &Table, names: &Names, roster: &mut [Standing], problems: &mut Problems<'_>) -> bool {
    let at = change.span_text(&CHANGED_AT).unwrap_or_default();
    let index = |table: &Table, key: &Key| table.text(key).and_then(|name| names.index(&PARTITION, name));
    for (key, active) in [(&ADDED, true), (&DELETED, false)] {
        let Some(index) = index(change, key) else { continue };
        if roster[index].active == active {
            let name = change.text(key).unwrap_or_default();
            let (what, why, before) = if active {
                ("added", "it is there", format!("active = \"no\" in it, or a delete of `{name}` before {at}"))
            } else {
                ("deleted", "it is not there", format!("an add of `{name}` before {at}"))
            };
            let problem = Problem::new(format!("partition `{name}` is {what} at {at}, and {why}"))
                .key(change.path(key))
                .because("only what is not there is added, and only what is there is deleted")
                .allowed([before]);
            problems.add(change.at(key), problem);
        }
        roster[index].active = active;
        return true;
    }
    let Some(share) = change.table(&CHANGED_PARTITION) else { return false };
    let Some(index) = index(share, &PROMISED) else { return false };
    let standing = &mut roster[index];
    // Too small values have been refused.
    let percent = |key: &Key| share.percent(key).filter(|percent| percent.percent() >= LEAST);
    standing.target = percent(&NEW_TARGET).or(standing.target);
    standing.maximum = percent(&NEW_MAXIMUM).or(standing.maximum);
    if let (Some(target), Some(maximum)) = (standing.target, standing.maximum)
        && maximum.percent() < target.percent()
    {
        let key: &Key = if share.entry(&NEW_MAXIMUM).is_some() { &NEW_MAXIMUM } else { &NEW_TARGET };
        let problem =
            Problem::new(format!("a maximum of {} % below a target of {} %", maximum.percent(), target.percent()))
                .key(share.path(key))
                .because(format!("so it is from {at} on, and the target could never be reached"))
                .allowed([format!("a maximum of {} % to 100 %", target.percent())]);
        problems.add(share.at(key), problem);
    }
    true
}

/// Targets are shares of one frame, whenever they change.
fn check_sum(roster: &[Standing], change: &Table, problems: &mut Problems<'_>) {
    let there = roster.iter().filter(|standing| standing.active && !standing.dedicated);
    let sum: f64 = there.filter_map(|standing| standing.target).map(Percent::percent).sum();
    if sum > 100.0 + ROUNDING {
        let at = change.span_text(&CHANGED_AT).unwrap_or_default();
        let problem = Problem::new(format!("targets of {} % in all from {at} on", (sum * 1e6).round() / 1e6))
            .key(change.path(&CHANGED_AT))
            .because("they share one frame")
            .allowed(["up to 100 % of those that are there"]);
        problems.add(change.at(&CHANGED_AT), problem);
    }
}

/// A slice stays longer than the switch that begins it.
fn check_switch(slice: Option<(Span, Span)>, roster: &[Standing], change: &Table, problems: &mut Problems<'_>) {
    let Some((slice, switch)) = slice else { return };
    let sharing = roster.iter().enumerate().filter_map(|(number, standing)| {
        let (true, false) = (standing.active, standing.dedicated) else { return None };
        Some(Sharing { partition: Partition(number as u32), target: standing.target?, maximum: standing.maximum? })
    });
    let rotation = Rotation::new(slice, sharing);
    let turns = (0..=roster.len()).filter_map(|number| rotation.turn(number));
    let shortest = turns.filter(|turn| turn.partition.is_some()).map(|turn| turn.slice).min();
    let Some(slice) = shortest.filter(|slice| *slice <= switch && rotation.switches()) else { return };
    let at = change.span_text(&CHANGED_AT).unwrap_or_default();
    let problem = Problem::new(format!("slices from {slice} where a switch takes {switch}"))
        .key(change.path(&CHANGED_AT))
        .because(format!("so it is from {at} on, and {} takes the beginning of each slice", SWITCH.name))
        .allowed(["a shorter switch", "a larger share of the smallest"]);
    problems.add(change.at(&CHANGED_AT), problem);
}
