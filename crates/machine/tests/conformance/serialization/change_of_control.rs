//! TEST and CHNG of programs: what is asked and not taken, what is changed from shared to exclusive, and what both cost.
//!
//! Source: Reference, ENQ RET=TEST and RET=CHNG.  ASSUME: both go the way of an ENQ, at its price or at one of its own.

use super::stand::{Stand, ask, plan, resource, serve, service};
use crate::stand::us;
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::call::{Ask, Call};
use machine::guest::program::{self, Draws, Operation, Position, Program};
use machine::ids::Requester;
use machine::plan::{
    ComplexPlan, Costs, EnqStep, EnqueueAccess, Linkage, Ret, Scope, SerializationPlan, Step, Structure,
};
use machine::serialization::Next;
use machine::signal::Queueing;
use units::Span;

use EnqueueAccess::{Exclusive, Shared};

const A: u32 = 0;
const B: u32 = 1;
const REFUSED: Next = Next::Over(Some(77));
const DONE: Next = Next::Over(None);

/// A requester in each of two systems that share a name through a structure that takes so long.
fn sharing(us: u64) -> Stand {
    let complex = ComplexPlan::Star { service: Span::from_us(us) };
    let own = SerializationPlan { complex, ..service(Structure::None) };
    Stand::new(&plan(2, own, vec![resource(0, Scope::Systems)]), &[0, 1])
}

/// A task makes this request: where it waits or is through.
fn asks(stand: &mut Stand, requester: u32, (ret, access): (Ret, EnqueueAccess), at: u64) -> Next {
    let next = stand.asks(requester, Ask { ret, access, ..ask(0) }, at);
    stand.through(requester, next).0
}

fn releases(stand: &mut Stand, requester: u32, at: u64) {
    let next = stand.deq(requester, 0, at);
    assert_eq!(stand.through(requester, next).0, DONE);
}

/// Owners and waiters of the name, as the service has them.
fn queued(stand: &Stand) -> (u32, u32) {
    let all = stand.service.service().query(&Default::default());
    all.first().map_or((0, 0), |queue| (queue.owners, queue.waiters()))
}

fn what(stand: &Stand) -> Vec<Queueing> {
    stand.queues().into_iter().map(|(_, what)| what).collect()
}

#[test]
fn a_test_takes_nothing() {
    let mut stand = sharing(0);
    assert_eq!(asks(&mut stand, A, (Ret::Test, Exclusive), 0), DONE);
    assert_eq!((queued(&stand), what(&stand)), ((0, 0), vec![Queueing::Tested(Requester(A), true)]));
}

#[test]
fn a_test_of_what_another_has_goes_past_its_steps_and_waits_for_nothing() {
    let mut stand = sharing(0);
    asks(&mut stand, B, (Ret::None, Shared), 0);
    assert_eq!(asks(&mut stand, A, (Ret::Test, Exclusive), 100), REFUSED);
    assert_eq!(what(&stand), [Queueing::Tested(Requester(A), false)]);
    assert_eq!(asks(&mut stand, A, (Ret::Test, Shared), 200), DONE);
    assert_eq!(queued(&stand), (1, 0));
}

#[test]
fn a_test_costs_what_an_enq_costs() {
    let mut stand = sharing(0);
    assert_eq!(stand.asks(A, Ask { ret: Ret::Test, ..ask(0) }, 0), serve(10));
    assert_eq!(stand.go_on(A, 10), DONE);
}

#[test]
fn a_change_has_a_price_of_its_own() {
    let own = service(Structure::None);
    let own = SerializationPlan { costs: Costs { chng: Span::from_us(3), ..own.costs }, ..own };
    let mut stand = Stand::new(&plan(1, own, vec![resource(0, Scope::System)]), &[0, 0]);
    assert_eq!(asks(&mut stand, A, (Ret::None, Shared), 0), DONE);
    assert_eq!(stand.asks(A, Ask { ret: Ret::Change, access: Exclusive, ..ask(0) }, 100), serve(3));
    assert_eq!(stand.go_on(A, 103), DONE);
    assert_eq!(stand.asks(B, Ask { ret: Ret::Test, ..ask(0) }, 200), serve(10), "a test has that of an ENQ");
}

#[test]
fn a_change_makes_the_only_owner_exclusive_until_its_dequeue() {
    let mut stand = sharing(0);
    asks(&mut stand, A, (Ret::None, Shared), 0);
    assert_eq!(asks(&mut stand, A, (Ret::Change, Exclusive), 100), DONE);
    assert_eq!(what(&stand), [Queueing::Changed(Requester(A), Shared)]);
    assert_eq!(asks(&mut stand, B, (Ret::Test, Shared), 200), REFUSED, "no task shares it any more");
    releases(&mut stand, A, 300);
    let released = |what: &Queueing| matches!(what, Queueing::Released(Requester(A), Exclusive, _));
    assert!(what(&stand).iter().any(released), "it is released as what it has become");
    assert_eq!(asks(&mut stand, B, (Ret::Test, Exclusive), 400), DONE);
}

#[test]
fn a_change_that_others_share_is_refused_and_keeps_its_share() {
    let mut stand = sharing(0);
    asks(&mut stand, A, (Ret::None, Shared), 0);
    asks(&mut stand, B, (Ret::None, Shared), 0);
    assert_eq!(asks(&mut stand, A, (Ret::Change, Exclusive), 100), REFUSED);
    assert_eq!((queued(&stand), what(&stand)), ((2, 0), vec![Queueing::Refused(Requester(A))]));
    releases(&mut stand, B, 200);
    assert_eq!(asks(&mut stand, A, (Ret::Change, Exclusive), 300), DONE, "alone it may");
}

#[test]
fn a_change_passes_those_that_wait() {
    let mut stand = sharing(0);
    asks(&mut stand, A, (Ret::None, Shared), 0);
    assert_eq!(asks(&mut stand, B, (Ret::None, Exclusive), 100), Next::Wait);
    assert_eq!(asks(&mut stand, A, (Ret::Change, Exclusive), 200), DONE);
    assert_eq!((queued(&stand), stand.woken.len()), ((1, 1), 0));
    releases(&mut stand, A, 300);
    assert_eq!(stand.woken, [B]);
}

#[test]
fn a_change_of_what_the_task_has_not_is_refused() {
    let mut stand = sharing(0);
    assert_eq!(asks(&mut stand, A, (Ret::Change, Exclusive), 0), REFUSED);
    assert_eq!(queued(&stand), (0, 0));
}

#[test]
fn both_are_on_their_way_as_an_enq_is() {
    let mut stand = sharing(50);
    assert_eq!(asks(&mut stand, A, (Ret::None, Shared), 0), Next::WaitUntil(us(60)));
    assert_eq!(stand.go_on(A, 60), DONE);
    assert_eq!(asks(&mut stand, A, (Ret::Change, Exclusive), 100), Next::WaitUntil(us(160)));
    assert_eq!(asks(&mut stand, B, (Ret::Test, Exclusive), 100), Next::WaitUntil(us(160)));
}

#[test]
fn behind_the_steps_of_a_change_nothing_is_released_but_behind_those_around_it() {
    let enq =
        |ret, steps| Step::Enq(EnqStep { enqueue: 0, access: Shared, ret, linkage: Linkage::Svc, steps: Some(steps) });
    let think = |us| Step::Think(Distribution::Constant(Span::from_us(us)));
    let program = Program::compile(&[enq(Ret::None, vec![enq(Ret::Change, vec![think(1)]), think(2)])]);
    let (mut position, mut draws) = (Position::default(), Draws::new(&program, "G", &Streams::new(1, 0)));
    let mut next = || program.next(&mut position, &mut draws, |_| unreachable!("nothing is held"));
    assert!(matches!(
        next(),
        Operation::Shared(program::Shared::Serialize(Call::Enq { place: 0, ask: Ask { ret: Ret::None, .. } }))
    ));
    // A refused requester goes on behind the step inside, the fourth from the start.
    assert!(matches!(
        next(),
        Operation::Shared(program::Shared::Serialize(Call::Enq {
            place: 0,
            ask: Ask { ret: Ret::Change, past: 3, .. }
        }))
    ));
    assert_eq!([next(), next()], [1, 2].map(|us| Operation::Think(Span::from_us(us))));
    assert_eq!(next(), Operation::Shared(program::Shared::Serialize(Call::Deq { place: 0 })));
    assert_eq!([next(), next()], [Operation::Shared(program::Shared::Serialize(Call::EndTask)), Operation::End]);
}
