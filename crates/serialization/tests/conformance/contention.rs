//! Signals of contention: its begin and its end.

use super::harness::{Exclusive, Harness, Shared, task};
use serialization::service::{Effect, Outbox};
use serialization::{DeqRet, Ret};

fn waiters(outbox: &Outbox) -> Vec<u32> {
    let count = |effect: &Effect| match effect {
        Effect::Contention { waiters, .. } => Some(*waiters),
        Effect::Granted { .. }
        | Effect::ReserveVolume { .. }
        | Effect::ReleaseVolume { .. }
        | Effect::NoWait { .. } => None,
    };
    outbox.effects().iter().filter_map(count).collect()
}

/// Authorized Assembler Services Guide, Monitoring contention changes (ENF 51).
#[test]
fn contention_begins_with_the_first_waiter() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    assert_eq!(waiters(&harness.outbox), []);
    harness.enq(2, Exclusive, Ret::None);
    assert_eq!(waiters(&harness.outbox), [1]);
    harness.enq(3, Exclusive, Ret::None);
    assert_eq!(waiters(&harness.outbox), [2]);
}

/// The same: it is over when the last waiter has gone.
#[test]
fn contention_ends_with_the_last() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    harness.enq(2, Shared, Ret::None);
    harness.enq(3, Shared, Ret::None);
    harness.deq(1, DeqRet::None);
    assert_eq!(waiters(&harness.outbox), [0]);
}

/// A release that changes nothing for the waiters is not signalled.
#[test]
fn the_same_contention_is_not_signalled_again() {
    let mut harness = Harness::new();
    harness.enq(1, Shared, Ret::None);
    harness.enq(2, Shared, Ret::None);
    harness.enq(3, Exclusive, Ret::None);
    harness.deq(1, DeqRet::None);
    assert!(harness.outbox.effects().is_empty());
}

/// A waiter that ends changes it too.
#[test]
fn a_waiter_that_ends_ends_its_contention() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    harness.enq(2, Exclusive, Ret::None);
    harness.end_task(task(2));
    assert_eq!(waiters(&harness.outbox), [0]);
}

/// The same: waitless contention after RET=USE.
#[test]
fn a_request_that_does_not_wait_is_distinguished() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    harness.enq(2, Shared, Ret::Use);
    assert!(matches!(harness.outbox.effects(), [Effect::NoWait { ret: Ret::Use, by, .. }] if by.task == 2));
}

/// An effect names a resource that can be asked for its name.
#[test]
fn an_effect_says_which_resource() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    harness.enq(2, Exclusive, Ret::None);
    let [Effect::Contention { resource, .. }] = harness.outbox.effects() else { panic!("one effect") };
    assert_eq!(harness.service.resource(*resource).0.to_string(), "QUEUE    R");
}
