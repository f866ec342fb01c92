//! RESERVE: an ENQ with the reserve of a volume, which the caller carries out.

use super::harness::{Exclusive, Harness, deq, enq, name, task};
use serialization::service::{Abend, Effect, Enq, EnqOutcome};
use serialization::{DeqRet, Requester, Reserve, Ret, Scope};

const RESERVE_7: Effect = Effect::ReserveVolume { system: 1, volume: 7 };
const RELEASE_7: Effect = Effect::ReleaseVolume { system: 1, volume: 7 };

/// Authorized Assembler Services Reference, RESERVE: the device is reserved for the system.
#[test]
fn the_first_reserves_the_volume() {
    let mut harness = Harness::new();
    assert_eq!(harness.reserve(task(1), "A", 7), EnqOutcome::Granted);
    assert_eq!(harness.outbox.effects(), [RESERVE_7]);
}

/// The system counts reserves (System Codes, 738): a second resource on the same volume reserves nothing anew.
#[test]
fn a_volume_is_reserved_once() {
    let mut harness = Harness::new();
    harness.reserve(task(1), "A", 7);
    harness.reserve(task(2), "B", 7);
    assert!(harness.outbox.effects().is_empty());
    assert_eq!(harness.service.reserves(1, 7), 2);
}

/// DEQ releases the device with the last.
#[test]
fn the_last_releases_the_volume() {
    let mut harness = Harness::new();
    harness.reserve(task(1), "A", 7);
    harness.reserve(task(2), "B", 7);
    harness.give_back(&deq(&name("A"), task(1), DeqRet::None));
    assert!(harness.outbox.effects().is_empty());
    harness.give_back(&deq(&name("B"), task(2), DeqRet::None));
    assert_eq!(harness.outbox.effects(), [RELEASE_7]);
}

/// A system that waits for the resource has not reserved the volume yet.
#[test]
fn the_volume_is_reserved_with_the_resource() {
    let mut harness = Harness::new();
    harness.wants(1, Exclusive, "A");
    assert_eq!(harness.reserve(task(2), "A", 7), EnqOutcome::Waits);
    assert_eq!(harness.service.reserves(1, 7), 0);
    harness.give_back(&deq(&name("A"), task(1), DeqRet::None));
    assert!(harness.outbox.effects().contains(&RESERVE_7));
}

/// Each system reserves for itself.
#[test]
fn systems_reserve_apart() {
    let mut harness = Harness::new();
    harness.reserve(task(1), "A", 7);
    harness.reserve(Requester { system: 2, ..task(1) }, "B", 7);
    assert_eq!(harness.outbox.effects(), [Effect::ReserveVolume { system: 2, volume: 7 }]);
}

/// At the end of the task as with DEQ.
#[test]
fn a_task_that_ends_releases_its_volumes() {
    let mut harness = Harness::new();
    harness.reserve(task(1), "A", 7);
    harness.end_task(task(1));
    assert_eq!(harness.outbox.effects(), [RELEASE_7]);
}

/// RET=TEST reserves nothing.
#[test]
fn a_test_reserves_nothing() {
    let mut harness = Harness::new();
    let name = name("A");
    let reserve = Some(Reserve { volume: 7 });
    harness.ask(&Enq { reserve, ..enq(&name, task(1), Exclusive, Ret::Test) });
    assert!(harness.outbox.effects().is_empty());
}

/// System Codes, 438: parameters that do not go together; a RESERVE reaches beyond its address space.
#[test]
fn a_reserve_for_one_address_space_is_refused() {
    let mut harness = Harness::new();
    let name = name("A");
    let ask =
        Enq { reserve: Some(Reserve { volume: 7 }), scope: Scope::Step, ..enq(&name, task(1), Exclusive, Ret::Use) };
    assert_eq!(harness.ask(&ask), EnqOutcome::Abend(Abend::Parameters));
}
