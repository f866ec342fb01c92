//! Signals of contention: its begin and its end.

use super::desk::{Desk, Exclusive, Shared, task};
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
    let mut desk = Desk::new();
    desk.enq(1, Exclusive, Ret::None);
    assert_eq!(waiters(&desk.outbox), []);
    desk.enq(2, Exclusive, Ret::None);
    assert_eq!(waiters(&desk.outbox), [1]);
    desk.enq(3, Exclusive, Ret::None);
    assert_eq!(waiters(&desk.outbox), [2]);
}

/// The same: it is over when the last waiter has gone.
#[test]
fn contention_ends_with_the_last() {
    let mut desk = Desk::new();
    desk.enq(1, Exclusive, Ret::None);
    desk.enq(2, Shared, Ret::None);
    desk.enq(3, Shared, Ret::None);
    desk.deq(1, DeqRet::None);
    assert_eq!(waiters(&desk.outbox), [0]);
}

/// A release that changes nothing for the waiters is not signalled.
#[test]
fn the_same_contention_is_not_signalled_again() {
    let mut desk = Desk::new();
    desk.enq(1, Shared, Ret::None);
    desk.enq(2, Shared, Ret::None);
    desk.enq(3, Exclusive, Ret::None);
    desk.deq(1, DeqRet::None);
    assert!(desk.outbox.effects().is_empty());
}

/// A waiter that ends changes it too.
#[test]
fn a_waiter_that_ends_ends_its_contention() {
    let mut desk = Desk::new();
    desk.enq(1, Exclusive, Ret::None);
    desk.enq(2, Exclusive, Ret::None);
    desk.end_task(task(2));
    assert_eq!(waiters(&desk.outbox), [0]);
}

/// The same: waitless contention after RET=USE.
#[test]
fn a_request_that_does_not_wait_is_distinguished() {
    let mut desk = Desk::new();
    desk.enq(1, Exclusive, Ret::None);
    desk.enq(2, Shared, Ret::Use);
    assert!(matches!(desk.outbox.effects(), [Effect::NoWait { ret: Ret::Use, by, .. }] if by.task == 2));
}

/// An effect names a resource that can be asked for its name.
#[test]
fn an_effect_says_which_resource() {
    let mut desk = Desk::new();
    desk.enq(1, Exclusive, Ret::None);
    desk.enq(2, Exclusive, Ret::None);
    let [Effect::Contention { resource, .. }] = desk.outbox.effects() else { panic!("one effect") };
    assert_eq!(desk.service.resource(*resource).0.to_string(), "QUEUE    R");
}
