//! Which resources a query finds, and in which order.

use super::harness::{Exclusive, Harness, Shared, enq, name, task};
use serialization::service::{Enq, Filter};
use serialization::{Requester, Ret, Scope};

/// Three resources: A shared by 1 and 2, B held by 1 with 2 and 3 behind, C with a volume by another system.
fn harness() -> Harness {
    let mut harness = Harness::new();
    harness.reserve(Requester { system: 2, space: 9, task: 8 }, "C", 7);
    harness.wants(1, Exclusive, "B");
    harness.wants(2, Exclusive, "B");
    harness.wants(3, Shared, "B");
    harness.wants(1, Shared, "A");
    harness.wants(2, Shared, "A");
    harness
}

#[track_caller]
fn check(filter: Filter, expect: &str) {
    let found: Vec<String> = harness()
        .service
        .query(&filter)
        .iter()
        .map(|queue| String::from_utf8_lossy(queue.name.rname()).into_owned())
        .collect();
    assert_eq!(found.join(" "), expect);
}

#[test]
fn everything_is_found_by_name() {
    check(Filter::default(), "A B C");
}

/// GQSCAN, RESNAME SPECIFIC and GENERIC.
#[test]
fn a_name_is_found_whole_or_by_its_beginning() {
    check(Filter { qname: b"QUEUE".to_vec(), rname: Some(b"B".to_vec()), ..Filter::default() }, "B");
    check(Filter { rname_beginning: b"C".to_vec(), ..Filter::default() }, "C");
    check(Filter { qname: b"OTHER".to_vec(), ..Filter::default() }, "");
}

/// GQSCAN, OWNERCT and WAITECNT.
#[test]
fn counts_are_the_fewest() {
    check(Filter { owners: 2, ..Filter::default() }, "A");
    check(Filter { waiters: 1, ..Filter::default() }, "B");
}

/// GQSCAN, SYSNAME and ASID.
#[test]
fn a_requester_is_in_the_queue() {
    check(Filter { task: Some(3), ..Filter::default() }, "B");
    check(Filter { system: Some(2), ..Filter::default() }, "C");
    check(Filter { space: Some(9), task: Some(3), ..Filter::default() }, "");
}

/// GQSCAN, RESERVE=YES.
#[test]
fn reserves_are_found() {
    check(Filter { with_reserve: true, ..Filter::default() }, "C");
}

/// GQSCAN, SCOPE.
#[test]
fn a_scope_is_found() {
    check(Filter { scope: Some(Scope::Step), ..Filter::default() }, "");
    check(Filter { scope: Some(Scope::Systems), ..Filter::default() }, "A B C");
}

/// GQSCAN, RIB: how many own, how many wait for what.
#[test]
fn waiters_are_counted_by_what_they_wait_for() {
    let queue = &harness().service.query(&Filter { waiters: 1, ..Filter::default() })[0];
    assert_eq!((queue.owners, queue.exclusive_waiters, queue.shared_waiters, queue.waiters()), (1, 1, 1, 2));
}

/// The same name is listed by its reach: address spaces, systems, all systems.
#[test]
fn the_same_name_is_in_the_order_of_its_reach() {
    let mut harness = Harness::new();
    let name = name("R");
    for scope in [Scope::Systems, Scope::System, Scope::Step] {
        harness.ask(&Enq { scope, ..enq(&name, task(1), Exclusive, Ret::None) });
    }
    let scopes: Vec<Scope> =
        harness.service.query(&Filter::default()).iter().map(|queue| queue.reach.scope()).collect();
    assert_eq!(scopes, [Scope::Step, Scope::System, Scope::Systems]);
}
