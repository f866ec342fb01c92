//! The ENQ/DEQ lock of a system: its holder, the tasks suspended for it, and its next holder.
//!
//! Source: Guide, Locking, Examples of lock types (CMSEQDQ); GRS/MIM on its being dropped and taken again.

use super::stand::{Stand, plan, resource, serve, service};
use machine::ids::Requester;
use machine::plan::{Scope, Structure};
use machine::serialization::Next;
use machine::signal::LockUse;
use units::Span;

const A: u32 = 0;
const B: u32 = 1;
const C: u32 = 2;

fn awaited(requester: u32) -> (u32, LockUse) {
    (0, LockUse::Awaited(Requester(requester)))
}

fn taken(requester: u32, waited: Option<u64>) -> (u32, LockUse) {
    (0, LockUse::Taken(Requester(requester), waited.map(Span::from_us)))
}

fn given(requester: u32, held: u64) -> (u32, LockUse) {
    (0, LockUse::Given(Requester(requester), Span::from_us(held)))
}

/// Requesters of one system that ask for a resource each, so that they contend for the lock alone.
fn apart(structure: Structure, requesters: u32) -> Stand {
    let enqueues = (0..requesters as usize).map(|number| resource(number, Scope::System)).collect();
    Stand::new(&plan(1, service(structure), enqueues), &vec![0; requesters as usize])
}

#[test]
fn a_task_that_finds_it_free_has_it_at_once() {
    let mut stand = apart(Structure::None, 1);
    assert_eq!(stand.enq(A, 0, 4), serve(10));
    assert_eq!(stand.locks(), [taken(A, None)]);
}

#[test]
fn a_task_that_finds_it_held_is_suspended() {
    let mut stand = apart(Structure::None, 2);
    stand.enq(A, 0, 0);
    assert_eq!(stand.enq(B, 1, 4), Next::Wait);
    assert_eq!(stand.locks(), [awaited(B)]);
}

/// ASSUME: suspending costs nothing beside the wait.
#[test]
fn a_suspended_task_has_it_from_the_instant_of_the_release() {
    let mut stand = apart(Structure::None, 2);
    stand.enq(A, 0, 0);
    stand.enq(B, 1, 4);
    assert_eq!(stand.go_on(A, 10), Next::Over(None));
    assert_eq!(stand.locks(), [given(A, 10), taken(B, Some(6))]);
    assert_eq!(stand.woken, [B]);
    assert_eq!(stand.go_on(B, 10), serve(10));
    assert_eq!(stand.locks(), [], "it has it already");
    stand.go_on(B, 20);
    assert_eq!(stand.locks(), [given(B, 10)]);
}

/// Held counts from when it is its, also while it waits for a processor.
#[test]
fn the_task_has_it_also_before_it_goes_on() {
    let mut stand = apart(Structure::None, 3);
    stand.enq(A, 0, 0);
    stand.enq(B, 1, 4);
    stand.go_on(A, 10);
    assert_eq!(stand.enq(C, 2, 12), Next::Wait, "it is B's, which was notified and has not gone on");
    assert_eq!(stand.go_on(B, 15), serve(10));
    stand.go_on(B, 25);
    assert_eq!(stand.locks(), [given(B, 15), taken(C, Some(13))]);
}

/// ASSUME: it goes to the longest waiter.
#[test]
fn it_goes_to_the_longest_waiter() {
    let mut stand = apart(Structure::None, 4);
    stand.enq(A, 0, 0);
    for (requester, at) in [(3, 1), (1, 2), (2, 3)] {
        assert_eq!(stand.enq(requester, requester, at), Next::Wait);
    }
    let (mut owner, mut order) = (A, Vec::new());
    for at in [10, 20, 30] {
        stand.go_on(owner, at);
        owner = stand.woken[0];
        order.push((owner, stand.locks()[1]));
        stand.go_on(owner, at);
    }
    assert_eq!(order, [(3, taken(3, Some(9))), (1, taken(1, Some(18))), (2, taken(2, Some(27)))]);
}

/// GRS/MIM: a slow exit drops it and takes it again.
#[test]
fn another_one_has_it_while_a_slow_exit_is_called() {
    let mut stand = apart(Structure::Batch, 2);
    stand.enq(A, 0, 0);
    stand.enq(B, 1, 10);
    stand.go_on(A, 3);
    assert_eq!(stand.go_on(A, 23), serve(12), "the exit, beside the lock");
    assert_eq!(stand.locks(), [given(A, 23), taken(B, Some(13))]);
    assert_eq!(stand.go_on(B, 23), serve(3));
}

#[test]
fn a_task_that_takes_it_again_goes_behind_those_that_wait() {
    let mut stand = apart(Structure::Batch, 3);
    stand.enq(A, 0, 0);
    stand.enq(B, 1, 10);
    stand.go_on(A, 3);
    stand.go_on(A, 23);
    stand.go_on(B, 23);
    stand.enq(C, 2, 30);
    assert_eq!(stand.go_on(A, 35), Next::Wait, "it finds it taken");
    assert_eq!(stand.locks(), [awaited(A)]);
    stand.go_on(B, 26);
    stand.go_on(B, 46);
    assert_eq!(stand.locks(), [given(B, 23), taken(C, Some(16))], "C came at 30, A came again at 35");
    stand.go_on(C, 46);
    stand.go_on(C, 49);
    stand.go_on(C, 69);
    assert_eq!(stand.locks(), [given(C, 23), taken(A, Some(34))]);
    assert_eq!(stand.go_on(A, 69), serve(10));
}

#[test]
fn each_system_has_its_own() {
    let mut stand = Stand::new(
        &plan(2, service(Structure::None), (0..2).map(|number| resource(number, Scope::System)).collect()),
        &[0, 1],
    );
    stand.enq(A, 0, 0);
    assert_eq!(stand.enq(B, 1, 4), serve(10));
    assert_eq!(stand.locks(), [(1, LockUse::Taken(Requester(B), None))]);
}

#[test]
fn a_deq_needs_it_as_an_enq_does() {
    let mut stand = apart(Structure::None, 2);
    stand.enq(A, 0, 0);
    stand.go_on(A, 10);
    stand.enq(B, 1, 18);
    assert_eq!(stand.deq(A, 0, 20), Next::Wait);
    stand.go_on(B, 28);
    assert_eq!(stand.locks(), [given(B, 10), taken(A, Some(8))]);
}

#[test]
fn a_task_that_waits_for_a_resource_does_not_have_it() {
    let mut stand = Stand::local(Structure::None, 3);
    stand.enq(A, 0, 0);
    stand.go_on(A, 10);
    stand.enq(B, 0, 20);
    assert_eq!(stand.go_on(B, 30), Next::Wait);
    assert_eq!(stand.locks(), [given(B, 10)]);
    assert_eq!(stand.enq(C, 0, 35), serve(10));
}
