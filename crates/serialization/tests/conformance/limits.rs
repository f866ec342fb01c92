//! How many requests an address space may have at once.

use super::harness::{Exclusive, Harness, SYSTEM, enq, name, task};
use serialization::service::{Abend, Enq, EnqOutcome, Limits};
use serialization::{DeqRet, Requester, Ret};

const TWO: Limits = Limits { unauthorized: 2, authorized: 1 };

fn full() -> Harness {
    let mut harness = Harness::with(TWO);
    harness.wants(1, Exclusive, "A");
    harness.wants(2, Exclusive, "B");
    harness
}

/// Planning: Global Resource Serialization, GRSCNFxx ENQMAXU, ENQMAXA.
#[test]
fn the_limits_are_those_of_the_manual() {
    assert_eq!(Limits::default(), Limits { unauthorized: 16_384, authorized: 250_000 });
}

/// Authorized Assembler Services Reference, ENQ: over the limit an unconditional request ends with X'538'.
#[test]
fn an_unconditional_request_over_the_limit_ends() {
    let mut harness = full();
    assert_eq!(harness.enq(3, Exclusive, Ret::None), EnqOutcome::Abend(Abend::OverLimit));
    assert_eq!(Abend::OverLimit.code(), 0x538);
}

/// ENQ, RET=USE and HAVE, code X'18'.
#[test]
fn a_conditional_request_over_the_limit_is_reported() {
    let mut harness = full();
    for ret in [Ret::Use, Ret::Have] {
        let outcome = harness.enq(3, Exclusive, ret);
        assert_eq!((outcome, outcome.return_code()), (EnqOutcome::OverLimit, Some(0x18)), "{ret:?}");
    }
}

/// Planning: RET=TEST and RET=CHNG do not count, and so are not limited.
#[test]
fn what_asks_for_nothing_is_not_limited() {
    let mut harness = full();
    assert_eq!(harness.enq(3, Exclusive, Ret::Test), EnqOutcome::Available);
    let held = name("A");
    assert_eq!(harness.ask(&enq(&held, task(1), Exclusive, Ret::Change)), EnqOutcome::Changed);
    assert_eq!(harness.service.requests_of_space(1, 1), (2, 0));
}

/// Planning: DEQ lowers the count.
#[test]
fn a_release_makes_room() {
    let mut harness = full();
    harness.give_back(&super::harness::deq(&name("A"), task(1), DeqRet::None));
    assert_eq!(harness.enq(3, Exclusive, Ret::None), EnqOutcome::Granted);
}

/// Planning: the count is of the address space, and of its kind of requests.
#[test]
fn others_have_their_own_limits() {
    let mut harness = full();
    let name = name("R");
    let next_door = Requester { space: 2, ..task(1) };
    assert_eq!(harness.ask(&enq(&name, next_door, Exclusive, Ret::Use)), EnqOutcome::Granted);
    let authorized = Enq { caller: SYSTEM, ..enq(&name, task(3), Exclusive, Ret::None) };
    assert_eq!(harness.ask(&authorized), EnqOutcome::Waits);
    assert_eq!(harness.service.requests_of_space(1, 1), (2, 1));
}

/// A request that waits counts like one that has what it asked for.
#[test]
fn waiters_count() {
    let mut harness = Harness::with(TWO);
    harness.wants(1, Exclusive, "A");
    harness.wants(2, Exclusive, "A");
    assert_eq!(harness.wants(3, Exclusive, "A"), EnqOutcome::Abend(Abend::OverLimit));
}

/// ISGADMIN, SETENQMAX: the greater of the two counts.
#[test]
fn a_limit_may_be_raised_for_one_address_space() {
    let mut harness = full();
    harness.service.raise_limits(1, 1, Limits { unauthorized: 3, authorized: 0 });
    assert_eq!(harness.enq(3, Exclusive, Ret::None), EnqOutcome::Granted);
    assert_eq!(harness.wants(4, Exclusive, "D"), EnqOutcome::Abend(Abend::OverLimit));
    harness.service.raise_limits(1, 1, Limits { unauthorized: 1, authorized: 1 });
    assert_eq!(harness.wants(4, Exclusive, "D"), EnqOutcome::Abend(Abend::OverLimit));
}

/// An earlier request is answered before the limit: a task that has the resource exceeds no limit.
#[test]
fn an_owner_is_not_over_the_limit() {
    let mut harness = full();
    let held = name("A");
    assert_eq!(harness.ask(&enq(&held, task(1), Exclusive, Ret::Have)), EnqOutcome::Held);
}
