//! Shared data of a group: work takes longer for as long as other threads of the group run.

use super::stand::{EXACT, Stand, burns, compute, limited, rests, think};
use machine::plan::{CfsPlan, CgroupPlan, SharedPlan, Sizes};
use units::Span;

/// Work takes half longer for each other thread on the chip, and as long again for one on another chip.
fn sharing(chip: u32) -> CgroupPlan {
    let sizes = Sizes { chip, book: u32::MAX };
    CgroupPlan { shared: Some(SharedPlan { near: 500_000, far: 1_000_000, sizes }), ..CgroupPlan::UNLIMITED }
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
    let stand = stand.pinned(0, vec![compute(10_000), rests()]).pinned(1, vec![think(4_000), burns()]);
    assert_eq!(stand.of(0, 30_000), [(0, 16_000)]);
}

/// Not one that waits for the same processor, nor one of another group.
#[test]
fn threads_that_do_not_run_or_are_of_other_groups_cost_nothing() {
    let works = || vec![compute(2_000), rests()];
    let stand = Stand::new(1, EXACT, &[sharing(2)]).thread(0, works()).thread(0, works());
    assert_eq!(stand.of(1, 30_000), [(2_000, 4_000)]);
    let stand = Stand::new(2, EXACT, &[sharing(2), sharing(2)]).thread(0, works()).thread(1, works());
    assert_eq!((stand.of(0, 30_000), stand.of(1, 30_000)), (vec![(0, 2_000)], vec![(0, 2_000)]));
}

/// A quota is of processor time, not of work.  Both threads are stopped when it is used up, after 30 ms each.
#[test]
fn dearer_work_uses_up_the_quota_sooner() {
    let works = || vec![compute(25_000), rests()];
    let own = CgroupPlan { shared: sharing(2).shared, ..limited(60) };
    let stand = Stand::periodic(2, EXACT, &[own]).pinned(0, works()).pinned(1, works());
    assert_eq!((stand.of(0, 99_000), stand.of(1, 99_000)), (vec![(0, 30_000)], vec![(0, 30_000)]));
}

/// Of a quota of 12 ms each processor takes 5, and the first one the last 2.  The second one is stopped after 5 ms: from
/// then on the first thread, which has done 3.33 ms of its 5, works at the usual cost.
#[test]
fn a_thread_that_a_limit_stops_costs_nothing() {
    let own = CgroupPlan { shared: sharing(2).shared, ..limited(12) };
    let stand = Stand::periodic(2, EXACT, &[own]).pinned(0, vec![compute(5_000), rests()]).pinned(1, vec![burns()]);
    assert_eq!(stand.of(0, 99_000), [(0, 6_667)]);
    assert_eq!(stand.of(1, 6_000), [(0, 5_000)]);
}

/// A slice that is over at 3 ms is noticed at the tick at 4, also where a thread elsewhere begins in between.
#[test]
fn the_end_of_a_slice_is_noticed_at_its_tick() {
    let kernel = CfsPlan { tick: Span::from_ms(4), ..EXACT };
    for begins in [3_500, 30_000] {
        let stand = Stand::new(2, kernel, &[sharing(2)]).pinned(0, vec![burns()]).pinned(0, vec![burns()]);
        let stand = stand.pinned(1, vec![think(begins), burns()]);
        assert_eq!((stand.of(0, 10_000)[0], stand.of(1, 10_000)[0].0), ((0, 4_000), 4_000), "{begins}");
    }
}
