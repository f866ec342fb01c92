//! Queues of resources by name: which tasks contend for a name, which one waits, and when it resumes.
//!
//! Source: Reference, ENQ: scopes and RET; Planning on limits.

use super::stand::{Stand, ask, plan, resource, serve, service};
use machine::call::Ask;
use machine::ids::Requester;
use machine::plan::{ComplexPlan, EnqueueAccess, EnqueuePlan, Ret, Scope, SerializationPlan, Structure};
use machine::serialization::Next;
use machine::signal::{Queueing, Request, Serializing};
use units::Span;

const A: u32 = 0;
const B: u32 = 1;
const EXCLUSIVE: EnqueueAccess = EnqueueAccess::Exclusive;
const SHARED: EnqueueAccess = EnqueueAccess::Shared;

fn what(stand: &Stand) -> Vec<Queueing> {
    stand.queues().into_iter().map(|(_, what)| what).collect()
}

#[test]
fn a_task_that_cannot_have_it_waits_until_it_is_released() {
    let mut stand = Stand::local(Structure::None, 2);
    stand.enq(A, 0, 0);
    stand.go_on(A, 10);
    stand.enq(B, 0, 20);
    assert_eq!(stand.go_on(B, 30), Next::Wait);
    assert_eq!(what(&stand), [Queueing::Awaited(Requester(B), EXCLUSIVE)]);
    stand.deq(A, 0, 40);
    assert_eq!(stand.go_on(A, 46), Next::Over(None));
    let released = Queueing::Released(Requester(A), EXCLUSIVE, Span::from_us(36));
    let passed = Queueing::Passed(Requester(B), EXCLUSIVE, Span::from_us(16));
    assert_eq!(what(&stand), [released, passed], "held from 10 to 46, waited for from 30");
    assert_eq!(stand.woken, [B]);
    assert_eq!(stand.go_on(B, 46), Next::Over(None));
    let over = Serializing::Over(machine::ids::Partition(0), Request::Enq, Span::from_us(26));
    assert_eq!(stand.requests(), [over], "from 20 on it was inside its request");
}

/// It changes hands when DEQ itself is through, not when the releaser is.
#[test]
fn it_changes_hands_while_the_releaser_has_exits_ahead() {
    let mut stand = Stand::local(Structure::Batch, 2);
    let next = stand.enq(A, 0, 0);
    stand.through(A, next);
    let next = stand.enq(B, 0, 100);
    assert_eq!(stand.through(B, next), (Next::Wait, 180));
    stand.deq(A, 0, 200);
    for at in [203, 223, 235] {
        stand.go_on(A, at);
        assert_eq!(what(&stand), []);
    }
    assert_eq!(stand.go_on(A, 241), Next::Over(None), "B asks, so that nothing ends here");
    assert_eq!(stand.woken, [B]);
}

/// GRS/MIM: queued exits are called whether the request waits or not.
#[test]
fn exits_behind_the_queue_are_called_before_the_task_waits() {
    let mut stand = Stand::local(Structure::Batch, 2);
    let next = stand.enq(A, 0, 0);
    stand.through(A, next);
    let next = stand.enq(B, 0, 100);
    assert_eq!(stand.stretches(B, next), [3, 20, 12, 10, 3, 20, 12]);
    assert!(matches!(stand.enq(A, 0, 500), Next::Serve(_)), "A asks again, while B waits");
}

#[test]
fn a_task_that_gets_it_while_exits_behind_the_queue_are_called_does_not_wait() {
    let mut stand = Stand::local(Structure::Batch, 2);
    let next = stand.enq(A, 0, 0);
    stand.through(A, next);
    stand.enq(B, 0, 100);
    assert_eq!(stand.deq(A, 0, 110), Next::Wait, "B has the lock");
    let goes = |stand: &mut Stand, who: &[(u32, u64)]| {
        who.iter().for_each(|(requester, at)| {
            stand.go_on(*requester, *at);
        });
    };
    goes(&mut stand, &[(B, 103), (B, 123), (A, 123), (A, 126), (B, 135), (A, 146), (B, 146), (B, 156)]);
    assert_eq!(what(&stand), [Queueing::Awaited(Requester(B), EXCLUSIVE)]);
    goes(&mut stand, &[(A, 158), (B, 159), (B, 179), (A, 179), (A, 185)]);
    let passed = Queueing::Passed(Requester(B), EXCLUSIVE, Span::from_us(29));
    assert_eq!(what(&stand)[1..], [passed], "while its exit is called beside the lock");
    assert!(stand.woken.is_empty(), "it needs no notice");
    assert_eq!(stand.go_on(B, 191), Next::Over(None));
}

#[test]
fn shared_owners_have_it_together_and_an_exclusive_one_waits_for_the_last() {
    let mut stand = Stand::local(Structure::None, 3);
    let shared = Ask { access: SHARED, ..ask(0) };
    stand.asks(A, shared, 0);
    assert_eq!(stand.go_on(A, 10), Next::Over(None));
    stand.asks(B, shared, 20);
    assert_eq!(stand.go_on(B, 30), Next::Over(None));
    assert_eq!(what(&stand), [Queueing::Granted(Requester(B), SHARED)]);
    stand.enq(2, 0, 40);
    assert_eq!(stand.go_on(2, 50), Next::Wait);
    stand.deq(A, 0, 60);
    stand.go_on(A, 66);
    assert!(stand.woken.is_empty());
    stand.deq(B, 0, 70);
    stand.go_on(B, 76);
    assert_eq!(stand.woken, [2]);
}

/// Which of three requesters in two systems, the first two in one, wait for the first.
fn meets(scope: Scope, complex: ComplexPlan) -> [bool; 2] {
    let own = SerializationPlan { complex, ..service(Structure::None) };
    let mut stand = Stand::new(&plan(2, own, vec![resource(0, scope)]), &[0, 0, 1]);
    let mut at = 0;
    [0, 1, 2].map(|requester| {
        at += 1_000;
        let mut next = stand.enq(requester, 0, at);
        while let Next::Serve(_) | Next::WaitUntil(_) = next {
            at += 10;
            next = stand.go_on(requester, at);
        }
        next == Next::Wait
    })[1..]
        .try_into()
        .expect("there are two")
}

/// Reference, ENQ: STEP names are those of an address space, SYSTEM names those of a system, SYSTEMS names those of all.
#[test]
fn a_name_reaches_as_far_as_its_scope() {
    let star = ComplexPlan::Star { service: Span::from_us(10) };
    assert_eq!(meets(Scope::Step, star), [false, false], "each is in an address space of its own");
    assert_eq!(meets(Scope::System, star), [true, false]);
    assert_eq!(meets(Scope::Systems, star), [true, true]);
    assert_eq!(
        meets(Scope::Systems, ComplexPlan::None),
        [true, false],
        "systems that are not connected share no names"
    );
}

#[test]
fn queues_of_one_name_have_numbers_of_their_own() {
    let numbers = |scope| {
        let mut stand = Stand::new(&plan(2, service(Structure::None), vec![resource(0, scope)]), &[0, 1]);
        [0, 1].map(|requester| {
            stand.enq(requester, 0, 0);
            stand.go_on(requester, 10);
            stand.queues()[0].0
        })
    };
    assert_eq!(numbers(Scope::System), [0, 1]);
}

/// Reference, ENQ RET=USE.
#[test]
fn use_goes_past_the_steps_where_it_would_have_to_wait() {
    let mut stand = Stand::local(Structure::None, 2);
    let conditional = Ask { ret: Ret::Use, ..ask(0) };
    stand.asks(A, conditional, 0);
    assert_eq!(stand.go_on(A, 10), Next::Over(None), "it has it at once");
    assert_eq!(stand.asks(B, conditional, 20), serve(10), "what it costs it costs");
    assert_eq!(stand.go_on(B, 30), Next::Over(Some(77)));
    assert_eq!(what(&stand), [Queueing::Refused(Requester(B))]);
    assert_eq!(stand.deq(B, 0, 40), Next::Over(None), "it has nothing to release");
    stand.deq(A, 0, 50);
    assert_eq!((stand.go_on(A, 56), stand.woken.len()), (Next::Over(None), 0), "nobody waits");
    stand.asks(B, conditional, 60);
    assert_eq!(stand.go_on(B, 70), Next::Over(None), "later it may have it");
}

/// Reference, ENQ RET=HAVE.
#[test]
fn have_minds_nothing_that_the_task_has_already() {
    let mut stand = Stand::local(Structure::None, 1);
    let again = Ask { ret: Ret::Have, ..ask(0) };
    stand.asks(A, again, 0);
    stand.go_on(A, 10);
    stand.asks(A, again, 20);
    assert_eq!((stand.go_on(A, 30), what(&stand)), (Next::Over(None), vec![]), "it is not queued a second time");
    stand.deq(A, 0, 40);
    stand.go_on(A, 46);
    assert_eq!(what(&stand), [Queueing::Released(Requester(A), EXCLUSIVE, Span::from_us(36))], "since 10");
}

/// MVS System Codes, 138: a second request of the owner without RET is refused, and the owner keeps the resource.
#[test]
fn a_second_request_without_ret_is_refused_in_another_place() {
    let mut stand = Stand::local(Structure::None, 1);
    stand.enq(A, 0, 0);
    stand.go_on(A, 10);
    let call = machine::call::Call::Enq { place: 3, ask: ask(0) };
    let who = (Requester(A), machine::ids::Partition(0), machine::ids::Group(A));
    let mut record = crate::stand::Record::default();
    let now = crate::stand::us;
    assert_eq!(stand.service.call(who, call, now(20), &mut record), serve(10));
    assert_eq!(stand.service.go_on(Requester(A), now(30), &mut record), Next::Over(Some(77)));
    stand.deq(A, 0, 40);
    stand.go_on(A, 46);
    assert_eq!(what(&stand), [Queueing::Released(Requester(A), EXCLUSIVE, Span::from_us(36))]);
}

/// Planning, Limiting global resource serialization requests: 250,000 of an address space, if they are authorized.
#[test]
fn over_the_limit_of_an_address_space_a_request_is_refused() {
    let each = machine::call::MOST_ENQUEUED as u32;
    let enqueues: Vec<EnqueuePlan> = (0..each as usize).map(|number| resource(number, Scope::System)).collect();
    let mut service = machine::serialization::Serialization::new(
        &plan(1, service(Structure::None), enqueues),
        &kernel::draw::Streams::new(1, 0),
    );
    let mut record = crate::stand::Record::default();
    let mut enq = |requester: u32, enqueue: u32, ret: Ret| {
        let call =
            machine::call::Call::Enq { place: enqueue as usize, ask: Ask { access: SHARED, ret, ..ask(enqueue) } };
        let who = (Requester(requester), machine::ids::Partition(0), machine::ids::Group(0));
        record.0.clear();
        assert_eq!(service.call(who, call, crate::stand::us(0), &mut record), serve(10));
        service.go_on(Requester(requester), crate::stand::us(0), &mut record)
    };
    let most = 250_000;
    for number in 0..most {
        assert_eq!(enq(number / each, number % each, Ret::None), Next::Over(None));
    }
    for ret in [Ret::None, Ret::Use, Ret::Have] {
        assert_eq!(enq(most / each, 0, ret), Next::Over(Some(77)), "one too many: {ret:?}");
    }
}

#[test]
fn of_names_that_are_alike_each_is_asked_for() {
    let members = EnqueuePlan { members: 3, ..resource(0, Scope::System) };
    let mut stand = Stand::new(&plan(1, service(Structure::None), vec![members]), &[0]);
    let mut counts = [0; 3];
    for pair in 0..3_000 {
        stand.enq(A, 0, 100 * pair);
        stand.go_on(A, 100 * pair + 10);
        counts[stand.queues()[0].0 as usize] += 1;
        stand.deq(A, 0, 100 * pair + 20);
        stand.go_on(A, 100 * pair + 26);
        assert_eq!(counts.iter().sum::<u64>(), pair + 1);
    }
    assert!(counts.iter().all(|count| count.abs_diff(1_000) < 5 * 26), "sqrt(3000 * 2/9) is 26: {counts:?}");
}
