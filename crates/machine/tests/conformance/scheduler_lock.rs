//! The scheduler lock: does each processor spin for those before it, and hold it in proportion to the crowd?

use kernel::draw::{Draw, Streams};
use machine::control_program::scheduler_lock::SchedulerLock;
use machine::plan::control_program::{LockMode, LockPlan};
use units::{Span, Tod};

const PROCESSORS: u32 = 64;

fn lock(mode: LockMode, hold: u64, per_waiter: u64) -> SchedulerLock {
    let plan = LockPlan {
        mode,
        hold: Span::from_units(hold),
        per_waiter: Span::from_units(per_waiter),
        ..LockPlan::default()
    };
    SchedulerLock::new(&plan, PROCESSORS)
}

/// How long a processor that comes now spins, and how long it holds the lock.
fn take(lock: &mut SchedulerLock, exclusive: bool, now: u64) -> (u64, u64) {
    let taken = lock.take(exclusive, Tod::from_units(now));
    (taken.spin.units(), taken.hold.units())
}

#[test]
fn alone_none_spins() {
    let mut lock = lock(LockMode::Shared, 100, 30);
    assert_eq!(take(&mut lock, true, 0), (0, 100));
    assert_eq!(take(&mut lock, false, 100), (0, 100));
    assert_eq!(take(&mut lock, true, 1_000), (0, 100));
}

#[test]
fn an_exclusive_request_waits_for_all_before_it_in_their_order() {
    let mut lock = lock(LockMode::Shared, 100, 0);
    assert_eq!(take(&mut lock, true, 0), (0, 100));
    assert_eq!(take(&mut lock, true, 10), (90, 100));
    assert_eq!(take(&mut lock, true, 20), (180, 100));
    assert_eq!(take(&mut lock, true, 250), (50, 100));
}

#[test]
fn it_is_held_longer_for_each_earlier_contender() {
    let mut lock = lock(LockMode::Exclusive, 100, 30);
    assert_eq!(take(&mut lock, true, 0), (0, 100));
    assert_eq!(take(&mut lock, true, 0), (100, 130));
    assert_eq!(take(&mut lock, true, 0), (230, 160));
    assert_eq!(take(&mut lock, true, 100), (290, 160), "the first is through, two are there");
}

#[test]
fn shared_requests_wait_for_exclusive_ones_only() {
    let mut lock = lock(LockMode::Shared, 100, 0);
    assert_eq!(take(&mut lock, false, 0), (0, 100));
    assert_eq!(take(&mut lock, false, 40), (0, 100));
    assert_eq!(take(&mut lock, true, 50), (90, 100), "for the last of those that share it");
    assert_eq!(take(&mut lock, false, 60), (180, 100), "not past one that came before, though others share it");
    assert_eq!(take(&mut lock, false, 70), (170, 100));
}

#[test]
fn a_shared_request_may_be_through_before_an_earlier_one() {
    let mut lock = lock(LockMode::Shared, 100, 60);
    let holds: Vec<u64> = (0..3).map(|_| take(&mut lock, false, 0).1).collect();
    assert_eq!(holds, [100, 160, 220]);
    assert_eq!(take(&mut lock, false, 100), (0, 220), "two are there");
    assert_eq!(take(&mut lock, false, 160), (0, 220), "the last two");
    assert_eq!(take(&mut lock, true, 170), (210, 280), "until the last is through");
}

#[test]
fn before_5_3_every_request_is_exclusive() {
    let mut lock = lock(LockMode::Exclusive, 100, 0);
    assert_eq!(take(&mut lock, false, 0), (0, 100));
    assert!(lock.take(false, Tod::START).exclusive);
    assert_eq!(take(&mut lock, false, 0), (200, 100));
}

#[test]
fn without_a_hold_there_is_no_lock() {
    let mut lock = lock(LockMode::Exclusive, 0, 50);
    for _ in 0..1_000 {
        assert_eq!(take(&mut lock, true, 7), (0, 0));
    }
}

#[test]
fn it_is_free_at_the_instant_at_which_it_is_given_back() {
    let mut lock = lock(LockMode::Exclusive, 100, 30);
    take(&mut lock, true, 0);
    assert_eq!(take(&mut lock, true, 100), (0, 100));
}

#[test]
#[should_panic(expected = "order of time")]
fn no_newcomer_passes_an_earlier_contender() {
    let mut lock = lock(LockMode::Exclusive, 100, 0);
    take(&mut lock, true, 10);
    take(&mut lock, true, 9);
}

#[test]
#[should_panic(expected = "once at a time")]
fn no_more_wait_than_there_are_processors() {
    let mut lock = lock(LockMode::Exclusive, 100, 0);
    for _ in 0..=PROCESSORS {
        take(&mut lock, true, 0);
    }
}

/// An earlier contender.
#[derive(Clone, Copy)]
struct Visit {
    exclusive: bool,
    until: u64,
}

/// Every earlier contender counts, always.
fn asked(visits: &[Visit], exclusive: bool, now: u64) -> (u64, u64) {
    let there = visits.iter().filter(|visit| visit.until > now).count() as u64;
    let in_the_way = visits.iter().filter(|visit| exclusive || visit.exclusive);
    let from = in_the_way.map(|visit| visit.until).max().unwrap_or(0).max(now);
    (from - now, 50 + 7 * there)
}

fn arrivals(draw: &mut Draw) -> impl Iterator<Item = (bool, u64)> + '_ {
    let mut now = 0;
    (0..3_000).map(move |_| {
        now += u64::from(draw.below(120));
        (draw.below(3) == 0, now)
    })
}

#[test]
fn the_kept_state_gives_the_same_as_asking_all() {
    let mut draw = Streams::new(3, 0).stream("visits");
    let (mut lock, mut visits) = (lock(LockMode::Shared, 50, 7), Vec::new());
    for (exclusive, now) in arrivals(&mut draw) {
        let (spin, hold) = asked(&visits, exclusive, now);
        assert_eq!(take(&mut lock, exclusive, now), (spin, hold));
        visits.push(Visit { exclusive, until: now + spin + hold });
    }
    assert!(visits.len() == 3_000);
}
