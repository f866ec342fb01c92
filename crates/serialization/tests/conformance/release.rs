//! DEQ and the end of a task.

use super::harness::{Exclusive, Harness, Shared, enq, name, task};
use serialization::service::{Abend, DeqOutcome, EnqOutcome, Filter};
use serialization::{DeqRet, Ret};

/// Authorized Assembler Services Reference, DEQ, code 0.
#[test]
fn what_is_released_is_free() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    let outcome = harness.deq(1, DeqRet::Have);
    assert_eq!((outcome, outcome.return_code()), (DeqOutcome::Released, Some(0)));
    assert_eq!(harness.enq(2, Exclusive, Ret::Use), EnqOutcome::Granted);
}

/// DEQ, RET=HAVE, code 8: not requested, or released before.
#[test]
fn what_is_not_held_cannot_be_released() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    let outcome = harness.deq(2, DeqRet::Have);
    assert_eq!((outcome, outcome.return_code()), (DeqOutcome::NotRequested, Some(8)));
    harness.deq(1, DeqRet::None);
    assert_eq!(harness.deq(1, DeqRet::Have), DeqOutcome::NotRequested);
}

/// DEQ: an unconditional release of what the task does not control ends it; System Codes, 130.
#[test]
fn an_unconditional_release_of_nothing_ends_the_task() {
    let mut harness = Harness::new();
    assert_eq!(harness.deq(1, DeqRet::None), DeqOutcome::Abend(Abend::NotRequested));
    assert_eq!(Abend::NotRequested.code(), 0x130);
}

/// DEQ, RET=HAVE, code 4: requested but not assigned; the task goes on waiting.
#[test]
fn a_waiter_has_nothing_to_release() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    harness.enq(2, Exclusive, Ret::None);
    let outcome = harness.deq(2, DeqRet::Have);
    assert_eq!((outcome, outcome.return_code()), (DeqOutcome::Outstanding, Some(4)));
    harness.deq(1, DeqRet::None);
    assert_eq!(harness.granted(), [2]);
}

/// System Codes, 530: an unconditional DEQ of what the task has not yet received control of.
#[test]
fn an_unconditional_release_while_waiting_ends_the_task() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    harness.enq(2, Exclusive, Ret::None);
    assert_eq!(harness.deq(2, DeqRet::None), DeqOutcome::Abend(Abend::StillWaiting));
    assert_eq!(Abend::StillWaiting.code(), 0x530);
}

/// ENQ: control remains with the task until it is released or the task ends.
#[test]
fn everything_is_released_when_a_task_ends() {
    let mut harness = Harness::new();
    for what in ["A", "B", "C"] {
        harness.wants(1, Shared, what);
    }
    harness.wants(2, Exclusive, "B");
    assert_eq!(harness.end_task(task(1)), 3);
    assert_eq!(harness.granted(), [2]);
    assert_eq!(harness.service.query(&Filter::default()).len(), 1);
    assert_eq!(harness.service.requests_of_space(1, 1), (1, 0));
}

/// A task that has asked for nothing ends without a trace.
#[test]
fn the_end_of_a_stranger_changes_nothing() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    assert_eq!(harness.end_task(task(2)), 0);
    assert!(harness.outbox.effects().is_empty());
}

/// ASSUME: what a task has is released in the order in which it was asked for.
#[test]
fn what_was_asked_for_first_is_released_first() {
    let mut harness = Harness::new();
    harness.wants(1, Exclusive, "B");
    harness.wants(1, Exclusive, "A");
    harness.wants(2, Exclusive, "A");
    harness.wants(3, Exclusive, "B");
    harness.end_task(task(1));
    assert_eq!(harness.granted(), [3, 2]);
}

/// A task that ends and comes back is a new task.
#[test]
fn a_task_that_ended_may_come_back() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    harness.end_task(task(1));
    assert_eq!(harness.ask(&enq(&name("R"), task(1), Exclusive, Ret::None)), EnqOutcome::Granted);
}
