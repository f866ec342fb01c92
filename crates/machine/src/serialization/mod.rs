//! ENQ, DEQ and RESERVE inside the simulated machine: each request goes its way on its task's processor, with and without the lock.
//!
//! A system is a partition, an address space a group of guests, a task a requester. A request's way is a row of
//! stretches of processor time; some need the ENQ/DEQ lock of the system, which is given back between them. Behind some
//! stretch the request is queued, or taken out of its queue; a global one only when the other systems know of it.

mod book;
mod device;
mod leaving;
mod lock;
mod own_exits;
mod queueing;
mod so_far;
mod task;
mod under_way;
mod way;
mod ways;

pub use crate::vocabulary::piece::{Calls, PIECES, POINTS, Piece};
pub use book::{member_of, queues};
pub use device::Reservation;
pub use so_far::{QueuesSoFar, SoFar};

use crate::call::Call;
use crate::ids::{Group, Partition, Requester};
use crate::plan::{ComplexPlan, ExitChange, Plan};
use crate::signal::Probe;
use crate::signal::serialization::Request;
use ::serialization::Requester as By;
use ::serialization::service::{Limits, Outbox, Service};
use book::Book;
use device::Device;
use kernel::draw::Streams;
use lock::Lock;
use std::collections::VecDeque;
use task::{Task, UnderWay};
use units::{Span, Tod};
use ways::Ways;

/// The next action of a requester inside a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// It needs a processor for this long.
    Serve(Span),
    /// It waits for an answer.
    Wait,
    /// It waits until an instant.
    WaitUntil(Tod),
    /// The request is over; a refused requester goes on there.
    Over(Option<u32>),
}

/// The service in all systems.
#[derive(Debug)]
pub struct Serialization {
    service: Service,
    outbox: Outbox,
    book: Book,
    ways: Ways,
    complex: ComplexPlan,
    /// How long the answer of a manager of several images takes.
    answer: Span,
    /// Which systems are there.
    there: Vec<bool>,
    locks: Vec<Lock>,
    devices: Vec<Device>,
    /// The known tasks, by requester.
    tasks: Vec<Option<Task>>,
    /// Requests that are under way, at places that are used again.
    under_way: Vec<UnderWay>,
    vacant: Vec<u32>,
    /// Requesters to notify of the end of their wait.
    woken: VecDeque<Requester>,
    reservations: VecDeque<Reservation>,
}

impl Serialization {
    /// The service of a plan, without requests.
    pub fn new(plan: &Plan, streams: &Streams) -> Self {
        let book = Book::new(plan, streams);
        Serialization {
            service: Service::new(Limits::default()),
            outbox: Outbox::new(),
            devices: book.devices().iter().map(|views| Device::new(plan, views)).collect(),
            ways: Ways::new(plan, &book),
            book,
            complex: plan.serialization.as_ref().map_or(ComplexPlan::None, |own| own.complex),
            answer: plan.serialization.as_ref().map_or(Span::ZERO, |own| own.answer),
            there: systems(plan),
            locks: vec![Lock::default(); plan.partitions.len()],
            tasks: Vec::new(),
            under_way: Vec::new(),
            vacant: Vec::new(),
            woken: VecDeque::new(),
            reservations: VecDeque::new(),
        }
    }

    /// A change adds an exit or deletes one; requests that are past it are not asked again.
    pub fn change(&mut self, change: ExitChange) {
        self.ways.change(change);
    }

    /// A requester whose wait is over and that was not notified.
    #[inline(always)]
    pub fn woken(&mut self) -> Option<Requester> {
        if self.woken.is_empty() { None } else { self.woken.pop_front() }
    }

    /// A change of a volume.
    pub fn reservation(&mut self) -> Option<Reservation> {
        self.reservations.pop_front()
    }

    /// A task calls the service.
    pub fn call(
        &mut self,
        (requester, system, space): (Requester, Partition, Group),
        call: Call,
        now: Tod,
        probe: &mut impl Probe,
    ) -> Next {
        self.meet(requester, system, space);
        if !self.there[system.index()] {
            return self.postpone(requester, call);
        }
        self.make(requester, call, now, probe)
    }

    /// A request is made.
    fn make(&mut self, requester: Requester, call: Call, now: Tod, probe: &mut impl Probe) -> Next {
        let places = &mut self.task(requester).places;
        let (place, request) = match call {
            Call::Enq { place, ask } => {
                if places[place].is_none() {
                    let drawn = self.book.draw(&ask);
                    self.task(requester).places[place] = Some(drawn);
                }
                (place, Request::Enq)
            }
            Call::Deq { place } if places[place].is_some() => (place, Request::Deq),
            Call::Deq { .. } => return Next::Over(None),
            Call::EndTask => match places.iter().position(Option::is_some) {
                Some(place) => (place, Request::Deq),
                None => return self.part(requester),
            },
        };
        self.begin(requester, (call, request, place), now, probe);
        self.go_on(requester, now, probe)
    }

    /// A requester that the service may not know.
    fn meet(&mut self, requester: Requester, system: Partition, space: Group) {
        if self.tasks.len() <= requester.index() {
            self.tasks.resize(requester.index() + 1, None);
        }
        let short = |number: u32| u16::try_from(number).expect("there are fewer systems and groups");
        let by = By { system: short(system.0), space: short(space.0), task: requester.0 };
        let task = self.tasks[requester.index()].get_or_insert(Task::new(by));
        assert_eq!(task.by, by, "a requester in a reused place finds nothing of its predecessor");
    }

    /// A requester that the service knows.
    fn task(&mut self, requester: Requester) -> &mut Task {
        self.tasks[requester.index()].as_mut().expect("a requester inside a request is known")
    }

    /// A task has released everything and is over.
    fn part(&mut self, requester: Requester) -> Next {
        let by = self.task(requester).by;
        let left = self.service.end_task(by, &mut self.outbox);
        assert_eq!(left, 0, "everything was released before");
        self.tasks[requester.index()] = None;
        Next::Over(None)
    }
}

/// Which partitions are systems that are there: control programs have no service of their own.
fn systems(plan: &Plan) -> Vec<bool> {
    plan.partitions.iter().map(|own| own.active && own.control_program.is_none()).collect()
}
