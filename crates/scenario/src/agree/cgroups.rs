//! Groups of threads: they have a [cec] with the dispatcher that is theirs, and limits that a kernel takes and processors can give.

use super::dispatcher::dispatcher;
use crate::language::{
    CFS, CGROUP, CGROUPS, CPU_MAX, CPU_MAX_BURST, DISPATCHER, GUESTS, Key, LAID_OUT, MACHINE, NICE, PARTITIONS, PINNED,
    PROCESSORS, RUNS_IN_CGROUP, SHARED_DATA, SHARED_DATA_FAR, SHARED_PROCESSORS,
};
use crate::limit::{self, Limit};
use crate::problems::Problems;
use crate::resolved::Table;
use std::collections::BTreeSet;
use units::{Problem, Span};

/// Checks the groups, and where threads may run.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    belong(root, problems);
    let processors = root.table(&SHARED_PROCESSORS).and_then(|cec| cec.count(&PROCESSORS));
    for group in root.tables(&CGROUPS) {
        check_limit(group, processors, problems);
        check_far(root, group, problems);
    }
    for guest in root.tables(&GUESTS) {
        check_thread(guest, processors, problems);
    }
}

/// Groups go with the dispatcher that is theirs, and with no partitions.
fn belong(root: &Table, problems: &mut Problems<'_>) {
    let written = |key: &Key| root.entry(key).is_some() || root.misspelt.contains(&key.name);
    let threads = dispatcher(root) == Some(CFS);
    if let Some(first) = root.tables(&CGROUPS).first() {
        if !written(&SHARED_PROCESSORS) {
            let problem = Problem::new("a cgroup without a [cec]")
                .key(first.title())
                .because("its threads run on the processors that [cec] has")
                .allowed(["[cec] with processors = ..., dispatcher = \"cfs\""]);
            problems.add(first.at, problem);
        }
        if let Some(cec) = root.table(&SHARED_PROCESSORS)
            && !threads
            && dispatcher(root).is_some()
        {
            let problem = Problem::new("a cgroup where threads do not compete for processors")
                .key(cec.path(&DISPATCHER))
                .because(format!("{} is a group of threads, and slices and weights go to partitions", first.title()))
                .allowed([format!("dispatcher = \"{CFS}\""), "[[partition]] in place of [[cgroup]]".into()]);
            problems.add(cec.at(&DISPATCHER), problem);
        }
        if let Some(partition) = root.tables(&PARTITIONS).first() {
            let problem = Problem::new("partitions beside cgroups")
                .key(partition.title())
                .because("processors go to partitions, or threads compete for them, not both in one machine")
                .allowed(["[[cgroup]] only, or [[partition]] only"]);
            problems.add(partition.at, problem);
        }
    } else if let Some(cec) = root.table(&SHARED_PROCESSORS)
        && threads
        && !written(&CGROUPS)
    {
        let problem = Problem::new("no cgroups")
            .key(cec.path(&DISPATCHER))
            .because("with this dispatcher threads compete for processors, in groups, and nothing else does")
            .allowed([format!("[[{}]]", CGROUP.name), "another dispatcher, and partitions".into()]);
        problems.add(cec.at(&DISPATCHER), problem);
    }
}

/// A cost between chips needs chips, and one within a chip; what is farther away costs no less.
fn check_far(root: &Table, group: &Table, problems: &mut Problems<'_>) {
    let written = |table: &Table, key: &Key| table.entry(key).is_some() || table.misspelt.contains(&key.name);
    if group.entry(&SHARED_DATA_FAR).is_none() {
        return;
    }
    let chips = written(root, &LAID_OUT) || root.table(&SHARED_PROCESSORS).is_some_and(|cec| written(cec, &MACHINE));
    let costs = group.percent(&SHARED_DATA).zip(group.percent(&SHARED_DATA_FAR));
    let (what, why, allowed) = if !written(group, &SHARED_DATA) {
        (
            "a cost of shared data between chips alone",
            "it replaces `shared_data` on other chips",
            "shared_data = \"2 %\"",
        )
    } else if !chips {
        let why = "the scenario does not say how many processors a chip has";
        ("a cost of shared data between chips without chips", why, "[topology], or machine = \"generic\" in [cec]")
    } else if costs.is_some_and(|(near, far)| far.fraction() < near.fraction()) {
        let why = "what is farther away costs no less";
        ("a cost of shared data that is lower between chips than within one", why, "at least `shared_data`")
    } else {
        return;
    };
    let problem = Problem::new(what).key(group.path(&SHARED_DATA_FAR)).because(why);
    problems.add(group.at(&SHARED_DATA_FAR), problem.allowed([allowed, "no `shared_data_far`"]));
}

/// A kernel takes the limit, and the processors can give it.
fn check_limit(group: &Table, processors: Option<u32>, problems: &mut Problems<'_>) {
    let mut problem = |key: &Key, what: String, why: String, allowed: String| {
        let problem = Problem::new(what).key(group.path(key)).because(why).allowed([allowed]);
        problems.add(group.at(key), problem);
    };
    let burst = group.text(&CPU_MAX_BURST).map(limit::span);
    if let Some(None) = burst {
        let what =
            format!("`{}` is no span of time", crate::text::clip(group.text(&CPU_MAX_BURST).unwrap_or_default()));
        problem(
            &CPU_MAX_BURST,
            what,
            "it is one span, with its unit or in microseconds".into(),
            "\"10 ms\", \"10000\"".into(),
        );
    }
    let Some(text) = group.text(&CPU_MAX) else { return };
    let limit = match limit::read(text) {
        Ok(limit) => limit,
        Err(why) => {
            let what = format!("`{}` is no limit", crate::text::clip(text));
            return problem(&CPU_MAX, what, why.into(), limit::SHAPE.into());
        }
    };
    let burst = burst.flatten().unwrap_or(Span::ZERO);
    let Some(Limit { quota, period }) = limit else {
        if !burst.is_zero() {
            let why = "without a limit there is nothing to save".to_string();
            problem(
                &CPU_MAX_BURST,
                format!("a burst of {burst} of a group without a limit"),
                why,
                "cpu.max = \"20 ms 100 ms\"".into(),
            );
        }
        return;
    };
    if quota < limit::LEAST {
        let why = format!("the kernel takes no quota below {}", limit::LEAST);
        problem(&CPU_MAX, format!("a quota of {quota}"), why, format!("{} or more", limit::LEAST));
    }
    if period < limit::LEAST || period > limit::LONGEST {
        let why = format!("the kernel takes periods from {} to {}", limit::LEAST, limit::LONGEST);
        problem(&CPU_MAX, format!("a period of {period}"), why, format!("{} to {}", limit::LEAST, limit::LONGEST));
    } else if let Some(processors) = processors.filter(|processors| quota > period * u64::from(*processors)) {
        let most = period * u64::from(processors);
        let why =
            format!("{processors} processors give {most} in a period of {period}, so that it would never be reached");
        problem(
            &CPU_MAX,
            format!("a quota of {quota} in {period}"),
            why,
            format!("up to {most}, \"max\", more processors in [cec]"),
        );
    }
    if burst > quota {
        let why = "the kernel takes no burst above the quota".to_string();
        problem(&CPU_MAX_BURST, format!("a burst of {burst} with a quota of {quota}"), why, format!("0 to {quota}"));
    }
}

/// Nice levels are whole, and a thread is pinned to a processor that there is.
fn check_thread(guest: &Table, processors: Option<u32>, problems: &mut Problems<'_>) {
    if let Some(nice) = guest.number(&NICE).filter(|nice| nice.fract() != 0.0) {
        let problem = Problem::new(format!("a nice level of {nice}"))
            .key(guest.path(&NICE))
            .because("nice levels are whole numbers")
            .allowed(["-20 to 19"]);
        problems.add(guest.at(&NICE), problem);
    }
    if let (Some(pinned), Some(processors)) = (guest.count(&PINNED), processors)
        && pinned >= processors
    {
        let problem = Problem::new(format!("threads on processor {pinned} where there are {processors}"))
            .key(guest.path(&PINNED))
            .because("processors are counted from zero")
            .allowed([format!("0 to {}", processors - 1), "more processors in [cec]".into()]);
        problems.add(guest.at(&PINNED), problem);
    }
}

/// Names the groups that have no threads.
pub fn doubts(root: &Table, warnings: &mut Problems<'_>) {
    let inhabited: BTreeSet<&str> =
        root.tables(&GUESTS).iter().filter_map(|guest| guest.text(&RUNS_IN_CGROUP)).collect();
    super::unused::unused(root.tables(&CGROUPS), &inhabited, "no guest runs in it", warnings);
}
