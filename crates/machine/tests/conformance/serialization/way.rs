//! The way of a request: which stretches it is made of, which of them need the lock, and what each is spent on.

use super::stand::{Stand, plan, resource, serve, service};
use machine::ids::{Partition, Requester};
use machine::plan::{Linkage, Scope, Structure};
use machine::serialization::{Next, Piece};
use machine::signal::{LockUse, Queueing, Request, Serializing, Signal};
use units::Span;

const A: u32 = 0;

fn taken(waited: Option<u64>) -> (u32, LockUse) {
    (0, LockUse::Taken(Requester(A), waited.map(Span::from_us)))
}

fn given(held: u64) -> (u32, LockUse) {
    (0, LockUse::Given(Requester(A), Span::from_us(held)))
}

/// The stretches of an ENQ and of the DEQ behind it, by the only requester, in us.
fn pair(structure: Structure, scope: Scope) -> [Vec<u64>; 2] {
    let mut stand = Stand::new(&plan(1, service(structure), vec![resource(0, scope)]), &[0]);
    let next = stand.enq(A, 0, 0);
    let enq = stand.stretches(A, next);
    let next = stand.deq(A, 0, 1_000);
    [enq, stand.stretches(A, next)]
}

/// GRS/MIM: the exits of the five structures for a name that no manager cares about.  Storage, status, the exit beside the
/// lock, ENQ itself, and the same again behind it; a DEQ has the end of the queue behind it.
#[test]
fn a_request_is_a_row_of_stretches_as_its_exits_and_prices_say() {
    assert_eq!(pair(Structure::None, Scope::System), [vec![10], vec![6]]);
    assert_eq!(pair(Structure::SvcFrontEnd, Scope::System), [vec![8, 10], vec![8, 6]]);
    let (slow, end) = ([3, 20, 12], [3, 3]);
    let enq = [&slow[..], &[10], &slow].concat();
    assert_eq!(pair(Structure::Batch, Scope::System), [enq, [&slow[..], &[6], &end].concat()]);
    for (structure, area) in [(Structure::PrebatchPooled14, 30), (Structure::PrebatchSingleArea, 13)] {
        let fast = [area, 3, area, 3];
        let [enq, deq] = [[&fast[..], &[10]].concat(), [&fast[..], &[6, area, 3]].concat()];
        assert_eq!(pair(structure, Scope::System), [enq, deq], "{structure:?}");
    }
}

/// GRS/MIM: a name of the manager costs the conditional batch exit, a message, and a message when no request is left.
#[test]
fn the_way_of_a_name_that_a_manager_cares_about_is_longer() {
    let (fast, slow, message) = ([30, 3, 30, 3], [30, 20, 12], [7]);
    let enq = [&fast[..], &slow, &message, &[10], &slow].concat();
    let deq = [&fast[..], &[6, 30, 3], &message].concat();
    assert_eq!(pair(Structure::PrebatchPooled14, Scope::Systems), [enq, deq]);
}

#[test]
fn a_front_end_of_the_supervisor_call_is_no_stretch_of_a_program_call() {
    let mut stand = Stand::local(Structure::SvcFrontEnd, 1);
    let next = stand.asks(A, machine::call::Ask { linkage: Linkage::Pc, ..super::stand::ask(0) }, 0);
    assert_eq!(stand.stretches(A, next), [10]);
    let next = stand.deq(A, 0, 50);
    assert_eq!(stand.stretches(A, next), [6], "the DEQ comes through the same door");
}

#[test]
fn a_request_says_what_its_way_costs_what_is_spent_on_what_and_how_long_it_took() {
    let mut stand = Stand::local(Structure::SvcFrontEnd, 1);
    let own = Partition(0);
    stand.enq(A, 0, 5);
    assert_eq!(stand.requests(), [Serializing::Called(own, Request::Enq, Span::from_us(18))]);
    stand.go_on(A, 13);
    assert_eq!(stand.requests(), [Serializing::Spent(own, Piece::FrontEnd, Span::from_us(8))]);
    assert_eq!(stand.go_on(A, 23), Next::Over(None));
    let spent = Serializing::Spent(own, Piece::Base, Span::from_us(10));
    assert_eq!(stand.requests(), [spent, Serializing::Over(own, Request::Enq, Span::from_us(18))]);
}

#[test]
fn what_a_front_end_does_it_does_without_the_lock() {
    let mut stand = Stand::local(Structure::SvcFrontEnd, 1);
    stand.enq(A, 0, 0);
    assert_eq!(stand.locks(), []);
    stand.go_on(A, 8);
    assert_eq!(stand.locks(), [taken(None)]);
    stand.go_on(A, 18);
    assert_eq!(stand.locks(), [given(10)]);
}

/// GRS/MIM: a slow exit is called with the lock dropped; the parts on both sides of ENQ itself are one hold with it.
#[test]
fn neighbours_that_need_the_lock_are_one_hold_and_others_drop_it() {
    let mut stand = Stand::local(Structure::Batch, 1);
    let mut steps = vec![(0, stand.enq(A, 0, 0), stand.locks())];
    for at in [3, 23, 35, 45, 48, 68, 80] {
        steps.push((at, stand.go_on(A, at), stand.locks()));
    }
    let expected = [
        (0, serve(3), vec![taken(None)]),
        (3, serve(20), vec![]),
        (23, serve(12), vec![given(23)]),
        (35, serve(10), vec![taken(None)]),
        (45, serve(3), vec![]),
        (48, serve(20), vec![]),
        (68, serve(12), vec![given(33)]),
        (80, Next::Over(None), vec![]),
    ];
    assert_eq!(steps, expected);
}

#[test]
fn fast_exits_are_called_in_the_same_hold_as_enq_itself() {
    let mut stand = Stand::local(Structure::PrebatchPooled14, 1);
    let next = stand.enq(A, 0, 0);
    assert_eq!(stand.locks(), [taken(None)]);
    assert_eq!(stand.through(A, next), (Next::Over(None), 76));
    assert_eq!(stand.locks(), [given(76)]);
}

/// GRS/MIM: exits behind the queue see what became of the request, so that it is queued before them.
#[test]
fn a_local_request_is_queued_between_the_exits_before_it_and_those_behind_it() {
    let mut stand = Stand::local(Structure::Batch, 1);
    stand.enq(A, 0, 0);
    for at in [3, 23, 35] {
        stand.go_on(A, at);
        assert_eq!(stand.queues(), [], "not yet at {at}");
    }
    stand.go_on(A, 45);
    let queue = stand.queues();
    assert!(matches!(queue[..], [(_, Queueing::Granted(Requester(A), _))]), "when ENQ itself is through: {queue:?}");
}

#[test]
fn it_is_queued_while_it_has_the_lock() {
    let mut stand = Stand::local(Structure::None, 1);
    stand.enq(A, 0, 0);
    stand.go_on(A, 10);
    let of_interest =
        |signal: &&Signal| matches!(signal, Signal::Serialization(Serializing::Lock(..) | Serializing::Queue(..)));
    let said: Vec<Signal> = stand.said.iter().filter(of_interest).copied().collect();
    assert!(matches!(said[0], Signal::Serialization(Serializing::Queue(_, _, Queueing::Granted(..)))), "{said:?}");
    assert_eq!(said[1..], [Signal::Serialization(Serializing::Lock(Partition(0), given(10).1))]);
}

/// MVS Installation Exits, ISGENDOFLQCB: when the last requester of a system has released a resource.
#[test]
fn the_end_of_a_queue_is_added_to_the_way_of_the_last_requester() {
    let mut stand = Stand::local(Structure::Batch, 2);
    for (requester, at) in [(0, 0), (1, 100)] {
        let shared = machine::plan::EnqueueAccess::Shared;
        let next = stand.asks(requester, machine::call::Ask { access: shared, ..super::stand::ask(0) }, at);
        stand.through(requester, next);
    }
    let (slow, added) = ([3, 20, 12], Span::from_us(6));
    let next = stand.deq(0, 0, 200);
    assert_eq!(stand.stretches(0, next), [&slow[..], &[6]].concat(), "another one still has it");
    let mut next = stand.deq(1, 0, 300);
    for at in [303, 323, 335] {
        assert_eq!(stand.requests().iter().filter(|signal| matches!(signal, Serializing::Added(..))).count(), 0);
        assert!(matches!(next, Next::Serve(_)));
        next = stand.go_on(1, at);
    }
    assert_eq!((next, stand.go_on(1, 341)), (serve(6), serve(3)));
    assert!(stand.requests().contains(&Serializing::Added(Partition(0), added)), "{:?}", stand.said);
    assert_eq!((stand.go_on(1, 344), stand.go_on(1, 347)), (serve(3), Next::Over(None)));
}

#[test]
fn a_release_of_a_resource_not_held_is_through_at_once_and_costs_nothing() {
    let mut stand = Stand::local(Structure::Batch, 1);
    assert_eq!(stand.deq(A, 0, 5), Next::Over(None));
    assert_eq!(stand.said, []);
}
