//! The end of a program: what it did not release by itself is released, and nothing is left of it.
//!
//! Source: Reference, ENQ: resources are released when the task ends.  ASSUME: each has the price of a DEQ.

use super::stand::{Stand, plan, resource, serve, service};
use crate::stand::us;
use machine::ids::{Partition, Requester};
use machine::plan::{ComplexPlan, EnqueueAccess, Scope, SerializationPlan, Structure};
use machine::serialization::{Next, QueuesSoFar};
use machine::signal::{LockUse, Queueing, Request, Serializing};
use units::Span;

const A: u32 = 0;
const B: u32 = 1;
const EXCLUSIVE: EnqueueAccess = EnqueueAccess::Exclusive;

/// Requesters of one system and this many resources of it.
fn stand(enqueues: usize, requesters: usize) -> Stand {
    let all = (0..enqueues).map(|number| resource(number, Scope::System)).collect();
    Stand::new(&plan(1, service(Structure::None), all), &vec![0; requesters])
}

fn what(stand: &Stand) -> Vec<Queueing> {
    stand.queues().into_iter().map(|(_, what)| what).collect()
}

#[test]
fn a_task_without_resources_ends_at_once() {
    assert_eq!(stand(1, 1).ends(A, 5), Next::Over(None));
}

#[test]
fn everything_is_released_and_each_costs_a_deq() {
    let mut stand = stand(3, 1);
    for (enqueue, at) in [(0, 0), (2, 10), (1, 20)] {
        stand.enq(A, enqueue, at);
        assert_eq!(stand.go_on(A, at + 10), Next::Over(None));
    }
    assert_eq!(stand.ends(A, 100), serve(6));
    let released = |since: u64, at: u64| vec![Queueing::Released(Requester(A), EXCLUSIVE, Span::from_us(at - since))];
    assert_eq!((stand.go_on(A, 106), what(&stand)), (serve(6), released(10, 106)), "place by place");
    assert_eq!((stand.go_on(A, 112), what(&stand)), (serve(6), released(30, 112)));
    assert_eq!((stand.go_on(A, 118), what(&stand)), (Next::Over(None), released(20, 118)));
}

#[test]
fn each_release_is_a_request_of_its_own_under_the_lock() {
    let mut stand = stand(2, 1);
    for enqueue in [0, 1] {
        stand.enq(A, enqueue, 20 * u64::from(enqueue));
        stand.go_on(A, 20 * u64::from(enqueue) + 10);
    }
    stand.ends(A, 100);
    stand.go_on(A, 106);
    let own = Partition(0);
    assert!(stand.requests().contains(&Serializing::Over(own, Request::Deq, Span::from_us(6))));
    assert!(stand.requests().contains(&Serializing::Called(own, Request::Deq, Span::from_us(6))));
    let locks = [LockUse::Given(Requester(A), Span::from_us(6)), LockUse::Taken(Requester(A), None)];
    assert_eq!(stand.locks(), locks.map(|what| (0, what)), "given back between the two");
}

#[test]
fn others_may_have_the_lock_between_two_releases() {
    let mut stand = stand(3, 2);
    for enqueue in [0, 1] {
        stand.enq(A, enqueue, 20 * u64::from(enqueue));
        stand.go_on(A, 20 * u64::from(enqueue) + 10);
    }
    stand.ends(A, 100);
    assert_eq!(stand.enq(B, 2, 103), Next::Wait);
    assert_eq!(stand.go_on(A, 106), Next::Wait, "B has waited for it since 103");
    assert_eq!(stand.woken, [B]);
}

#[test]
fn its_waiter_has_it() {
    let mut stand = stand(1, 2);
    stand.enq(A, 0, 0);
    stand.go_on(A, 10);
    stand.enq(B, 0, 10);
    stand.go_on(B, 20);
    stand.ends(A, 30);
    assert_eq!(stand.go_on(A, 36), Next::Over(None));
    assert_eq!((stand.woken.clone(), stand.go_on(B, 36)), (vec![B], Next::Over(None)));
}

#[test]
fn a_global_name_is_released_when_the_others_know_of_it() {
    let complex = ComplexPlan::Star { service: Span::from_us(50) };
    let own = SerializationPlan { complex, ..service(Structure::None) };
    let mut stand = Stand::new(&plan(2, own, vec![resource(0, Scope::Systems)]), &[0]);
    stand.enq(A, 0, 0);
    stand.go_on(A, 10);
    stand.go_on(A, 60);
    stand.ends(A, 100);
    assert_eq!(stand.go_on(A, 106), Next::WaitUntil(us(156)));
    assert_eq!((stand.go_on(A, 156), what(&stand).len()), (Next::Over(None), 1));
}

#[test]
fn nothing_is_left_of_it() {
    let mut stand = stand(2, 2);
    for round in 0..50 {
        let start = 1_000 * round;
        for enqueue in [0, 1] {
            stand.enq(A, enqueue, start + 20 * u64::from(enqueue));
            stand.go_on(A, start + 20 * u64::from(enqueue) + 10);
        }
        stand.ends(A, start + 100);
        stand.go_on(A, start + 106);
        assert_eq!(stand.go_on(A, start + 112), Next::Over(None));
        assert_eq!(stand.service.queues_so_far(us(start + 200)), [QueuesSoFar::default(); 2]);
        assert_eq!(stand.service.so_far(Partition(0), us(start + 200)), machine::serialization::SoFar::default());
    }
}
