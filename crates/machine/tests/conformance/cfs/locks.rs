//! Locks that threads share: which thread runs while others wait, by spinning, yielding, sleeping, or with a lifted holder.
//!
//! Base slices have 3 ms.  A try takes 1 us, so that it can be seen.

use super::stand::{EXACT, Stand, burns, compute, rests, think, under_lock};
use machine::plan::{CfsPlan, CgroupPlan, ThreadLockPlan, Turns, Waiting, YieldRule};
use units::Span;

const MS: i64 = 1_000;
const US: Span = Span::from_us(1);

fn lock(order: Turns, waiting: Waiting) -> ThreadLockPlan {
    ThreadLockPlan { name: "L".into(), order, waiting, attempt: US, lift: None }
}

fn yields(tries: u32, cost: Span) -> Waiting {
    Waiting::Yield { tries, cost }
}

fn one(kernel: CfsPlan, lock: ThreadLockPlan) -> Stand {
    Stand::new(1, kernel, &[CgroupPlan::UNLIMITED]).lock(lock)
}

/// The holder has had its base slice at 3 ms.  The other thread tries from then on, and burns a base slice of its own.
#[test]
fn a_thread_that_spins_burns_its_slice_while_the_holder_waits() {
    let stand = one(EXACT, lock(Turns::Unordered, Waiting::Spin))
        .thread(0, vec![under_lock(4_000), rests()])
        .thread(0, vec![under_lock(1_000), rests()]);
    assert_eq!(stand.of(0, 20_000), [(0, 3 * MS), (6 * MS, 7 * MS + 1)]);
    assert_eq!(stand.of(1, 20_000), [(3 * MS, 6 * MS), (7 * MS + 1, 8 * MS + 2)], "one try, and the time of its lock");
}

/// It has tried ten times by 3.011 ms, and the call takes 5 us.
#[test]
fn a_thread_that_yields_gives_its_processor_to_the_holder() {
    let stand = one(EXACT, lock(Turns::Unordered, yields(10, US * 5)))
        .thread(0, vec![under_lock(4_000), rests()])
        .thread(0, vec![under_lock(1_000), rests()]);
    let tried = 3 * MS + 1 + 10 + 5;
    assert_eq!(stand.of(0, 20_000), [(0, 3 * MS), (tried, tried + MS + 1)]);
    assert_eq!(stand.of(1, 20_000), [(3 * MS, tried), (tried + MS + 1, tried + 2 * MS + 2)]);
}

/// With `deadline` the one that yields is still behind the mean, and all others are ahead of it: it runs on until it is not.
#[test]
fn a_later_deadline_alone_gives_nothing_away_while_the_others_are_ahead() {
    let kernel = CfsPlan { yields: YieldRule::Deadline, ..EXACT };
    let stand = one(kernel, lock(Turns::Unordered, yields(10, US * 5)))
        .thread(0, vec![under_lock(4_000), rests()])
        .thread(0, vec![under_lock(1_000), rests()]);
    let (from, to) = stand.of(1, 20_000)[0];
    assert_eq!(from, 3 * MS);
    assert!((6 * MS - 16..=6 * MS + 16).contains(&to), "{to}: it has caught up with the holder at 6 ms");
}

/// A thread that is alone on its processor loses nothing by its yields: it still has its base slice when another comes.
#[test]
fn a_thread_alone_yields_for_nothing() {
    let alone = |other: u64| {
        Stand::new(2, EXACT, &[CgroupPlan::UNLIMITED])
            .lock(lock(Turns::Unordered, yields(10, US * 5)))
            .pinned(0, vec![under_lock(100_000), rests()])
            .pinned(1, vec![think(10), under_lock(100), rests()])
            .pinned(1, vec![think(other), compute(1_000), rests()])
    };
    let stand = alone(2_000);
    let runs = stand.of(1, 90_000);
    assert_eq!(runs[0].0, 10);
    assert!(stand.of(2, 90_000).iter().map(|(from, to)| to - from).sum::<i64>() >= MS - 1);
}

/// It sleeps after one try and a call of 2 us.  The release wakes it in a call of 3 us.
#[test]
fn a_thread_that_sleeps_leaves_the_processor_and_is_woken_by_the_release() {
    let sleep = Waiting::Sleep { cost: US * 2, wake: US * 3 };
    let stand = one(EXACT, lock(Turns::Unordered, sleep))
        .thread(0, vec![under_lock(4_000), compute(10), rests()])
        .thread(0, vec![under_lock(1_000), rests()]);
    let slept = 3 * MS + 1 + 2;
    let released = slept + MS + 1;
    assert_eq!(stand.of(0, 20_000), [(0, 3 * MS), (slept, released + 3 + 10)]);
    assert_eq!(stand.of(1, 20_000)[0], (3 * MS, slept));
    assert_eq!(stand.of(1, 20_000)[1], (released + 13, released + 13 + 1 + MS), "it wakes, tries and has it");
}

/// While it holds the lock its weight is that of nice -20: two base slices of the burner are 173 of its own.
#[test]
fn a_lifted_holder_keeps_its_processor() {
    let lifted = ThreadLockPlan { lift: Some(-20), ..lock(Turns::Unordered, Waiting::Spin) };
    let stand =
        one(EXACT, lifted).thread(0, vec![under_lock(50_000), compute(1_000), rests()]).thread(0, vec![burns()]);
    let held = stand.of(0, 60_000);
    let had: i64 = held.iter().map(|(from, to)| (*to).min(56 * MS) - from).sum();
    assert!(had >= 50 * MS, "it has {had} us of the first 56 ms: {held:?}");
}

/// The second comes first, and the third finds the lock free while it is not its turn.
#[test]
fn a_ticket_is_kept_for_a_thread_that_does_not_run() {
    let stand = Stand::new(2, EXACT, &[CgroupPlan::UNLIMITED])
        .lock(lock(Turns::Ticket, Waiting::Spin))
        .pinned(0, vec![under_lock(1_000), rests()])
        .pinned(1, vec![think(100), under_lock(500), rests()])
        .told((0, 0, Some(1)), vec![think(200), burns()])
        .pinned(0, vec![think(500), under_lock(10), rests()]);
    // The second spins from .1 to 3.1 ms, when the burner takes its processor; the release at 1.001 was in time for it.
    let second = stand.of(1, 20_000);
    assert_eq!(second[0].0, 100);
    let third = stand.of(3, 20_000);
    let second_released = second.last().expect("it ran").1;
    assert!(third.last().expect("it ran").1 > second_released, "{third:?} after {second:?}");
}
