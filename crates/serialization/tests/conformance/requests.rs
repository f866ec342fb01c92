//! The answer to an ENQ: each RET against a resource that is free, shared, held, waited for.

use super::harness::{Exclusive, Harness, Shared, enq, name, task};
use serialization::service::{Abend, EnqOutcome};
use serialization::{Requester, Ret, Scope};

/// Authorized Assembler Services Reference, ENQ, RET=NONE: control is assigned.
#[test]
fn a_free_resource_is_granted() {
    let mut harness = Harness::new();
    assert_eq!(harness.enq(1, Exclusive, Ret::None), EnqOutcome::Granted);
}

/// The same: the task waits until it can be assigned.
#[test]
fn an_unconditional_request_waits() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    assert_eq!(harness.enq(2, Shared, Ret::None), EnqOutcome::Waits);
}

/// Assembler Services Guide, ENQ: shared control is for any number of tasks.
#[test]
fn tasks_that_share_have_it_together() {
    let mut harness = Harness::new();
    let outcomes = [1, 2, 3].map(|by| harness.enq(by, Shared, Ret::None));
    assert_eq!(outcomes, [EnqOutcome::Granted; 3]);
}

/// RET=TEST, code 0.
#[test]
fn a_test_of_a_free_resource_says_so() {
    let mut harness = Harness::new();
    let outcome = harness.enq(1, Exclusive, Ret::Test);
    assert_eq!((outcome, outcome.return_code()), (EnqOutcome::Available, Some(0)));
}

/// RET=TEST: without changing the list in any way.
#[test]
fn a_test_asks_for_nothing() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::Test);
    assert_eq!(harness.enq(2, Exclusive, Ret::None), EnqOutcome::Granted);
    harness.enq(1, Exclusive, Ret::Test);
    assert!(harness.outbox.effects().is_empty());
}

/// RET=TEST, code 4.
#[test]
fn a_test_of_what_cannot_be_had_says_so() {
    let mut harness = Harness::new();
    harness.enq(1, Shared, Ret::None);
    let outcome = harness.enq(2, Exclusive, Ret::Test);
    assert_eq!((outcome, outcome.return_code()), (EnqOutcome::Unavailable, Some(4)));
}

/// RET=USE, code 0.
#[test]
fn use_takes_what_is_free() {
    let mut harness = Harness::new();
    let outcome = harness.enq(1, Exclusive, Ret::Use);
    assert_eq!((outcome, outcome.return_code()), (EnqOutcome::Granted, Some(0)));
}

/// RET=USE, code 4: the task is not placed in a wait condition.
#[test]
fn use_does_not_wait() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    let outcome = harness.enq(2, Exclusive, Ret::Use);
    assert_eq!((outcome, outcome.return_code()), (EnqOutcome::Unavailable, Some(4)));
    harness.end_task(task(1));
    assert_eq!(harness.granted(), []);
}

/// RET=USE: shared, but another task waits to have it exclusively: not immediately available.
#[test]
fn use_does_not_pass_a_waiter() {
    let mut harness = Harness::new();
    harness.enq(1, Shared, Ret::None);
    harness.enq(2, Exclusive, Ret::None);
    assert_eq!(harness.enq(3, Shared, Ret::Use), EnqOutcome::Unavailable);
}

/// RET=HAVE: control is requested when the task has not requested it before.
#[test]
fn have_waits_like_an_unconditional_request() {
    let mut harness = Harness::new();
    assert_eq!(harness.enq(1, Exclusive, Ret::Have), EnqOutcome::Granted);
    assert_eq!(harness.enq(2, Exclusive, Ret::Have), EnqOutcome::Waits);
}

/// RET=TEST, USE, HAVE, code 8: a previous request of the same task; it has control.
#[test]
fn the_owner_is_answered_so() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    for ret in [Ret::Test, Ret::Use, Ret::Have] {
        let outcome = harness.enq(1, Exclusive, ret);
        assert_eq!((outcome, outcome.return_code()), (EnqOutcome::Held, Some(8)), "{ret:?}");
    }
}

/// RET=TEST, USE, CHNG, HAVE, code X'14': a previous request of the same task; it does not have control.
#[test]
fn a_waiter_is_answered_so() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    harness.enq(2, Exclusive, Ret::None);
    for ret in [Ret::Test, Ret::Use, Ret::Change, Ret::Have] {
        let outcome = harness.enq(2, Exclusive, ret);
        assert_eq!((outcome, outcome.return_code()), (EnqOutcome::Outstanding, Some(0x14)), "{ret:?}");
    }
}

/// System Codes, 138: two requests of one task without a DEQ between them, the second unconditional.
#[test]
fn a_task_that_asks_twice_unconditionally_ends() {
    let mut harness = Harness::new();
    harness.enq(1, Shared, Ret::None);
    let outcome = harness.enq(1, Shared, Ret::None);
    assert_eq!(outcome, EnqOutcome::Abend(Abend::Duplicate));
    assert_eq!((Abend::Duplicate.code(), outcome.return_code()), (0x138, None));
}

/// The same for one that waits.
#[test]
fn a_task_that_asks_again_while_it_waits_ends() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    harness.enq(2, Shared, Ret::None);
    assert_eq!(harness.enq(2, Shared, Ret::None), EnqOutcome::Abend(Abend::Duplicate));
}

/// ENQ, scope: the same name with another scope is another resource.
#[test]
fn scopes_do_not_meet() {
    let mut harness = Harness::new();
    let name = name("R");
    for scope in Scope::ALL {
        let ask = enq(&name, task(1), Exclusive, Ret::None);
        assert_eq!(harness.ask(&serialization::service::Enq { scope, ..ask }), EnqOutcome::Granted, "{scope:?}");
    }
}

/// ENQ, STEP and SYSTEM: a name means something else in another address space, or another system.
#[test]
fn a_scope_ends_where_it_says() {
    let here = task(1);
    let next_door = Requester { space: 2, ..here };
    let elsewhere = Requester { system: 2, ..here };
    let cases = [
        (Scope::Step, next_door, EnqOutcome::Granted),
        (Scope::System, next_door, EnqOutcome::Waits),
        (Scope::System, elsewhere, EnqOutcome::Granted),
        (Scope::Systems, elsewhere, EnqOutcome::Waits),
    ];
    for (scope, other, outcome) in cases {
        let mut harness = Harness::new();
        let name = name("R");
        harness.ask(&serialization::service::Enq { scope, ..enq(&name, here, Exclusive, Ret::None) });
        let second = serialization::service::Enq { scope, ..enq(&name, other, Exclusive, Ret::None) };
        assert_eq!(harness.ask(&second), outcome, "{scope:?}");
    }
}
