//! RET=CHNG: from shared to exclusive, never by waiting.

use super::harness::{Exclusive, Harness, Shared};
use serialization::service::{Effect, EnqOutcome};
use serialization::{DeqRet, Ret};

/// Authorized Assembler Services Reference, ENQ, RET=CHNG, code 0.
#[test]
fn a_task_that_shares_it_alone_has_it_exclusively() {
    let mut harness = Harness::new();
    harness.enq(1, Shared, Ret::None);
    let outcome = harness.enq(1, Exclusive, Ret::Change);
    assert_eq!((outcome, outcome.return_code()), (EnqOutcome::Changed, Some(0)));
    assert_eq!(harness.enq(2, Shared, Ret::None), EnqOutcome::Waits);
}

/// The same, code 4: others share it.
#[test]
fn a_task_that_shares_it_with_others_goes_on_sharing() {
    let mut harness = Harness::new();
    harness.enq(1, Shared, Ret::None);
    harness.enq(2, Shared, Ret::None);
    let outcome = harness.enq(1, Exclusive, Ret::Change);
    assert_eq!((outcome, outcome.return_code()), (EnqOutcome::SharedByOthers, Some(4)));
    assert_eq!(harness.enq(3, Shared, Ret::None), EnqOutcome::Granted);
}

/// The same, code 8: the task has not asked for it.
#[test]
fn what_was_not_asked_for_cannot_be_changed() {
    let mut harness = Harness::new();
    let outcome = harness.enq(1, Exclusive, Ret::Change);
    assert_eq!((outcome, outcome.return_code()), (EnqOutcome::NotHeld, Some(8)));
    assert_eq!(harness.enq(2, Exclusive, Ret::None), EnqOutcome::Granted);
}

/// ASSUME: what is exclusive already is changed as well.
#[test]
fn what_is_exclusive_stays_so() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    assert_eq!(harness.enq(1, Exclusive, Ret::Change), EnqOutcome::Changed);
}

/// A change does not give up control (ENQ, RET=CHNG), so it comes before those that wait.
#[test]
fn a_change_goes_past_those_that_wait() {
    let mut harness = Harness::new();
    harness.enq(1, Shared, Ret::None);
    harness.enq(2, Exclusive, Ret::None);
    assert_eq!(harness.enq(1, Exclusive, Ret::Change), EnqOutcome::Changed);
    harness.deq(1, DeqRet::None);
    assert_eq!(harness.granted(), [2]);
}

/// Authorized Assembler Services Guide, Monitoring contention changes: waitless contention after RET=CHNG.
#[test]
fn a_change_that_fails_is_waitless_contention() {
    let mut harness = Harness::new();
    harness.enq(1, Shared, Ret::None);
    harness.enq(2, Shared, Ret::None);
    harness.enq(1, Exclusive, Ret::Change);
    assert!(matches!(harness.outbox.effects(), [Effect::NoWait { ret: Ret::Change, .. }]));
}
