//! RESERVE: which systems' views of a volume are delayed while one has it, and which has it next.
//!
//! Source: Reference, RESERVE.

use super::stand::{Stand, plan, resource, service};
use crate::stand::volume;
use machine::ids::Volume;
use machine::plan::{Aliasing, ComplexPlan, EnqueuePlan, Plan, Scope, SerializationPlan, Structure};
use machine::serialization::{Next, Reservation};
use units::Span;

const A: u32 = 0;
const B: u32 = 1;
const C: u32 = 2;

fn reserve(view: u32) -> Reservation {
    Reservation::Reserve(Volume(view))
}

fn release(view: u32) -> Reservation {
    Reservation::Release(Volume(view))
}

/// A volume that three systems see, and two names with which it is reserved; systems are connected at no cost, or not at all.
fn shared(complex: ComplexPlan) -> Plan {
    let own = SerializationPlan { complex, ..service(Structure::None) };
    let named = |number| EnqueuePlan { reserve: vec![0, 1, 2], ..resource(number, Scope::Systems) };
    let mut plan = plan(3, own, vec![named(0), named(1)]);
    plan.volumes = (0..3).map(|number| volume(number, Aliasing::None)).collect();
    for (number, view) in plan.volumes.iter_mut().enumerate() {
        view.partition = Some(number);
    }
    plan
}

/// Requesters in the three systems; names have another queue in each, so that they meet at the volume alone.
fn unconnected() -> Stand {
    Stand::new(&shared(ComplexPlan::None), &[0, 1, 2])
}

/// An ENQ with RESERVE or a DEQ is through in the stand; what is to be done to volumes then.
fn reserves(stand: &mut Stand, requester: u32, enqueue: u32, at: u64) -> Vec<Reservation> {
    stand.enq(requester, enqueue, at);
    assert_eq!(stand.go_on(requester, at + 10), Next::Over(None));
    stand.reservations.clone()
}

fn releases(stand: &mut Stand, requester: u32, enqueue: usize, at: u64) -> Vec<Reservation> {
    stand.deq(requester, enqueue, at);
    assert_eq!(stand.go_on(requester, at + 6), Next::Over(None));
    stand.reservations.clone()
}

#[test]
fn it_is_reserved_against_the_other_systems() {
    let mut stand = unconnected();
    assert_eq!(reserves(&mut stand, B, 0, 0), [reserve(0), reserve(2)]);
    assert_eq!(releases(&mut stand, B, 0, 100), [release(0), release(2)]);
}

#[test]
fn nothing_is_done_before_the_request_is_queued() {
    let mut stand = unconnected();
    stand.enq(A, 0, 0);
    assert_eq!(stand.reservations, []);
}

#[test]
fn a_second_system_gets_it_when_the_first_has_released_it() {
    let mut stand = unconnected();
    reserves(&mut stand, A, 0, 0);
    assert_eq!(reserves(&mut stand, B, 0, 20), [], "its program goes on: its next I/O finds it out");
    let after = [release(1), release(2), reserve(0), reserve(2)];
    assert_eq!(releases(&mut stand, A, 0, 100), after);
    assert_eq!(releases(&mut stand, B, 0, 200), [release(0), release(2)]);
}

#[test]
fn of_two_that_want_it_the_first_has_it_first() {
    let mut stand = unconnected();
    reserves(&mut stand, A, 0, 0);
    reserves(&mut stand, C, 0, 20);
    reserves(&mut stand, B, 0, 40);
    assert_eq!(releases(&mut stand, A, 0, 100)[2..], [reserve(0), reserve(1)], "C");
    assert_eq!(releases(&mut stand, C, 0, 200)[2..], [reserve(0), reserve(2)], "then B");
}

#[test]
fn a_system_that_needs_it_no_longer_does_not_get_it() {
    let mut stand = unconnected();
    reserves(&mut stand, A, 0, 0);
    reserves(&mut stand, B, 0, 20);
    assert_eq!(releases(&mut stand, B, 0, 100), []);
    assert_eq!(releases(&mut stand, A, 0, 200), [release(1), release(2)]);
}

/// Reference, RESERVE: it is released when all requests of the system for it have been.
#[test]
fn a_system_that_reserves_it_twice_has_it_until_it_has_released_both() {
    let mut stand = unconnected();
    assert_eq!(reserves(&mut stand, A, 0, 0), [reserve(1), reserve(2)]);
    assert_eq!(reserves(&mut stand, A, 1, 20), []);
    assert_eq!(releases(&mut stand, A, 0, 100), []);
    assert_eq!(releases(&mut stand, A, 1, 200), [release(1), release(2)]);
}

#[test]
fn a_waiter_for_the_name_does_not_reserve_yet() {
    let complex = ComplexPlan::Star { service: Span::from_us(1) };
    let mut stand = Stand::new(&shared(complex), &[0, 1]);
    for (requester, at, next) in [(A, 0, Next::Over(None)), (B, 20, Next::Wait)] {
        stand.enq(requester, 0, at);
        stand.go_on(requester, at + 10);
        assert_eq!(stand.go_on(requester, at + 11), next);
    }
    assert_eq!(stand.reservations, []);
    stand.deq(A, 0, 100);
    stand.go_on(A, 106);
    assert_eq!(stand.go_on(A, 107), Next::Over(None));
    assert_eq!(stand.reservations, [release(1), release(2), reserve(0), reserve(2)]);
}

#[test]
fn the_end_of_a_program_releases_it() {
    let mut stand = unconnected();
    reserves(&mut stand, A, 0, 0);
    stand.ends(A, 100);
    assert_eq!(stand.go_on(A, 106), Next::Over(None));
    assert_eq!(stand.reservations, [release(1), release(2)]);
}
