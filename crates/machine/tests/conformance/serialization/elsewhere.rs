//! Global requests: how long they are on their way to the other systems, and when they are queued.
//!
//! Source: Planning, Request processing without ring acceleration, and with it.  ASSUME: a DEQ waits as an ENQ does, and a
//! structure serves any number at once.

use super::stand::{Stand, plan, resource, serve, service};
use crate::stand::us;
use machine::ids::{Partition, Requester};
use machine::plan::{ComplexPlan, Costs, EnqueueAccess, Ring, Scope, SerializationPlan, Structure};
use machine::serialization::Next;
use machine::signal::{LockUse, Queueing, Request, Serializing};
use units::Span;

const A: u32 = 0;
const B: u32 = 1;
const EXCLUSIVE: EnqueueAccess = EnqueueAccess::Exclusive;

fn connected(complex: ComplexPlan) -> SerializationPlan {
    SerializationPlan { complex, ..service(Structure::None) }
}

fn star(us: u64) -> ComplexPlan {
    ComplexPlan::Star { service: Span::from_us(us) }
}

fn ring(us: u64) -> ComplexPlan {
    ComplexPlan::Ring(Ring { residency: Span::from_us(us), ..Ring::default() })
}

/// Requesters in these systems, which share one global name.
fn global(own: SerializationPlan, systems: &[u32]) -> Stand {
    let count = systems.iter().max().expect("somebody is somewhere") + 1;
    Stand::new(&plan(count, own, vec![resource(0, Scope::Systems)]), systems)
}

fn what(stand: &Stand) -> Vec<Queueing> {
    stand.queues().into_iter().map(|(_, what)| what).collect()
}

#[test]
fn a_global_request_is_queued_when_the_others_know_of_it() {
    let mut stand = global(connected(star(50)), &[0]);
    stand.enq(A, 0, 0);
    assert_eq!(stand.go_on(A, 10), Next::WaitUntil(us(60)));
    assert_eq!(what(&stand), [], "not yet");
    assert_eq!(stand.go_on(A, 60), Next::Over(None));
    assert_eq!(what(&stand), [Queueing::Granted(Requester(A), EXCLUSIVE)]);
    let own = Partition(0);
    let delayed = Serializing::Delayed(own, Span::from_us(50));
    assert_eq!(stand.requests(), [delayed, Serializing::Over(own, Request::Enq, Span::from_us(60))]);
}

#[test]
fn the_lock_is_free_meanwhile() {
    let mut stand = global(connected(star(50)), &[0, 0]);
    stand.enq(A, 0, 0);
    stand.go_on(A, 10);
    assert_eq!(stand.locks(), [(0, LockUse::Given(Requester(A), Span::from_us(10)))]);
    assert_eq!(stand.enq(B, 0, 12), serve(10));
}

#[test]
fn the_first_known_request_has_it_first() {
    let own = SerializationPlan {
        costs: Costs { enq: Span::from_us(1), ..service(Structure::None).costs },
        ..connected(ring(100))
    };
    let mut stand = global(own, &[0, 1]);
    stand.enq(A, 0, 210);
    assert_eq!(stand.go_on(A, 211), Next::WaitUntil(us(600)), "it has just missed the message");
    stand.enq(B, 0, 250);
    assert_eq!(stand.go_on(B, 251), Next::WaitUntil(us(500)));
    assert_eq!(stand.go_on(B, 500), Next::Over(None));
    assert_eq!(stand.go_on(A, 600), Next::Wait, "B came later and was known of earlier");
}

/// A lock structure answers in one service time, however many ask.
#[test]
fn a_structure_serves_any_number_at_once() {
    let mut stand = global(connected(star(50)), &[0, 1, 2]);
    for requester in [0, 1, 2] {
        stand.enq(requester, 0, 0);
        assert_eq!(stand.go_on(requester, 10), Next::WaitUntil(us(60)), "{requester}");
    }
    let next = [0, 1, 2].map(|requester| stand.go_on(requester, 60));
    assert_eq!(next, [Next::Over(None), Next::Wait, Next::Wait]);
}

/// A ring of three has a residency of 100 us. The message arrives at the systems at 0, 100 and 200, takes along what is
/// there by then, and comes back after 300.
#[test]
fn in_a_ring_it_waits_for_the_message_and_then_for_its_way_round() {
    let table = [
        (0, 0, 300),
        (0, 1, 600),
        (0, 99, 600),
        (0, 250, 600),
        (0, 300, 600),
        (0, 301, 900),
        (1, 0, 400),
        (1, 100, 400),
        (1, 101, 700),
        (2, 0, 500),
        (2, 200, 500),
        (2, 201, 800),
        (2, 12_345, 12_800),
    ];
    for (system, sent, back) in table {
        let free = Costs { enq: Span::ZERO, ..service(Structure::None).costs };
        let own = SerializationPlan { costs: free, ..connected(ring(100)) };
        let mut stand = Stand::new(&plan(3, own, vec![resource(0, Scope::Systems)]), &[system]);
        assert_eq!(stand.enq(A, 0, sent), Next::WaitUntil(us(back)), "system {system} at {sent}");
    }
}

#[test]
fn the_way_round_is_one_residency_for_each_system() {
    for systems in [2, 3, 5] {
        let free = Costs { enq: Span::ZERO, ..service(Structure::None).costs };
        let own = SerializationPlan { costs: free, ..connected(ring(100)) };
        let mut stand = Stand::new(&plan(systems, own, vec![resource(0, Scope::Systems)]), &[0]);
        assert_eq!(stand.enq(A, 0, 0), Next::WaitUntil(us(100 * u64::from(systems))), "{systems}");
    }
}

#[test]
fn a_system_alone_in_its_ring_waits_for_no_message() {
    let free = Costs { enq: Span::ZERO, ..service(Structure::None).costs };
    let own = SerializationPlan { costs: free, ..connected(ring(100)) };
    let mut stand = Stand::new(&plan(1, own, vec![resource(0, Scope::Systems)]), &[0]);
    assert_eq!(stand.enq(A, 0, 50), Next::Over(None));
}

/// A ring of four has a residency of 100 us and 10 us between systems. The message arrives at the first at 440 us and at
/// the others at 550, 660 and 770. The signal takes 10 us.
#[test]
fn with_acceleration_it_waits_until_enough_systems_have_seen_it() {
    for (seen, granted) in [(Some(2), 560), (Some(3), 670), (Some(4), 780), (Some(5), 880), (None, 880)] {
        let free = Costs { enq: Span::ZERO, ..service(Structure::None).costs };
        let (residency, transmission) = (Span::from_us(100), Span::from_us(10));
        let complex = ComplexPlan::Ring(Ring { residency, transmission, acceleration: seen });
        let own = SerializationPlan { costs: free, ..connected(complex) };
        let mut stand = Stand::new(&plan(4, own, vec![resource(0, Scope::Systems)]), &[0]);
        assert_eq!(stand.enq(A, 0, 50), Next::WaitUntil(us(granted)), "{seen:?}");
    }
}

#[test]
fn a_deq_waits_as_an_enq_does() {
    let mut stand = global(connected(star(50)), &[0, 1]);
    stand.enq(A, 0, 0);
    stand.go_on(A, 10);
    stand.go_on(A, 60);
    stand.enq(B, 0, 60);
    stand.go_on(B, 70);
    assert_eq!(stand.go_on(B, 120), Next::Wait);
    stand.deq(A, 0, 200);
    assert_eq!(stand.go_on(A, 206), Next::WaitUntil(us(256)));
    assert!(stand.woken.is_empty(), "the others do not know of it");
    assert_eq!(stand.go_on(A, 256), Next::Over(None));
    let released = Queueing::Released(Requester(A), EXCLUSIVE, Span::from_us(196));
    let passed = Queueing::Passed(Requester(B), EXCLUSIVE, Span::from_us(136));
    assert_eq!((what(&stand), &stand.woken[..]), (vec![released, passed], &[B][..]));
}

#[test]
fn local_requests_wait_for_no_message() {
    for complex in [star(50), ring(100)] {
        for scope in [Scope::Step, Scope::System] {
            let mut stand = Stand::new(&plan(2, connected(complex), vec![resource(0, scope)]), &[0]);
            stand.enq(A, 0, 0);
            assert_eq!(stand.go_on(A, 10), Next::Over(None), "{complex:?} {scope:?}");
        }
    }
}

#[test]
fn where_systems_are_not_connected_no_request_is_global() {
    let mut stand = global(connected(ComplexPlan::None), &[0, 1]);
    stand.enq(A, 0, 0);
    stand.enq(B, 0, 0);
    assert_eq!([A, B].map(|requester| stand.go_on(requester, 10)), [Next::Over(None); 2]);
}

/// Exits behind the queue come before it is sent: they are not called again when it comes back.
#[test]
fn a_global_request_is_sent_when_all_its_stretches_are_over() {
    let mut stand =
        global(SerializationPlan { managed: Some(vec![]), complex: star(50), ..service(Structure::Batch) }, &[0]);
    let next = stand.enq(A, 0, 0);
    assert_eq!(stand.through(A, next), (Next::WaitUntil(us(130)), 80));
    assert_eq!(stand.go_on(A, 130), Next::Over(None));
}

/// GRS/MIM: a manager is called for ENQs that it is interested in, and hears of the end of a queue.
#[test]
fn the_answer_of_a_manager_is_waited_for_by_the_enq() {
    let own = SerializationPlan { answer: Span::from_us(500), ..service(Structure::PrebatchSingleArea) };
    let mut stand = global(own, &[0]);
    let next = stand.enq(A, 0, 0);
    let (wait, sent) = stand.through(A, next);
    assert_eq!(wait, Next::WaitUntil(us(sent + 500)));
    assert_eq!(what(&stand), []);
    assert_eq!(stand.go_on(A, sent + 500), Next::Over(None));
    assert_eq!(what(&stand), [Queueing::Granted(Requester(A), EXCLUSIVE)]);
    let next = stand.deq(A, 0, 5_000);
    assert_eq!(stand.through(A, next).0, Next::Over(None), "its DEQ notifies, and does not ask");
}

#[test]
fn names_that_no_manager_cares_about_have_no_answer() {
    let own = SerializationPlan { answer: Span::from_us(500), ..service(Structure::PrebatchSingleArea) };
    let mut stand = Stand::new(&plan(1, own, vec![resource(0, Scope::System)]), &[0]);
    let next = stand.enq(A, 0, 0);
    assert_eq!(stand.through(A, next).0, Next::Over(None));
}

/// The ring is asked when the manager has answered.
#[test]
fn the_answer_comes_before_the_ring() {
    let own = SerializationPlan { answer: Span::from_us(500), complex: ring(1_000), ..service(Structure::SvcFrontEnd) };
    let mut stand = global(own, &[0, 1]);
    let next = stand.enq(A, 0, 1_600);
    let (wait, sent) = stand.through(A, next);
    assert_eq!(sent, 1_625, "front end, message, ENQ");
    assert_eq!(wait, Next::WaitUntil(us(4_000 + 2_000)), "answered at 2125, when the message of 2000 is gone");
}

#[test]
fn a_manager_makes_names_global_of_systems_that_are_not_connected() {
    let mut stand = global(service(Structure::Batch), &[0, 1]);
    let nexts = [A, B].map(|requester| {
        let next = stand.enq(requester, 0, 1_000 * u64::from(requester));
        stand.through(requester, next).0
    });
    assert_eq!(nexts, [Next::Over(None), Next::Wait]);
}
