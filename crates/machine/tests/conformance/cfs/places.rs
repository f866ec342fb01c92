//! Places: on which processor a thread goes when it wakes, and which one takes it from there.
//!
//! Source: sched-domains for what a processor does that has nothing to do; the rest ASSUME.

use super::stand::{EXACT, Stand, burns, compute, rests, think};
use machine::ids::Group;
use machine::plan::CgroupPlan;
use machine::signal::Threading;

const MS: i64 = 1_000;

fn machine(processors: u32) -> Stand {
    Stand::new(processors, EXACT, &[CgroupPlan::UNLIMITED])
}

/// Where a thread ran, and from when on, in us.
fn places(stand: &Stand, thread: u32, until: u64) -> Vec<(u32, i64)> {
    stand
        .runs(until)
        .into_iter()
        .filter(|run| run.1 == thread)
        .map(|(processor, _, from, _)| (processor, from))
        .collect()
}

fn migrations(stand: &Stand, guest: u32, until: u64) -> usize {
    let own = |(_, what): &(i64, Threading)| matches!(what, Threading::Migrated(group) if *group == Group(guest));
    stand.said(until).iter().filter(|signal| own(signal)).count()
}

#[test]
fn new_threads_go_to_idle_processors() {
    let stand = machine(3).thread(0, vec![burns()]).thread(0, vec![burns()]).thread(0, vec![burns()]);
    assert_eq!(stand.runs(9_000), [(0, 0, 0, 9 * MS), (1, 1, 0, 9 * MS), (2, 2, 0, 9 * MS)]);
}

#[test]
fn where_all_run_a_new_one_goes_where_fewest_are() {
    let stand = machine(2)
        .pinned(0, vec![burns()])
        .pinned(0, vec![burns()])
        .pinned(1, vec![burns()])
        .thread(0, vec![think(1_000), compute(1_000), rests()]);
    assert_eq!(places(&stand, 3, 50_000)[0].0, 1);
}

#[test]
fn a_thread_wakes_where_it_was_last_if_that_processor_is_idle() {
    let stand = machine(3)
        .pinned(0, vec![compute(1_000), rests()])
        .pinned(1, vec![compute(2_000), rests()])
        .thread(0, vec![compute(1_000), think(5_000), compute(1_000), rests()]);
    assert_eq!(places(&stand, 2, 50_000), [(2, 0), (2, 6 * MS)], "all are free at 6");
    assert_eq!(migrations(&stand, 2, 50_000), 0);
}

#[test]
fn else_on_an_idle_processor() {
    let stand = machine(2)
        .thread(0, vec![compute(1_000), think(5_000), compute(1_000), rests()])
        .pinned(0, vec![think(2_000), burns()]);
    assert_eq!(places(&stand, 0, 50_000), [(0, 0), (1, 6 * MS)]);
    assert_eq!(migrations(&stand, 0, 50_000), 1);
}

#[test]
fn else_where_it_was_last() {
    let stand = machine(2)
        .pinned(0, vec![burns()])
        .pinned(0, vec![burns()])
        .thread(0, vec![compute(1_000), think(5_000), compute(1_000), rests()])
        .pinned(1, vec![think(2_000), burns()]);
    let own = places(&stand, 2, 50_000);
    assert_eq!((own.len(), own[0], own[1].0), (2, (1, 0), 1));
}

#[test]
fn a_pinned_thread_waits_for_its_processor() {
    let stand = machine(2).pinned(0, vec![burns()]).pinned(0, vec![compute(1_000), rests()]);
    assert_eq!(places(&stand, 1, 50_000), [(0, 3 * MS)], "the other one is free all the time");
}

#[test]
fn a_processor_with_nothing_to_do_takes_a_thread_that_waits() {
    let stand = machine(2)
        .pinned(0, vec![burns()])
        .pinned(1, vec![compute(2_000), rests()])
        .thread(0, vec![think(500), burns()]);
    assert_eq!(stand.runs(9_000), [(0, 0, 0, 9 * MS), (1, 1, 0, 2 * MS), (1, 2, 2 * MS, 9 * MS)]);
    assert_eq!(migrations(&stand, 2, 9_000), 1);
}

/// One waits on the first processor, and three on the second, two of them pinned.
#[test]
fn it_takes_it_from_where_most_are() {
    let stand = machine(3)
        .pinned(0, vec![burns()])
        .pinned(1, vec![burns()])
        .pinned(2, vec![compute(2_000), rests()])
        .pinned(2, vec![compute(500), rests()])
        .thread(0, vec![think(100), burns()])
        .thread(0, vec![think(200), burns()])
        .pinned(1, vec![think(300), burns()])
        .pinned(1, vec![think(300), burns()]);
    assert_eq!(places(&stand, 5, 9_000), [(2, 2_500)]);
    assert_eq!(places(&stand, 4, 9_000)[0].0, 0);
}

#[test]
fn it_takes_no_thread_that_runs_or_is_pinned() {
    let stand = machine(2)
        .thread(0, vec![burns()])
        .pinned(1, vec![compute(2_000), rests()])
        .pinned(0, vec![think(500), burns()]);
    assert!(stand.runs(30_000).iter().all(|(processor, who, ..)| *processor == 0 || *who == 1));
}
