//! The queue at a base: first in, first out, and nowhere else.

use crate::stand::{A, B, Stand, classic, pooled, us, volumes};
use machine::ids::Requester;
use machine::plan::{Aliasing, Redispatch};
use machine::signal::{Signal, Waited};

/// HyperPAV, "DASD Tuning via Classic PAV": "volume queueing happens only on the volume's base device, not on its alias
/// devices".
#[test]
fn a_request_that_finds_everything_busy_waits_at_the_base() {
    for plan in [classic(1, Redispatch::None), pooled(1, 1, Redispatch::None)] {
        let mut stand = Stand::new(&plan);
        assert_eq!(stand.request(0, A, us(0)), Some(0));
        assert_eq!(stand.request(1, A, us(1)), Some(1));
        assert_eq!(stand.request(2, A, us(2)), None);
        assert!(stand.said.contains(&Signal::Queued(A, Requester(2))));
        assert_eq!(stand.waiting(A), 1);
    }
}

/// The same place: "Guest minidisk I/O never queues on an alias device".
#[test]
fn nothing_that_waits_starts_on_an_alias_by_itself() {
    for plan in [classic(1, Redispatch::None), pooled(1, 1, Redispatch::None)] {
        let mut stand = Stand::new(&plan);
        stand.request(0, A, us(0));
        stand.request(1, A, us(0));
        stand.request(2, A, us(0));
        stand.phase_over(0, us(100));
        stand.request(3, A, us(100));
        assert_eq!(stand.waiting(A), 1, "2 has the base, 3 waits");
        assert_eq!(stand.phase_over(1, us(100)), None, "the alias ends and takes no request");
        assert_eq!(stand.phase_over(0, us(200)), Some((3, 0)), "the waiting request is the base's");
    }
}

#[test]
fn the_base_takes_the_longest_waiter() {
    let mut stand = Stand::new(&volumes(1, &Aliasing::None));
    for requester in [4, 2, 9, 0] {
        stand.request(requester, A, us(u64::from(requester == 0)));
    }
    for (turn, requester) in [(1, 2), (2, 9), (3, 0)] {
        assert_eq!(stand.phase_over(0, us(100 * turn)), Some((requester, 0)));
        assert!(
            matches!(stand.said[..], [Signal::Ended(..), Signal::Started(_, _, _, Waited::InQueue)]),
            "{:?}",
            stand.said
        );
    }
    assert_eq!(stand.phase_over(0, us(400)), None);
    assert_eq!(stand.done, [4, 2, 9, 0].map(Requester));
}

#[test]
fn a_waiter_at_one_base_is_not_another_bases_affair() {
    let mut stand = Stand::new(&pooled(2, 0, Redispatch::None));
    stand.request(0, A, us(0));
    stand.request(1, B, us(10));
    stand.request(2, A, us(20));
    assert_eq!(stand.phase_over(0, us(100)), Some((2, 0)));
    assert_eq!(stand.phase_over(1, us(110)), None);
    assert_eq!(stand.request(3, B, us(120)), Some(1), "B is free though A was not");
}

#[test]
fn a_requester_may_wait_again_after_it_was_served() {
    let mut stand = Stand::new(&volumes(1, &Aliasing::None));
    stand.request(0, A, us(0));
    for turn in 0..4 {
        let (waits, runs) = if turn % 2 == 0 { (1, 0) } else { (0, 1) };
        assert_eq!(stand.request(waits, A, us(100 * turn + 50)), None);
        assert_eq!(stand.phase_over(0, us(100 * turn + 100)), Some((waits, 0)));
        assert_eq!(stand.done.last(), Some(&Requester(runs)));
    }
}

/// The exposure comes before its requester: the order of the effects is the order at one instant.
#[test]
fn a_waiter_is_taken_before_a_request_at_the_same_instant() {
    let mut stand = Stand::new(&volumes(1, &Aliasing::None));
    stand.request(0, A, us(0));
    stand.request(1, A, us(10));
    assert_eq!(stand.phase_over(0, us(100)), Some((1, 0)), "the base is taken when the requester of 0 is notified");
    assert_eq!(stand.done, [Requester(0)]);
    assert_eq!(stand.request(0, A, us(100)), None, "so what it asks for now waits");
}
