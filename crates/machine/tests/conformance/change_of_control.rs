//! TEST and CHNG of programs: what is asked and not taken, what is changed from shared to exclusive, and what both cost.
//!
//! It leaves out return codes one by one, which the crate that serializes is held to.
//!
//! Source: MVS Programming: Authorized Assembler Services Reference, ENQ, RET=TEST and RET=CHNG.

use crate::stand::{Record, us};
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::call::{Ask, Call};
use machine::guest::program::{Draws, Operation, Position, Program};
use machine::ids::{Enqueue, Group, Partition, Requester};
use machine::plan::{
    ComplexPlan, Costs, EnqStep, EnqueueAccess, EnqueuePlan, Linkage, PartitionPlan, Plan, Processors, Ret, Scope,
    SerializationPlan, Step, Structure,
};
use machine::serialization::{Next, Serialization};
use machine::signal::{Queueing, Serializing, Signal};
use units::{Span, Tod};

use EnqueueAccess::{Exclusive, Shared};

/// All systems know of a request as soon as it is made.
pub const AT_ONCE: ComplexPlan = ComplexPlan::Star { service: Span::ZERO };

/// Two systems that share a name, each request of which takes 10 us.
pub struct Desk {
    pub service: Serialization,
    pub told: Record,
    pub now: Tod,
}

/// A plan of two systems and one name.
pub fn two_systems(complex: ComplexPlan) -> Plan {
    let costs = Costs { enq: Span::from_us(10), deq: Span::from_us(10), ..Costs::default() };
    let (managed, answer, name_lists) = (None, Span::ZERO, Vec::new());
    let own = SerializationPlan { structure: Structure::None, managed, costs, complex, answer, name_lists };
    let (qname, rname, scope) = ("Q".into(), "R".into(), Scope::Systems);
    let name = EnqueuePlan { name: "NAME".into(), qname, rname, scope, members: 1, reserve: Vec::new() };
    let systems = ["SYSA", "SYSB"].map(|name| PartitionPlan::new(name, 1, Processors::Dedicated));
    Plan { partitions: systems.into(), serialization: Some(own), enqueues: vec![name], ..Plan::default() }
}

impl Desk {
    pub fn new(complex: ComplexPlan) -> Desk {
        let service = Serialization::new(&two_systems(complex), &Streams::new(1, 0));
        Desk { service, told: Record::default(), now: us(0) }
    }

    /// Task 0 and even ones are of SYSA, the others of SYSB.
    fn who(task: u32) -> (Requester, Partition, Group) {
        (Requester(task), Partition(task % 2), Group(task % 2))
    }

    /// Lets a request go its way on a processor until it waits or is over; what it takes passes.
    pub fn goes_on(&mut self, task: u32, mut next: Next) -> Next {
        while let Next::Serve(span) = next {
            self.now = self.now + span;
            next = self.service.go_on(Requester(task), self.now, &mut self.told);
        }
        next
    }

    /// An ENQ, for the first place of a program; who is refused goes on at 7.
    pub fn enq(&mut self, task: u32, ret: Ret, access: EnqueueAccess) -> Next {
        let ask = Ask { enqueue: Enqueue(0), access, ret, linkage: Linkage::Svc, past: 7 };
        let next = self.service.call(Self::who(task), Call::Enq { place: 0, ask }, self.now, &mut self.told);
        self.goes_on(task, next)
    }

    pub fn deq(&mut self, task: u32) -> Next {
        let next = self.service.call(Self::who(task), Call::Deq { place: 0 }, self.now, &mut self.told);
        self.goes_on(task, next)
    }

    /// Owners and waiters of the name, as the service has them.
    pub fn queued(&self) -> (u32, u32) {
        let all = self.service.service().query(&Default::default());
        all.first().map_or((0, 0), |queue| (queue.owners, queue.waiters()))
    }

    /// What was told of queues.
    pub fn queueing(&self) -> Vec<Queueing> {
        let of = |signal: &Signal| match signal {
            Signal::Serialization(Serializing::Queue(_, _, what)) => Some(*what),
            _ => None,
        };
        self.told.0.iter().filter_map(of).collect()
    }
}

#[test]
fn a_test_takes_nothing() {
    let mut desk = Desk::new(AT_ONCE);
    assert_eq!(desk.enq(0, Ret::Test, Exclusive), Next::Over(None));
    assert_eq!(desk.queued(), (0, 0));
    assert_eq!(desk.queueing(), [Queueing::Tested(Requester(0), true)]);
}

#[test]
fn a_test_of_what_another_has_goes_past_its_steps_and_waits_for_nothing() {
    let mut desk = Desk::new(AT_ONCE);
    desk.enq(1, Ret::None, Shared);
    assert_eq!(desk.enq(0, Ret::Test, Exclusive), Next::Over(Some(7)));
    assert_eq!(desk.enq(0, Ret::Test, Shared), Next::Over(None));
    assert_eq!(desk.queued(), (1, 0));
}

#[test]
fn a_test_costs_what_an_enq_costs() {
    let mut desk = Desk::new(AT_ONCE);
    desk.enq(0, Ret::Test, Exclusive);
    assert_eq!(desk.now, us(10));
}

#[test]
fn a_change_makes_the_only_owner_exclusive_until_its_dequeue() {
    let mut desk = Desk::new(AT_ONCE);
    desk.enq(0, Ret::None, Shared);
    assert_eq!(desk.enq(0, Ret::Change, Exclusive), Next::Over(None));
    assert_eq!(desk.enq(1, Ret::Test, Shared), Next::Over(Some(7)), "nobody shares it any more");
    desk.deq(0);
    assert_eq!(desk.enq(1, Ret::Test, Exclusive), Next::Over(None));
    assert!(desk.queueing().contains(&Queueing::Changed(Requester(0), Shared)));
    let released = |what: &Queueing| matches!(what, Queueing::Released(Requester(0), Exclusive, _));
    assert!(desk.queueing().iter().any(released), "it is released as what it has become");
}

#[test]
fn a_change_that_others_share_is_refused_and_keeps_its_share() {
    let mut desk = Desk::new(AT_ONCE);
    desk.enq(0, Ret::None, Shared);
    desk.enq(1, Ret::None, Shared);
    assert_eq!(desk.enq(0, Ret::Change, Exclusive), Next::Over(Some(7)));
    assert_eq!(desk.queued(), (2, 0));
    desk.deq(1);
    assert_eq!(desk.enq(0, Ret::Change, Exclusive), Next::Over(None), "alone it may");
}

#[test]
fn a_change_passes_those_who_wait() {
    let mut desk = Desk::new(AT_ONCE);
    desk.enq(0, Ret::None, Shared);
    assert_eq!(desk.enq(1, Ret::None, Exclusive), Next::Wait);
    assert_eq!(desk.enq(0, Ret::Change, Exclusive), Next::Over(None));
    assert_eq!(desk.queued(), (1, 1));
    desk.deq(0);
    assert_eq!(desk.service.woken(), Some(Requester(1)));
}

#[test]
fn a_change_of_what_the_task_has_not_is_refused() {
    let mut desk = Desk::new(AT_ONCE);
    assert_eq!(desk.enq(0, Ret::Change, Exclusive), Next::Over(Some(7)));
    assert_eq!(desk.queued(), (0, 0));
}

#[test]
fn a_change_of_a_global_name_is_on_its_way_as_an_enq_is() {
    let service = Span::from_us(50);
    let mut desk = Desk::new(ComplexPlan::Star { service });
    let Next::WaitUntil(at) = desk.enq(0, Ret::None, Shared) else { panic!("it waits for the structure") };
    desk.now = at;
    assert_eq!(desk.service.go_on(Requester(0), at, &mut desk.told), Next::Over(None));
    assert_eq!(desk.enq(0, Ret::Change, Exclusive), Next::WaitUntil(desk.now + service));
}

#[test]
fn behind_the_steps_of_a_change_nothing_is_released_but_behind_those_around_it() {
    let enq =
        |ret, steps| Step::Enq(EnqStep { enqueue: 0, access: Shared, ret, linkage: Linkage::Svc, steps: Some(steps) });
    let think = |us| Step::Think(Distribution::Constant(Span::from_us(us)));
    let program = Program::compile(&[enq(Ret::None, vec![enq(Ret::Change, vec![think(1)]), think(2)])]);
    let (mut position, mut draws) = (Position::default(), Draws::new("G", &Streams::new(1, 0)));
    let mut next = || program.next(&mut position, &mut draws, |_| unreachable!("nothing is held"));
    assert!(matches!(next(), Operation::Serialize(Call::Enq { place: 0, ask: Ask { ret: Ret::None, .. } })));
    // Whoever is refused goes on behind the step inside, the fourth from the start.
    assert!(matches!(next(), Operation::Serialize(Call::Enq { place: 0, ask: Ask { ret: Ret::Change, past: 3, .. } })));
    assert_eq!([next(), next()], [1, 2].map(|us| Operation::Think(Span::from_us(us))));
    assert_eq!(next(), Operation::Serialize(Call::Deq { place: 0 }));
    assert_eq!([next(), next()], [Operation::Serialize(Call::EndTask), Operation::End]);
}
