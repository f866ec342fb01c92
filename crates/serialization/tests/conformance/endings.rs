//! Requests that end with an address space and with a system that leaves.

use super::harness::{Exclusive, Harness, Shared, enq, name};
use serialization::service::{Effect, EnqOutcome, Filter};
use serialization::{Requester, Ret, Scope};

fn by(system: u16, space: u16, task: u32) -> Requester {
    Requester { system, space, task }
}

fn asks(harness: &mut Harness, who: Requester, rname: &str) -> EnqOutcome {
    harness.ask(&enq(&name(rname), who, Exclusive, Ret::None))
}

#[test]
fn an_address_space_that_ends_has_released_everything_of_all_its_tasks() {
    let mut harness = Harness::new();
    for (who, rname) in [(by(1, 1, 2), "A"), (by(1, 1, 1), "B"), (by(1, 2, 9), "C"), (by(2, 1, 1), "D")] {
        assert_eq!(asks(&mut harness, who, rname), EnqOutcome::Granted);
    }
    assert_eq!(asks(&mut harness, by(1, 1, 2), "C"), EnqOutcome::Waits);
    assert_eq!(asks(&mut harness, by(2, 1, 5), "A"), EnqOutcome::Waits);
    assert_eq!(asks(&mut harness, by(2, 1, 6), "B"), EnqOutcome::Waits);
    harness.outbox.clear();
    assert_eq!(harness.service.end_space(1, 1, &mut harness.outbox), 3);
    assert_eq!(harness.granted(), [6, 5], "its tasks end in the order of their numbers");
    assert_eq!(harness.service.broken_laws(), Vec::<String>::new());
    assert_eq!(harness.service.tasks(), [by(1, 2, 9), by(2, 1, 1), by(2, 1, 5), by(2, 1, 6)]);
    assert_eq!(harness.service.end_space(1, 1, &mut harness.outbox), 0);
}

#[test]
fn no_task_of_an_address_space_that_ends_is_granted_anything() {
    let mut harness = Harness::new();
    let shares = |harness: &mut Harness, who| harness.ask(&enq(&name("R"), who, Shared, Ret::None));
    assert_eq!(shares(&mut harness, by(2, 1, 1)), EnqOutcome::Granted);
    assert_eq!(asks(&mut harness, by(1, 1, 1), "R"), EnqOutcome::Waits);
    assert_eq!(shares(&mut harness, by(1, 1, 2)), EnqOutcome::Waits);
    assert_eq!(shares(&mut harness, by(2, 1, 9)), EnqOutcome::Waits);
    assert_eq!(asks(&mut harness, by(1, 1, 3), "S"), EnqOutcome::Granted);
    assert_eq!(asks(&mut harness, by(1, 1, 1), "S"), EnqOutcome::Waits);
    harness.outbox.clear();
    assert_eq!(harness.service.end_space(1, 1, &mut harness.outbox), 4);
    assert_eq!(harness.granted(), [9], "the task that stays");
    let signals = harness.outbox.effects().iter().filter_map(|effect| match *effect {
        Effect::Contention { resource, waiters } => Some((harness.service.resource(resource).0.to_string(), waiters)),
        Effect::Granted { .. }
        | Effect::ReserveVolume { .. }
        | Effect::ReleaseVolume { .. }
        | Effect::NoWait { .. } => None,
    });
    let signals: Vec<(String, u32)> = signals.collect();
    assert_eq!(signals.last(), Some(&("QUEUE    S".into(), 0)), "also of a resource without requests: {signals:?}");
}

#[test]
fn a_system_that_leaves_frees_what_it_held() {
    let mut harness = Harness::new();
    assert_eq!(harness.reserve(by(1, 1, 1), "V", 7), EnqOutcome::Granted);
    assert_eq!(asks(&mut harness, by(1, 2, 1), "A"), EnqOutcome::Granted);
    assert_eq!(asks(&mut harness, by(2, 1, 3), "A"), EnqOutcome::Waits);
    harness.outbox.clear();
    assert_eq!(harness.service.end_system(1, &mut harness.outbox), 2);
    assert_eq!(harness.granted(), [3]);
    assert_eq!(harness.service.reserves(1, 7), 0);
    let left = harness.service.query(&Filter { system: Some(1), ..Filter::default() });
    assert!(left.is_empty(), "nothing is queued for it any more");
}

#[test]
fn the_last_of_a_system_is_the_one_without_others_of_its_system() {
    let mut harness = Harness::new();
    let one = name("R");
    let last = |harness: &Harness, who| harness.service.is_last_of_system(&one, Scope::Systems, who);
    assert!(!last(&harness, by(1, 1, 1)), "a task without a request is not the last");
    for who in [by(1, 1, 1), by(2, 1, 1), by(1, 2, 1)] {
        harness.ask(&enq(&one, who, Shared, Ret::None));
    }
    assert!(!last(&harness, by(1, 1, 1)));
    assert!(last(&harness, by(2, 1, 1)));
    harness.end_task(by(1, 2, 1));
    assert!(last(&harness, by(1, 1, 1)));
    assert!(harness.service.has_asked(&one, Scope::Systems, by(1, 1, 1)));
    assert!(!harness.service.has_asked(&one, Scope::System, by(1, 1, 1)));
}
