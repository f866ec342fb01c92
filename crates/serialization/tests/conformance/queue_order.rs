//! In which order those that wait are served.

use super::harness::{Exclusive, Harness, Shared, name, task};
use serialization::service::{EnqOutcome, Standing};
use serialization::{DeqRet, Ret, Scope};

/// Multi-image Integrity, z/OS Resource Serialization: subsequent tasks first come, first served.
#[test]
fn the_first_waiter_is_served_first() {
    let mut harness = Harness::new();
    for by in 1..=3 {
        harness.enq(by, Exclusive, Ret::None);
    }
    harness.deq(1, DeqRet::None);
    assert_eq!(harness.granted(), [2]);
    harness.deq(2, DeqRet::None);
    assert_eq!(harness.granted(), [3]);
}

/// Assembler Services Guide, ENQ: one that shares waits behind one that waits for exclusive control.
#[test]
fn no_sharing_passes_a_waiter_for_exclusive_control() {
    let mut harness = Harness::new();
    harness.enq(1, Shared, Ret::None);
    harness.enq(2, Exclusive, Ret::None);
    assert_eq!(harness.enq(3, Shared, Ret::None), EnqOutcome::Waits);
}

/// The same: those that share and stand one behind the other have it together.
#[test]
fn neighbours_that_share_are_served_together() {
    let mut harness = Harness::new();
    harness.enq(1, Exclusive, Ret::None);
    for by in 2..=4 {
        harness.enq(by, Shared, Ret::None);
    }
    harness.enq(5, Exclusive, Ret::None);
    harness.enq(6, Shared, Ret::None);
    harness.deq(1, DeqRet::None);
    assert_eq!(harness.granted(), [2, 3, 4]);
}

/// A waiter for exclusive control has it when the last sharing owner is done.
#[test]
fn the_last_sharing_owner_lets_the_next_in() {
    let mut harness = Harness::new();
    harness.enq(1, Shared, Ret::None);
    harness.enq(2, Shared, Ret::None);
    harness.enq(3, Exclusive, Ret::None);
    harness.deq(1, DeqRet::None);
    assert_eq!(harness.granted(), []);
    harness.deq(2, DeqRet::None);
    assert_eq!(harness.granted(), [3]);
}

/// When the request that all wait for is withdrawn, those behind it need not wait any more.
#[test]
fn a_waiter_that_ends_lets_those_behind_it_share() {
    let mut harness = Harness::new();
    harness.enq(1, Shared, Ret::None);
    harness.enq(2, Exclusive, Ret::None);
    harness.enq(3, Shared, Ret::None);
    harness.end_task(task(2));
    assert_eq!(harness.granted(), [3]);
}

/// DISPLAY GRS,RES: owners stand in front of those that wait, each in the order of the requests.
#[test]
fn a_queue_is_shown_in_its_order() {
    let mut harness = Harness::new();
    harness.enq(3, Shared, Ret::None);
    harness.enq(1, Shared, Ret::None);
    harness.enq(2, Exclusive, Ret::None);
    let queue = harness.service.query_one(&name("R"), Scope::Systems, task(9)).expect("it is asked for");
    let shown: Vec<(u32, Standing)> =
        queue.requests.iter().map(|request| (request.by.task, request.standing)).collect();
    assert_eq!(shown, [(3, Standing::Owns), (1, Standing::Owns), (2, Standing::Waits)]);
}
