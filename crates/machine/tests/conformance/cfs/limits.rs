//! Quotas: which thread runs until it is throttled, on which processor, and when it resumes.
//!
//! Source: sched-bwc; what goes back and when, ASSUME as the kernel does.

use super::stand::{EXACT, Stand, burns, compute, limited, rests, think};
use machine::ids::Group;
use machine::plan::{CfsPlan, CgroupPlan, LimitPlan};
use machine::signal::Threading;
use units::Span;

const MS: i64 = 1_000;

/// Runs in ms, as long as they are whole.
fn ms(runs: &[(i64, i64)]) -> Vec<(i64, i64)> {
    assert!(runs.iter().all(|(from, to)| from % MS == 0 && to % MS == 0), "{runs:?}");
    runs.iter().map(|(from, to)| (from / MS, to / MS)).collect()
}

/// When periods ended, in ms, and whether a group was stopped then.
fn periods(stand: &Stand, until: u64) -> Vec<(i64, bool)> {
    let period = |(at, what): (i64, Threading)| match what {
        Threading::Period { throttled, .. } => Some((at / MS, throttled)),
        Threading::Runnable(_) | Threading::Ran(..) | Threading::Migrated(_) | Threading::Stopped { .. } => None,
    };
    stand.said(until).into_iter().filter_map(period).collect()
}

/// Late by a millisecond, so that nothing falls on the end of a period.
fn late(program: Vec<machine::plan::Step>) -> Vec<machine::plan::Step> {
    [vec![think(1_000)], program].concat()
}

#[test]
fn a_thread_runs_for_the_quota_in_each_period() {
    let stand = Stand::periodic(1, EXACT, &[limited(20)]).pinned(0, late(vec![burns()]));
    assert_eq!(ms(&stand.of(0, 250_000)), [(1, 21), (100, 120), (200, 220)]);
}

#[test]
fn all_processors_together_run_for_the_quota() {
    let stand = Stand::periodic(2, EXACT, &[limited(20)]).pinned(0, late(vec![burns()])).pinned(1, late(vec![burns()]));
    assert_eq!(stand.runs(99_000), [(0, 0, MS, 11 * MS), (1, 1, MS, 11 * MS)]);
}

/// The last slice is what is left: one of them gets it, the other one is stopped.
#[test]
fn processors_take_runtime_in_slices_on_demand() {
    let two = |kernel| {
        Stand::periodic(2, kernel, &[limited(12)]).pinned(0, late(vec![burns()])).pinned(1, late(vec![burns()]))
    };
    let stand = two(EXACT);
    assert_eq!((ms(&stand.of(0, 99_000)), ms(&stand.of(1, 99_000))), (vec![(1, 8)], vec![(1, 6)]), "7 and 5");
    let stand = two(CfsPlan { bandwidth_slice: Span::from_ms(1), ..EXACT });
    assert_eq!((ms(&stand.of(0, 99_000)), ms(&stand.of(1, 99_000))), (vec![(1, 7)], vec![(1, 7)]), "6 each");
}

#[test]
fn a_group_without_limit_has_the_rest_of_the_stopped() {
    let stand = Stand::periodic(1, EXACT, &[limited(20), CgroupPlan::UNLIMITED])
        .thread(0, late(vec![burns()]))
        .thread(1, late(vec![burns()]));
    let own = ms(&stand.of(0, 99_000));
    assert_eq!(own, [(1, 4), (7, 10), (13, 16), (19, 22), (25, 28), (31, 34), (37, 39)], "base slices by turns: 20");
    assert_eq!(ms(&stand.of(1, 99_000)).last(), Some(&(39, 99)));
}

#[test]
fn what_a_processor_does_not_need_others_get() {
    let stand = Stand::periodic(2, EXACT, &[limited(10)])
        .pinned(0, late(vec![compute(2_000), rests()]))
        .pinned(1, late(vec![burns()]));
    assert_eq!(ms(&stand.of(0, 99_000)), [(1, 3)]);
    assert_eq!(ms(&stand.of(1, 99_000)), [(1, 8)], "5 of its own, and the 2 of 3 that went back");
}

#[test]
fn a_millisecond_is_kept() {
    let stand = Stand::periodic(2, EXACT, &[limited(10)])
        .pinned(0, late(vec![compute(2_000), think(57_000), compute(2_000), rests()]))
        .pinned(1, late(vec![burns()]));
    assert_eq!(ms(&stand.of(0, 150_000)), [(1, 3), (60, 61), (100, 101)], "all else is gone at 8");
}

#[test]
fn what_was_taken_does_not_expire() {
    let stand = Stand::periodic(2, EXACT, &[limited(10)])
        .pinned(0, vec![think(98_000), burns()])
        .pinned(1, vec![think(150_000), rests()]);
    assert_eq!(ms(&stand.of(0, 199_000)), [(98, 113)], "2 of a slice before 100, its other 3, and 10");
}

/// Sleepers on processors of their own take a slice each and need 2 ms of it. A burner has 1 ms left.
fn sleepers(count: u32, begin: u64) -> Stand {
    let mut stand = Stand::periodic(count + 1, EXACT, &[limited(5 * u64::from(count) + 1)]);
    for processor in 0..count {
        let again =
            if processor == 0 && count > 3 { vec![think(2_000), compute(1_500), rests()] } else { vec![rests()] };
        stand = stand.pinned(processor, [vec![think(begin), compute(2_000)], again].concat());
    }
    stand.pinned(count, vec![think(begin), burns()])
}

#[test]
fn a_stopped_group_gets_returned_slack_five_milliseconds_later() {
    let stand = sleepers(3, 1_000);
    assert_eq!(ms(&stand.of(3, 99_000)), [(1, 2), (8, 14)], "at 3 the third 2 ms come back: 6 are more than a slice");
}

#[test]
fn less_than_a_slice_waits_for_the_end_of_the_period() {
    let stand = sleepers(2, 1_000);
    assert_eq!(ms(&stand.of(2, 110_000)), [(1, 2), (100, 110)], "4 ms are not worth it");
}

/// The first sleeper comes again at 5, takes another slice at 6, and gives most of it back at 6.5.
#[test]
fn what_goes_back_meanwhile_does_not_put_it_off() {
    let stand = sleepers(5, 1_000);
    assert_eq!(stand.of(5, 99_000), [(MS, 2 * MS), (8 * MS, 16_500)], "and has all that is there");
}

#[test]
fn just_before_the_end_of_the_period_no_group_gets_it() {
    assert_eq!(ms(&sleepers(3, 91_000).of(3, 150_000)), [(91, 92), (98, 119)], "back at 93, and 16 more at 100");
    assert_eq!(ms(&sleepers(3, 91_001).of(3, 150_000)[1..]), [(100, 116)], "back less than 7 ms before the end");
}

#[test]
fn a_burst_is_used_when_it_was_saved() {
    let limit = LimitPlan { quota: Span::from_ms(20), period: Span::from_ms(100), burst: Span::from_ms(15) };
    let bursting = CgroupPlan { limit: Some(limit), ..CgroupPlan::UNLIMITED };
    let program = vec![think(1_000), compute(1_000), think(200_000), burns()];
    let stand = Stand::periodic(1, EXACT, &[bursting]).pinned(0, program);
    assert_eq!(
        ms(&stand.of(0, 350_000)),
        [(1, 2), (202, 238), (300, 320)],
        "35 and the millisecond that was kept; then 20"
    );
    let over = |(_, what): &(i64, Threading)| matches!(what, Threading::Period { over, .. } if *over > Span::ZERO);
    let said: Vec<i64> = stand.said(350_000).iter().filter(|signal| over(signal)).map(|(at, _)| at / MS).collect();
    assert_eq!(said, [300], "only the period from 200 on used more than the quota");
}

#[test]
fn a_thread_that_wakes_where_its_group_is_stopped_waits_for_the_next_period() {
    let stand = Stand::periodic(1, EXACT, &[limited(20)])
        .pinned(0, late(vec![burns()]))
        .pinned(0, vec![think(50_000), compute(1_000), rests()]);
    let waits: Vec<(i64, Span)> = stand
        .said(150_000)
        .into_iter()
        .filter_map(|(at, what)| match what {
            Threading::Ran(Group(1), waited) => Some((at, waited)),
            _ => None,
        })
        .collect();
    assert_eq!(ms(&stand.of(1, 150_000)).len(), 1);
    let (at, waited) = waits[0];
    assert!((100 * MS..104 * MS).contains(&at), "{at}");
    assert_eq!(waited.units() / Span::from_us(1).units(), (at - 50 * MS) as u64);
}

#[test]
fn periods_count_as_throttled_when_a_group_is_stopped_at_their_end() {
    let program = vec![think(1_000), compute(30_000), rests()];
    let stand = Stand::periodic(1, EXACT, &[limited(20)]).pinned(0, program);
    assert_eq!(
        periods(&stand, 450_000),
        [(100, true), (200, false), (300, false)],
        "21 to 100; then 10 more, then nothing"
    );
}

#[test]
fn the_timer_stops_after_a_period_without_use_and_keeps_its_beat() {
    let program = vec![think(1_000), compute(1_000), think(350_000), compute(3_000), rests()];
    let stand = Stand::periodic(1, EXACT, &[limited(20)]).pinned(0, program);
    assert_eq!(periods(&stand, 900_000), [(100, false), (200, false), (400, false), (500, false)]);
}

const TICK: Span = Span::from_ms(4);

fn ticking(quota: u64) -> Stand {
    let kernel = CfsPlan { tick: TICK, ..EXACT };
    // Zero is 1 ms after a tick.
    Stand::periodic(1, kernel, &[limited(quota)]).after_a_tick(TICK, Span::from_ms(1))
}

#[test]
fn with_ticks_it_is_noticed_at_a_tick_that_a_slice_is_used_up() {
    let stand = ticking(10).pinned(0, vec![burns()]);
    assert_eq!(ms(&stand.of(0, 60_000)), [(0, 11)], "5 are noticed at 7, the other 5 at 11");
}

#[test]
fn what_was_used_above_the_quota_is_owed() {
    let stand = ticking(10).pinned(0, vec![burns()]);
    let used: i64 = stand.of(0, 1_990_000).iter().map(|(from, to)| to - from).sum();
    assert!((200 * MS..=204 * MS).contains(&used), "twenty quotas and no more than a tick: {used}");
}

#[test]
fn it_is_noticed_as_well_when_a_thread_wakes_there() {
    let stand = ticking(5).pinned(0, vec![burns()]).pinned(0, vec![think(6_000), burns()]);
    assert_eq!(stand.runs(50_000), [(0, 0, 0, 6 * MS)], "used up at 5, the tick is at 7");
}
