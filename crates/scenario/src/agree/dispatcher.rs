//! Dispatchers: what goes with slices does not go with weights, and the other way round.

use super::control_programs;
use crate::language::{
    BANDWIDTH_SLICE, BASE_SLICE, CAP, CAPPED, CFS, CGROUPS, DEDICATED, DISPATCHER, DISPATCHING, Key,
    LOGICAL_PROCESSORS, MAXIMUM, MODE, OF_GROUP, ONLINE, PARTITIONS, POLARIZATION, PREEMPTION, PRSM, RUN_TIME,
    SCHED_YIELD, SCHEDULING_PARAMETER, SHARED_PROCESSORS, SLICE, SLICE_ENDS, SLICES, SWITCH, TARGET, TICK, VERTICAL,
    WAIT_COMPLETION, WAKEUP_PREEMPTION, WEIGHT, YES,
};
use crate::plan;
use crate::problems::Problems;
use crate::resolved::{Entry, Origin, Table, Value};
use crate::text::At;
use machine::cec::prsm::LEAST;
use machine::plan::DispatcherPlan;
use units::Problem;

const OF_SLICES: [&Key; 3] = [&SCHEDULING_PARAMETER, &SLICE, &DISPATCHING];
const OF_PRSM: [&Key; 3] = [&RUN_TIME, &WAIT_COMPLETION, &PREEMPTION];
const OF_CFS: [&Key; 6] = [&BANDWIDTH_SLICE, &BASE_SLICE, &TICK, &WAKEUP_PREEMPTION, &SLICE_ENDS, &SCHED_YIELD];
const SHARES_OF_SLICES: [&Key; 2] = [&TARGET, &MAXIMUM];
const SHARES_OF_PRSM: [&Key; 6] = [&WEIGHT, &CAPPED, &CAP, &OF_GROUP, &ONLINE, &POLARIZATION];

/// By which rules processors go round, as far as it is known.
pub fn dispatcher(root: &Table) -> Option<&'static str> {
    let word = root.table(&SHARED_PROCESSORS)?.text(&DISPATCHER)?;
    Some([PRSM, CFS].into_iter().find(|other| word == *other).unwrap_or(SLICES))
}

/// Sets the dispatcher where the scenario does not.
pub fn work_out(root: &mut Table) {
    let partitions = root.tables(&PARTITIONS);
    let dedicated = |one: &Table| one.text(&MODE) == Some(DEDICATED) && one.entry(&TARGET).is_none();
    let alone = !partitions.is_empty() && partitions.iter().all(dedicated);
    let threads = partitions.is_empty() && !root.tables(&CGROUPS).is_empty();
    let Some(cec) = root.table_mut(&SHARED_PROCESSORS) else { return };
    let written =
        |key: &Key| cec.misspelt.contains(&key.name) || cec.entry(key).is_some_and(|entry| !entry.is_default());
    let sliced = OF_SLICES.into_iter().any(written);
    let (word, why) = if threads {
        (CFS, "there are cgroups")
    } else if alone && !sliced {
        (PRSM, "no partition shares processors, and nothing goes round in slices")
    } else {
        (SLICES, "as in both domains of the study")
    };
    let meant = cec.text(&DISPATCHER) == Some(word);
    match cec.entries.iter_mut().find(|entry| std::ptr::eq(entry.key, &DISPATCHER)) {
        // It was changed after it had been written out.
        Some(entry) if entry.is_default() => entry.origin = if meant { Origin::Default(why) } else { Origin::Written },
        Some(_) => {}
        None => cec.put(Entry {
            key: &DISPATCHER,
            value: Value::Text(word.into()),
            at: At::Nowhere,
            origin: Origin::Default(why),
        }),
    }
}

/// Takes back the defaults of a dispatcher that is not in use.
pub fn settle(root: &mut Table) {
    let Some(dispatcher) = dispatcher(root) else { return };
    let foreign: Vec<&Key> = foreign(dispatcher).collect();
    let cec = root.table_mut(&SHARED_PROCESSORS).expect("there is one");
    cec.entries.retain(|entry| !(entry.is_default() && foreign.iter().any(|key| std::ptr::eq(*key, entry.key))));
}

/// The keys of other dispatchers.
fn foreign(dispatcher: &str) -> impl Iterator<Item = &'static Key> {
    let keys = [(SLICES, &OF_SLICES[..]), (PRSM, &OF_PRSM[..]), (CFS, &OF_CFS[..])];
    keys.into_iter().filter(move |(other, _)| *other != dispatcher).flat_map(|(_, keys)| keys.iter().copied())
}

/// Whose key it is.
fn owner(key: &Key) -> &'static str {
    let own = |keys: &[&Key]| keys.iter().any(|other| std::ptr::eq(*other, key));
    if own(&OF_CFS) {
        CFS
    } else if own(&OF_PRSM) {
        PRSM
    } else {
        SLICES
    }
}

/// Checks the processors, and every partition for keys of the other dispatcher.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    let (Some(cec), Some(dispatcher)) = (root.table(&SHARED_PROCESSORS), dispatcher(root)) else { return };
    for key in foreign(dispatcher) {
        refuse(cec, key, (dispatcher, owner(key)), problems);
    }
    if dispatcher == CFS {
        return;
    }
    let shares = if dispatcher == PRSM { &SHARES_OF_SLICES[..] } else { &SHARES_OF_PRSM[..] };
    let other = if dispatcher == PRSM { SLICES } else { PRSM };
    for partition in root.tables(&PARTITIONS) {
        // That both are given has been said.
        if partition.entry(&TARGET).is_none() || partition.entry(&WEIGHT).is_none() {
            let written = |key: &&&Key| partition.entry(key).is_some_and(|entry| !entry.is_default());
            shares.iter().filter(written).for_each(|key| refuse(partition, key, (dispatcher, other), problems));
        }
        check_weight(partition, dispatcher, problems);
    }
    let chosen = [&SCHEDULING_PARAMETER, &SLICE];
    let none = chosen.iter().all(|key| cec.entry(key).is_none() && !cec.misspelt.contains(&key.name));
    if dispatcher == SLICES && none {
        let names = chosen.map(|key| key.name);
        let problem = Problem::new(format!("none of {}", names.join(", ")))
            .key(cec.title())
            .because("the length of a slice comes from the scheduling parameter or is given, not both")
            .allowed(names.map(|name| format!("{name} = ...")));
        problems.add(cec.at, problem);
    }
    check_switch(cec, problems);
}

fn refuse(table: &Table, key: &Key, (dispatcher, other): (&str, &str), problems: &mut Problems<'_>) {
    if table.entry(key).is_some() {
        let problem = Problem::new(format!("`{}` with dispatcher = \"{dispatcher}\"", key.name))
            .key(table.path(key))
            .because(format!("it says {}", key.doc))
            .allowed([format!("dispatcher = \"{other}\""), format!("no `{}`", key.name)]);
        problems.add(table.at(key), problem);
    }
}

/// A partition that shares by weight has one, and its caps can be kept; a dedicated one has none.
fn check_weight(partition: &Table, dispatcher: &str, problems: &mut Problems<'_>) {
    if partition.text(&MODE) == Some(DEDICATED) {
        if partition.entry(&WEIGHT).is_some() && dispatcher == PRSM {
            let problem = Problem::new("a weight of a dedicated partition")
                .key(partition.path(&WEIGHT))
                .because("in mode UP each logical processor has a physical one for itself, so that there is no share")
                .allowed(["mode = \"MP\", or no weight"]);
            problems.add(partition.at(&WEIGHT), problem);
        }
        return;
    }
    let lacks = |key: &Key| partition.entry(key).is_none() && !partition.misspelt.contains(&key.name);
    if dispatcher == PRSM && partition.text(&MODE).is_some() && lacks(&WEIGHT) && lacks(&TARGET) {
        let problem = Problem::new("`weight` is missing")
            .key(partition.path(&WEIGHT))
            .because("in mode MP a partition shares processors, and with PR/SM its weight says how much it gets")
            .allowed(["1 to 999, or mode = \"UP\""]);
        problems.add(partition.at(&WEIGHT), problem);
    }
    if let (Some(cap), Some(logical)) = (partition.number(&CAP), partition.count(&LOGICAL_PROCESSORS))
        && cap > f64::from(logical)
    {
        let problem = Problem::new(format!("a cap of {cap} processors where there are {logical}"))
            .key(partition.path(&CAP))
            .because(format!("{} has {} = {logical}, and never gets more", partition.title(), LOGICAL_PROCESSORS.name))
            .allowed([format!("0.01 to {logical}"), "no cap".into()]);
        problems.add(partition.at(&CAP), problem);
    }
    if partition.text(&CAPPED) == Some(YES) && control_programs::polarization(partition) == Some(VERTICAL) {
        let problem = Problem::new("a capped partition with vertical polarization")
            .key(partition.path(&CAPPED))
            .because(
                "its low processors are entitled to nothing, and with that as a cap what they have begun never ends",
            )
            .allowed(["capped = \"no\"", "cap = ...", "polarization = \"horizontal\""]);
        problems.add(partition.at(&CAPPED), problem);
    }
}

/// The switch to a logical processor is a part of its run.
fn check_switch(cec: &Table, problems: &mut Problems<'_>) {
    let Some(plan) = plan::cec(cec) else { return };
    let DispatcherPlan::Prsm(prsm) = plan.dispatcher else { return };
    let run = prsm.run_time.unwrap_or(LEAST);
    if plan.switch >= run {
        let problem = Problem::new(format!("a switch of {} in runs from {run}", plan.switch))
            .key(cec.path(&SWITCH))
            .because("it takes the beginning of each run, and a run that is no longer would have no time for programs")
            .allowed([format!("less than {run}"), "longer runs".into()]);
        problems.add(cec.at(&SWITCH), problem);
    }
}
