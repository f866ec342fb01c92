//! Fair shares: the order of threads and of groups, and preemption among them.
//!
//! Source: sched-eevdf, sched-nice-design, cgroup-v2.  Base slices have 3 ms; V is virtual time in ms at the weight 1024.

use super::stand::{EXACT, Stand, burns, compute, rests, think};
use machine::plan::{CfsPlan, CgroupPlan};

const MS: i64 = 1_000;

/// One processor and these groups.
fn one(kernel: CfsPlan, groups: &[CgroupPlan]) -> Stand {
    Stand::new(1, kernel, groups)
}

fn alone() -> Stand {
    one(EXACT, &[CgroupPlan::UNLIMITED])
}

/// The threads that ran and the end of each run, in ms; one after the other without a gap.
fn order(stand: &Stand, until: u64) -> Vec<(u32, i64)> {
    let runs = stand.runs(until);
    assert!(runs.windows(2).all(|pair| pair[0].3 == pair[1].2), "{runs:?}");
    runs.into_iter().map(|(_, who, _, to)| (who, (to + MS / 2) / MS)).collect()
}

#[test]
fn equals_have_base_slices_by_turns() {
    let stand = alone().thread(0, vec![burns()]).thread(0, vec![burns()]);
    assert_eq!(order(&stand, 12_000), [(0, 3), (1, 6), (0, 9), (1, 12)]);
    let short = CfsPlan { base_slice: units::Span::from_ms(1), ..EXACT };
    let stand = one(short, &[CgroupPlan::UNLIMITED]).thread(0, vec![burns()]).thread(0, vec![burns()]);
    assert_eq!(order(&stand, 3_000), [(0, 1), (1, 2), (0, 3)]);
}

#[test]
fn a_thread_alone_is_not_interrupted() {
    let stand = alone().thread(0, vec![compute(20_000), rests()]);
    assert_eq!(stand.runs(100_000), [(0, 0, 0, 20 * MS)]);
}

/// Weights of 1024 and 336: the heavy one is at V 3 after 3 ms, the light one at V 9.14.  The mean is then 4.52, 6.78 and
/// 9.04 before each of the heavy one's base slices, and 11.29 when it is at V 12.
#[test]
fn a_heavier_thread_goes_on_until_it_is_ahead_of_the_mean() {
    let stand = alone().told((0, 0, None), vec![burns()]).told((0, 5, None), vec![burns()]);
    assert_eq!(order(&stand, 18_000), [(0, 3), (1, 6), (0, 15), (1, 18)]);
}

/// Weights of 1024 and 3072: the heavy group is at V 1, 2, 3 and 4 after its base slices, the light one at V 3 after its
/// own.  At V 3 both stand at the mean, and the heavy one's deadline is V 4.
#[test]
fn groups_go_by_the_same_rule() {
    let weighing = |weight| CgroupPlan { weight, ..CgroupPlan::UNLIMITED };
    let stand = one(EXACT, &[weighing(100), weighing(300)]).thread(0, vec![burns()]).thread(1, vec![burns()]);
    let runs: Vec<_> = order(&stand, 18_000).into_iter().filter(|(_, to)| *to > 0).collect();
    assert_eq!(runs, [(1, 3), (0, 6), (1, 15), (0, 18)]);
}

/// A group of two has no more than a group of one.
#[test]
fn threads_divide_what_their_group_has() {
    let stand = one(EXACT, &[CgroupPlan::UNLIMITED; 2])
        .thread(0, vec![burns()])
        .thread(0, vec![burns()])
        .thread(1, vec![burns()]);
    let had = |thread| stand.of(thread, 120_000).iter().map(|(from, to)| to - from).sum::<i64>() / MS;
    assert_eq!([0, 1, 2].map(had), [30, 30, 60]);
}

/// The burner has the weight 336 and a base slice from 9 to 12.
fn waker(wakeup_preemption: bool) -> Stand {
    let burner = (0..9).map(|_| compute(9_000)).collect();
    one(CfsPlan { wakeup_preemption, ..EXACT }, &[CgroupPlan::UNLIMITED])
        .told((0, 5, None), burner)
        .told((0, 0, None), vec![think(10_000), compute(1_000), rests()])
}

#[test]
fn a_thread_that_wakes_with_the_earlier_deadline_preempts() {
    assert_eq!(waker(true).of(1, 50_000), [(10 * MS, 11 * MS)]);
}

#[test]
fn without_wakeup_preemption_the_running_thread_has_its_base_slice_first() {
    assert_eq!(waker(false).of(1, 50_000), [(12 * MS, 13 * MS)]);
}

#[test]
fn a_thread_that_wakes_with_a_later_deadline_waits_for_its_turn() {
    let burner = (0..9).map(|_| compute(9_000)).collect();
    let stand = alone().told((0, 0, None), burner).told((0, 5, None), vec![think(10_000), compute(1_000), rests()]);
    assert_eq!(stand.of(1, 50_000), [(12 * MS, 13 * MS)]);
}

/// It is at V 2 when it sleeps, the other one (weight 336) at V 1.52 when it wakes: it is ahead of the mean, V 1.88, so that the
/// other one has its base slice.
#[test]
fn a_sleeper_comes_back_with_the_time_it_had_run_ahead() {
    let stand = alone()
        .told((0, 0, None), vec![compute(2_000), think(500), compute(1_000), rests()])
        .told((0, 5, None), vec![burns()]);
    assert_eq!(stand.of(0, 50_000), [(0, 2 * MS), (5 * MS, 6 * MS)]);
}

/// It is at V 1 when it sleeps and the mean is at V 2. When it wakes it is at V 6.5, as the other one is, and has the same
/// deadline.
#[test]
fn a_sleeper_does_not_come_back_with_the_time_it_was_owed() {
    let sleeper = vec![compute(1_000), think(3_500), compute(1_000), rests()];
    let stand = alone().thread(0, vec![burns()]).thread(0, sleeper);
    assert_eq!(stand.of(1, 50_000), [(3 * MS, 4 * MS), (10_500, 11_500)]);
}

/// Otherwise a thread that computes in pieces of which some end with a base slice would never be preempted.
#[test]
fn a_thread_that_computes_on_after_its_base_slice_has_no_other_one() {
    for pieces in [3_000, 1_500, 1_000] {
        let program: Vec<_> = (0..50).map(|_| compute(pieces)).collect();
        let stand = alone().thread(0, program.clone()).thread(0, program);
        assert_eq!(order(&stand, 12_000), [(0, 3), (1, 6), (0, 9), (1, 12)], "{pieces} us");
    }
}

/// Its base slice is over at 3 ms, and a step of it every half millisecond; the tick at 4 ms notices.
#[test]
fn the_end_of_a_step_need_not_notice_the_end_of_a_slice() {
    let kernel = CfsPlan { tick: units::Span::from_ms(4), steps_notice: false, ..EXACT };
    let program: Vec<_> = (0..50).map(|_| compute(500)).collect();
    let stand = one(kernel, &[CgroupPlan::UNLIMITED]).thread(0, program.clone()).thread(0, program);
    assert_eq!(order(&stand, 12_000), [(0, 4), (1, 8), (0, 12)]);
}

#[test]
fn a_thread_that_computes_on_has_not_woken() {
    let stand = alone().thread(0, vec![compute(1_000), compute(1_000), think(1_000), compute(1_000), rests()]);
    let ran = |(_, what): &(i64, machine::signal::Threading)| matches!(what, machine::signal::Threading::Ran(..));
    assert_eq!(stand.said(50_000).iter().filter(|signal| ran(signal)).count(), 2);
}
