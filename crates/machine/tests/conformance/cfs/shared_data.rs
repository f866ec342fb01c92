//! Common data of a group: work takes longer for as long as other threads of the group run.

use super::stand::{EXACT, Stand, burns, compute, rests, think};
use machine::plan::{CgroupPlan, SharedPlan};

/// Work takes half longer for each other thread on the chip, and as long again for one on another chip.
fn sharing(chip: u32) -> CgroupPlan {
    CgroupPlan { shared: Some(SharedPlan { near: 500_000, far: 1_000_000, chip }), ..CgroupPlan::UNLIMITED }
}

/// 4 ms of work take 6 beside the other thread, which has then done 4 of its 10; it does the other 6 alone.
#[test]
fn work_is_dearer_only_while_the_other_runs() {
    let stand = Stand::new(2, EXACT, &[sharing(2)]);
    let stand = stand.pinned(0, vec![compute(10_000), rests()]).pinned(1, vec![compute(4_000), rests()]);
    assert_eq!(stand.of(0, 30_000), [(0, 12_000)]);
    assert_eq!(stand.of(1, 30_000), [(0, 6_000)]);
}

#[test]
fn a_thread_that_comes_later_makes_running_work_dearer_from_then_on() {
    let stand = Stand::new(2, EXACT, &[sharing(1)]);
    let stand = stand.pinned(0, vec![compute(10_000), rests()]);
    let stand = stand.pinned(1, vec![think(4_000), burns()]);
    assert_eq!(stand.of(0, 30_000), [(0, 16_000)]);
}

/// One of them waits, the other group shares nothing, and neither does another cost.
#[test]
fn threads_that_do_not_run_or_are_of_other_groups_cost_nothing() {
    let stand = Stand::new(1, EXACT, &[sharing(2)]);
    let stand = stand.thread(0, vec![compute(2_000), rests()]).thread(0, vec![compute(2_000), rests()]);
    assert_eq!(stand.of(1, 30_000), [(2_000, 4_000)]);
    let stand = Stand::new(2, EXACT, &[sharing(2), CgroupPlan::UNLIMITED]);
    let stand = stand.thread(0, vec![compute(2_000), rests()]).thread(1, vec![compute(2_000), rests()]);
    assert_eq!((stand.of(0, 30_000), stand.of(1, 30_000)), (vec![(0, 2_000)], vec![(0, 2_000)]));
}

/// A quota is of processor time, not of work.
#[test]
fn dearer_work_uses_up_the_quota_sooner() {
    let limited = CgroupPlan {
        shared: sharing(2).shared,
        ..CgroupPlan::limited(units::Span::from_ms(60), units::Span::from_ms(100))
    };
    let stand = Stand::periodic(2, EXACT, &[limited]);
    let stand = stand.pinned(0, vec![compute(25_000), rests()]).pinned(1, vec![compute(25_000), rests()]);
    let first = |thread| stand.of(thread, 99_000)[0];
    assert_eq!((first(0), first(1)), ((0, 30_000), (0, 30_000)));
}
