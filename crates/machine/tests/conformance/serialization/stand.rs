//! The test stand: the service of a plan without processors, a probe that records, and when each requester is to go on.

use crate::stand::{Record, us};
use kernel::draw::Streams;
use machine::call::{Ask, Call};
use machine::ids::{Enqueue, Group, Partition, Requester};
use machine::plan::{
    ComplexPlan, Costs, EnqueueAccess, EnqueuePlan, Linkage, PartitionPlan, Plan, Processors, Ret, Scope,
    SerializationPlan, Structure,
};
use machine::serialization::{Next, Reservation, Serialization};
use machine::signal::{LockUse, Queueing, Serializing, Signal};
use units::{Span, Tod};

/// A price for everything that the exits here cost, no two alike.
pub const PRICES: Costs = Costs {
    enq: Span::from_us(10),
    chng: Span::from_us(10),
    deq: Span::from_us(6),
    front_end: Span::from_us(8),
    list: Span::from_us(1),
    entry: Span::from_us(2),
    obtained: Span::from_us(3),
    pooled: Span::from_us(30),
    single: Span::from_us(13),
    state: Span::from_us(20),
    copy_per_kib: Span::ZERO,
    fault: Span::ZERO,
    recovery: Span::from_us(4),
    relock: Span::from_us(5),
    light: Span::ZERO,
    heavy: Span::ZERO,
    message: Span::from_us(7),
};

/// A service with such exits, and systems that are not connected.
pub fn service(structure: Structure) -> SerializationPlan {
    let (managed, complex, answer, name_lists) = (None, ComplexPlan::None, Span::ZERO, Vec::new());
    SerializationPlan { structure, managed, costs: PRICES, complex, answer, name_lists, exits: Vec::new() }
}

/// A resource of this number.
pub fn resource(number: usize, scope: Scope) -> EnqueuePlan {
    let (name, rname) = (format!("R{number}"), format!("NAME{number}"));
    EnqueuePlan { name, qname: "TEST".into(), rname, scope, members: 1, reserve: Vec::new() }
}

/// This many systems that share these resources.
pub fn plan(systems: u32, own: SerializationPlan, enqueues: Vec<EnqueuePlan>) -> Plan {
    let system = |number| PartitionPlan::new(&format!("SYS{number}"), 1, Processors::Dedicated);
    Plan { partitions: (0..systems).map(system).collect(), serialization: Some(own), enqueues, ..Plan::default() }
}

/// The next step of a task that needs a processor for this long.
pub fn serve(us: u64) -> Next {
    Next::Serve(Span::from_us(us))
}

/// An exclusive request by supervisor call that waits.
pub fn ask(enqueue: u32) -> Ask {
    let (access, ret, linkage) = (EnqueueAccess::Exclusive, Ret::None, Linkage::Svc);
    Ask { enqueue: Enqueue(enqueue), access, ret, linkage, past: 77 }
}

/// The event that a task waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Waits {
    /// It is inside no request.
    Outside,
    /// Until this instant.
    Until(Tod),
    /// Its notice.
    Told,
}

/// The service, and what it does.
pub struct Stand {
    pub service: Serialization,
    /// The signals of the last transition.
    pub said: Vec<Signal>,
    /// The requesters that the last transition resumed.
    pub woken: Vec<u32>,
    /// The effects on volumes in the last transition.
    pub reservations: Vec<Reservation>,
    waits: Vec<Waits>,
    /// The system of each requester; each is in an address space of its own.
    systems: Vec<u32>,
}

impl Stand {
    /// Requesters in these systems.
    pub fn new(plan: &Plan, systems: &[u32]) -> Stand {
        Stand {
            service: Serialization::new(plan, &Streams::new(1, 0)),
            said: Vec::new(),
            woken: Vec::new(),
            reservations: Vec::new(),
            waits: vec![Waits::Outside; systems.len()],
            systems: systems.to_vec(),
        }
    }

    /// Requesters of one system with this structure, which ask for a local resource.
    pub fn local(structure: Structure, requesters: usize) -> Stand {
        Stand::new(&plan(1, service(structure), vec![resource(0, Scope::System)]), &vec![0; requesters])
    }

    /// A task asks for the resource of this number, to keep it at the place of the same number.
    pub fn enq(&mut self, requester: u32, enqueue: u32, at: u64) -> Next {
        self.asks(requester, ask(enqueue), at)
    }

    /// A task makes this request.
    pub fn asks(&mut self, requester: u32, ask: Ask, at: u64) -> Next {
        self.call(requester, Call::Enq { place: ask.enqueue.index(), ask }, at)
    }

    /// A task releases the resource of this number.
    pub fn deq(&mut self, requester: u32, enqueue: usize, at: u64) -> Next {
        self.call(requester, Call::Deq { place: enqueue }, at)
    }

    /// The program of a task is over.
    pub fn ends(&mut self, requester: u32, at: u64) -> Next {
        self.call(requester, Call::EndTask, at)
    }

    /// A task that may go on does so; its next step.
    pub fn go_on(&mut self, requester: u32, at: u64) -> Next {
        match self.waits[requester as usize] {
            Waits::Until(due) => assert_eq!(due, us(at), "{requester} goes on when it is to"),
            Waits::Told => {
                assert!(self.woken.contains(&requester), "{requester} was notified at {at}: {:?}", self.woken)
            }
            Waits::Outside => panic!("{requester} is inside no request"),
        }
        self.transition(requester, at, |service, now, record| service.go_on(Requester(requester), now, record))
    }

    /// A task goes on through stretch after stretch, without interruption: where it waits or is through, and when.
    pub fn through(&mut self, requester: u32, mut next: Next) -> (Next, u64) {
        let mut at = self.at(requester);
        while let Next::Serve(_) = next {
            at = self.at(requester);
            next = self.go_on(requester, at);
        }
        (next, at)
    }

    /// The stretches of a task up to where it waits or is through, in us.
    pub fn stretches(&mut self, requester: u32, mut next: Next) -> Vec<u64> {
        let mut all = Vec::new();
        while let Next::Serve(span) = next {
            all.push(span.units() / Span::from_us(1).units());
            next = self.go_on(requester, self.at(requester));
        }
        all
    }

    /// The signals on locks, with the number of their system.
    pub fn locks(&self) -> Vec<(u32, LockUse)> {
        let lock = |signal: &Signal| match signal {
            Signal::Serialization(Serializing::Lock(system, what)) => Some((system.0, *what)),
            _ => None,
        };
        self.said.iter().filter_map(lock).collect()
    }

    /// The signals on queues, with their number.
    pub fn queues(&self) -> Vec<(u32, Queueing)> {
        let queue = |signal: &Signal| match signal {
            Signal::Serialization(Serializing::Queue(_, queue, what)) => Some((*queue, *what)),
            _ => None,
        };
        self.said.iter().filter_map(queue).collect()
    }

    /// All other signals on requests.
    pub fn requests(&self) -> Vec<Serializing> {
        let other = |signal: &Signal| match signal {
            Signal::Serialization(Serializing::Lock(..) | Serializing::Queue(..) | Serializing::Exits(..)) => None,
            Signal::Serialization(what) => Some(*what),
            _ => None,
        };
        self.said.iter().filter_map(other).collect()
    }

    /// When a task goes on, in us.
    fn at(&self, requester: u32) -> u64 {
        match self.waits[requester as usize] {
            Waits::Until(due) => (due - Tod::START).units() / Span::from_us(1).units(),
            Waits::Outside | Waits::Told => 0,
        }
    }

    fn call(&mut self, requester: u32, call: Call, at: u64) -> Next {
        assert_eq!(self.waits[requester as usize], Waits::Outside, "{requester} is inside a request");
        let who = (Requester(requester), Partition(self.systems[requester as usize]), Group(requester));
        self.transition(requester, at, |service, now, record| service.call(who, call, now, record))
    }

    fn transition(
        &mut self,
        requester: u32,
        at: u64,
        transition: impl FnOnce(&mut Serialization, Tod, &mut Record) -> Next,
    ) -> Next {
        let mut record = Record::default();
        let next = transition(&mut self.service, us(at), &mut record);
        self.said = record.0;
        self.woken.retain(|woken| *woken != requester);
        self.woken.extend(std::iter::from_fn(|| self.service.woken()).map(|woken| woken.0));
        self.reservations = std::iter::from_fn(|| self.service.reservation()).collect();
        self.waits[requester as usize] = match next {
            Next::Serve(span) => Waits::Until(us(at) + span),
            Next::WaitUntil(due) => Waits::Until(due),
            Next::Wait => Waits::Told,
            Next::Over(_) => Waits::Outside,
        };
        next
    }
}
