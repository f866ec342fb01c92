//! A system that leaves: what it had is free everywhere, its lock too, and what it asked for it asks for again when it is back.
//!
//! Source: Planning, a system that is removed from the complex.  ASSUME: how long that takes, and what becomes of programs
//! when it is back.

use super::stand::{Stand, ask, plan, resource, serve, service};
use crate::stand::{Record, us, volume};
use machine::ids::{Partition, Requester, Volume};
use machine::plan::{Aliasing, ComplexPlan, EnqueueAccess, Plan, Ring, Scope, SerializationPlan, Structure};
use machine::serialization::{Next, QueuesSoFar, Reservation, SoFar};
use machine::signal::{LockUse, Queueing, Serializing, Signal};
use units::Span;

const A: u32 = 0;
const B: u32 = 1;
const EXCLUSIVE: EnqueueAccess = EnqueueAccess::Exclusive;
const SYS0: Partition = Partition(0);

/// Systems that share a global name, and know of requests at once.
fn sharing(systems: u32) -> Plan {
    let complex = ComplexPlan::Star { service: Span::ZERO };
    plan(systems, SerializationPlan { complex, ..service(Structure::None) }, vec![resource(0, Scope::Systems)])
}

/// The signals on queues, locks and lost requests when a system leaves.
fn leaves(stand: &mut Stand, system: Partition, at: u64) -> Vec<Serializing> {
    let mut record = Record::default();
    stand.service.leave(system, us(at), &mut record);
    stand.woken.extend(std::iter::from_fn(|| stand.service.woken()).map(|woken| woken.0));
    stand.reservations = std::iter::from_fn(|| stand.service.reservation()).collect();
    let own = |signal| if let Signal::Serialization(what) = signal { Some(what) } else { None };
    record.0.into_iter().filter_map(own).collect()
}

fn joins(stand: &mut Stand, system: Partition) {
    stand.service.join(system);
    stand.woken.extend(std::iter::from_fn(|| stand.service.woken()).map(|woken| woken.0));
}

#[test]
fn its_resources_go_to_waiters_elsewhere() {
    let mut stand = Stand::new(&sharing(2), &[0, 1]);
    stand.enq(A, 0, 0);
    stand.go_on(A, 10);
    stand.enq(B, 0, 10);
    assert_eq!(stand.go_on(B, 20), Next::Wait);
    let said = leaves(&mut stand, SYS0, 100);
    let queues =
        said.iter().filter_map(|what| if let Serializing::Queue(_, _, what) = what { Some(*what) } else { None });
    let released = Queueing::Released(Requester(A), EXCLUSIVE, Span::from_us(90));
    let passed = Queueing::Passed(Requester(B), EXCLUSIVE, Span::from_us(80));
    assert_eq!(queues.collect::<Vec<_>>(), [released, passed]);
    assert_eq!((stand.woken.clone(), stand.go_on(B, 100)), (vec![B], Next::Over(None)));
}

#[test]
fn its_waiters_wait_no_more() {
    let mut stand = Stand::new(&sharing(2), &[0, 1]);
    stand.enq(B, 0, 0);
    stand.go_on(B, 10);
    stand.enq(A, 0, 10);
    assert_eq!(stand.go_on(A, 20), Next::Wait);
    let said = leaves(&mut stand, SYS0, 100);
    let withdrawn = Queueing::Withdrawn(Requester(A), EXCLUSIVE, Span::from_us(80));
    assert!(said.iter().any(|what| matches!(what, Serializing::Queue(_, _, what) if *what == withdrawn)), "{said:?}");
    assert_eq!(stand.service.queues_so_far(us(100)), [QueuesSoFar { owning: (1, us_units(90)), ..Default::default() }]);
}

fn us_units(us: u64) -> u128 {
    Span::from_us(us).units().into()
}

#[test]
fn nothing_is_left_of_it() {
    let mut stand = Stand::new(&sharing(1), &[0, 0, 0]);
    stand.enq(A, 0, 0);
    stand.go_on(A, 10);
    stand.deq(A, 0, 20);
    stand.enq(B, 0, 21);
    stand.enq(2, 0, 22);
    leaves(&mut stand, SYS0, 23);
    assert_eq!(stand.service.so_far(SYS0, us(50)), SoFar::default());
    assert_eq!(stand.service.queues_so_far(us(50)), [QueuesSoFar::default()]);
    assert!(stand.service.service().query(&Default::default()).is_empty());
}

#[test]
fn its_lock_is_free_and_has_no_waiters() {
    let mut stand = Stand::new(&sharing(1), &[0, 0]);
    stand.enq(A, 0, 0);
    assert_eq!(stand.enq(B, 0, 4), Next::Wait);
    let said = leaves(&mut stand, SYS0, 7);
    let lock = |what| Serializing::Lock(SYS0, what);
    let given = LockUse::Given(Requester(A), Span::from_us(7));
    assert_eq!(said[..2], [lock(LockUse::Withdrawn(Requester(B), Span::from_us(3))), lock(given)]);
}

#[test]
fn what_its_requests_would_have_cost_is_said() {
    let mut stand = Stand::new(&sharing(1), &[0]);
    stand.enq(A, 0, 0);
    let said = leaves(&mut stand, SYS0, 7);
    assert!(said.contains(&Serializing::Lost(SYS0, Span::from_us(10), Span::from_us(7))), "{said:?}");
}

#[test]
fn its_volumes_are_released() {
    let complex = ComplexPlan::Star { service: Span::ZERO };
    let mut own = resource(0, Scope::Systems);
    own.reserve = vec![0, 1];
    let mut plan = plan(2, SerializationPlan { complex, ..service(Structure::None) }, vec![own]);
    plan.volumes = (0..2).map(|number| volume(number, Aliasing::None)).collect();
    plan.volumes.iter_mut().enumerate().for_each(|(number, volume)| volume.partition = Some(number));
    let mut stand = Stand::new(&plan, &[0, 1]);
    stand.enq(A, 0, 0);
    stand.go_on(A, 10);
    assert_eq!(stand.reservations, [Reservation::Reserve(Volume(1))]);
    leaves(&mut stand, SYS0, 20);
    assert_eq!(stand.reservations, [Reservation::Release(Volume(1))]);
}

#[test]
fn a_ring_is_shorter_without_it() {
    let complex = ComplexPlan::Ring(Ring { residency: Span::from_us(100), ..Ring::default() });
    let own = SerializationPlan { complex, ..service(Structure::None) };
    let mut stand = Stand::new(&plan(3, own, vec![resource(0, Scope::Systems)]), &[0, 1, 2]);
    leaves(&mut stand, Partition(1), 5);
    // The message arrives at SYS2, the second of two, at 300, and is back 200 later.
    stand.enq(2, 0, 200);
    assert_eq!(stand.go_on(2, 210), Next::WaitUntil(us(500)));
    joins(&mut stand, Partition(1));
    stand.enq(A, 0, 380);
    assert_eq!(stand.go_on(A, 390), Next::WaitUntil(us(600 + 300)));
}

#[test]
fn a_task_with_a_request_asks_again_when_it_is_back() {
    let mut stand = Stand::new(&sharing(2), &[0, 1]);
    stand.enq(B, 0, 0);
    stand.go_on(B, 10);
    stand.enq(A, 0, 10);
    assert_eq!(stand.go_on(A, 20), Next::Wait);
    leaves(&mut stand, SYS0, 100);
    assert!(stand.woken.is_empty(), "not before");
    joins(&mut stand, SYS0);
    assert_eq!((stand.woken.clone(), stand.go_on(A, 200)), (vec![A], serve(10)));
}

#[test]
fn a_task_on_a_processor_asks_again_when_it_has_been_served() {
    let mut stand = Stand::new(&sharing(1), &[0]);
    stand.enq(A, 0, 0);
    leaves(&mut stand, SYS0, 7);
    joins(&mut stand, SYS0);
    assert!(stand.woken.is_empty(), "its processor reports it");
    assert_eq!(stand.go_on(A, 10), serve(10));
    assert_eq!(stand.requests().len(), 1, "what it was served for was lost: {:?}", stand.requests());
}

#[test]
fn an_answer_that_comes_while_it_is_not_there_is_dropped() {
    let complex = ComplexPlan::Star { service: Span::from_us(50) };
    let own = SerializationPlan { complex, ..service(Structure::None) };
    let mut stand = Stand::new(&plan(2, own, vec![resource(0, Scope::Systems)]), &[0]);
    stand.enq(A, 0, 0);
    assert_eq!(stand.go_on(A, 10), Next::WaitUntil(us(60)));
    leaves(&mut stand, SYS0, 20);
    assert_eq!(stand.go_on(A, 60), Next::Wait);
    assert!(stand.service.service().query(&Default::default()).is_empty());
    joins(&mut stand, SYS0);
    assert_eq!((stand.woken.clone(), stand.go_on(A, 100)), (vec![A], serve(10)));
}

#[test]
fn what_is_asked_for_meanwhile_is_asked_for_when_it_is_back() {
    let mut stand = Stand::new(&sharing(1), &[0]);
    leaves(&mut stand, SYS0, 5);
    assert_eq!((stand.enq(A, 0, 10), stand.said.len()), (Next::Wait, 0));
    joins(&mut stand, SYS0);
    assert_eq!((stand.woken.clone(), stand.go_on(A, 20)), (vec![A], serve(10)));
}

#[test]
fn a_program_releases_nothing_that_its_system_lost() {
    let mut stand = Stand::new(&sharing(1), &[0]);
    stand.asks(A, ask(0), 0);
    stand.go_on(A, 10);
    leaves(&mut stand, SYS0, 20);
    joins(&mut stand, SYS0);
    assert_eq!((stand.deq(A, 0, 30), stand.said.len()), (Next::Over(None), 0));
    assert_eq!(stand.ends(A, 40), Next::Over(None));
}
