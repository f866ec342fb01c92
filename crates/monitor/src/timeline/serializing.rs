//! ENQ and DEQ as a timeline knows them: holders of names, holders of the lock of a system, and waiters for either.

use super::State;
use super::lanes::{Lane, LaneKind};
use super::recorder::{Carried, Recorder, Who};
use super::why::Reason;
use machine::ids::{Enqueue, Partition, Requester};
use machine::plan::{EnqueueAccess, Plan, Scope, Step};
use machine::serialization::member_of;
use machine::signal::{LockUse, Queueing, Serializing};
use std::collections::BTreeMap;
use units::Tod;

/// The lock under which a system serves requests, as products that show it name it.
const LOCK: &str = "CMSEQDQ";

/// The recorded part of ENQ and DEQ: the locks of systems whose guests enqueue, and the queues that were used.
#[derive(Clone, Debug)]
pub(super) struct Names {
    /// The systems, and how many are suspended for the lock of each.
    systems: Vec<(usize, u32)>,
    /// The place of the first lock; queues come behind the locks.
    locks: usize,
    queues: Vec<Queue>,
    /// Where each queue is among them, by its resource and its number.
    known: BTreeMap<(u32, u32), usize>,
}

/// A queue of a resource.
#[derive(Clone, Debug)]
struct Queue {
    enqueue: Enqueue,
    number: u32,
    /// The task that was in it first.
    first: Who,
    owners: Vec<Requester>,
    /// Whether one has it exclusively.
    is_exclusive: bool,
    waiting: u32,
}

/// The wait of a task that has requested a name, with the state when it asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct NameWait {
    pub place: usize,
    pub enqueue: Enqueue,
    pub member: u32,
    /// The owner, if there is one alone; the number of owners.
    pub owner: Option<Who>,
    pub owners: u32,
    /// How many others wait.
    pub others: u32,
}

/// The wait of a task that found the lock of a system held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LockWait {
    pub place: usize,
    pub system: Partition,
    pub holder: Option<Who>,
    pub others: u32,
}

impl Names {
    /// No requests; the first of the places is this one.
    pub(super) fn new(plan: &Plan, first: usize) -> Self {
        let systems = systems(plan).map(|system| (system, 0)).collect();
        Names { systems, locks: first, queues: Vec::new(), known: BTreeMap::new() }
    }

    /// How many places there are before the first request.
    pub(super) fn places(&self) -> usize {
        self.systems.len()
    }

    /// Adds the lane of the lock of a system, if it has one.
    pub(super) fn add_lock(&self, plan: &Plan, system: usize, lanes: &mut Vec<Lane>) -> Option<usize> {
        self.systems.iter().find(|(own, _)| *own == system)?;
        let of = plan.partitions[system].name.clone();
        lanes.push(Lane { name: format!("{of} {LOCK}"), kind: LaneKind::Lock, of });
        Some(lanes.len() - 1)
    }

    /// Adds the lanes of all queues, by resource; says which is that of each.
    pub(super) fn add_queues(&self, plan: &Plan, lanes: &mut Vec<Lane>) -> Vec<usize> {
        let mut lane_of = vec![0; self.queues.len()];
        for number in self.known.values() {
            let own = &self.queues[*number];
            lane_of[*number] = lanes.len();
            let of = plan.enqueues[own.enqueue.index()].name.clone();
            lanes.push(Lane { name: self.name(plan, own), kind: LaneKind::Enqueue, of });
        }
        lane_of
    }

    /// The name, with whose it is where it has several queues.
    fn name(&self, plan: &Plan, own: &Queue) -> String {
        let enqueue = &plan.enqueues[own.enqueue.index()];
        let name = named(plan, own.enqueue, member_of(plan, own.number));
        let same = |other: &&Queue| {
            other.enqueue == own.enqueue && member_of(plan, other.number) == member_of(plan, own.number)
        };
        if self.queues.iter().filter(same).count() == 1 {
            return name;
        }
        let guest = &plan.guests[own.first.group as usize];
        match (enqueue.scope, guest.runs_in.and_then(|own| own.partition())) {
            (Scope::Step, _) | (_, None) => format!("{name} of {}", guest.name),
            (Scope::System | Scope::Systems, Some(system)) => format!("{name} in {}", plan.partitions[system].name),
        }
    }

    fn place(&self, number: usize) -> usize {
        self.locks + self.systems.len() + number
    }
}

impl Recorder<'_> {
    /// Something has happened in the service of ENQ and DEQ.
    pub(super) fn serializes(&mut self, what: Serializing, now: Tod) {
        match what {
            Serializing::Lock(system, what) => self.uses_lock(system, what, now),
            Serializing::Queue(enqueue, number, what) => self.queues(enqueue, number, what, now),
            Serializing::Called(..)
            | Serializing::Added(..)
            | Serializing::Spent(..)
            | Serializing::Exits(..)
            | Serializing::Delayed(..)
            | Serializing::Over(..)
            | Serializing::Lost(..)
            | Serializing::Removed(..) => {}
        }
    }

    /// A task in a queue has nothing else to do any more.
    pub(super) fn awaits_name(&mut self, requester: Requester, now: Tod) {
        if let Some(wait) = self.people[requester.index()].asks {
            self.waits(requester, Reason::Named(wait), now);
        }
    }

    fn uses_lock(&mut self, system: Partition, what: LockUse, now: Tod) {
        let own = self.names.systems.iter().position(|(own, _)| *own == system.index());
        let own = own.expect("only guests of a system that enqueue use its lock");
        let place = self.names.locks + own;
        match what {
            LockUse::Awaited(requester) => {
                let holder = self.places[place].and_then(|carried| carried.by).map(|(_, who)| who);
                let others = self.names.systems[own].1;
                self.names.systems[own].1 += 1;
                let wait = LockWait { place, system, holder, others };
                self.waits(requester, Reason::Suspended(wait), now);
            }
            LockUse::Taken(requester, waited) => {
                if waited.is_some() {
                    self.names.systems[own].1 -= 1;
                    self.waits_no_more(requester, now);
                }
                let by = Some((requester, self.people[requester.index()].who));
                self.carries(place, Some(Carried { by, ..Carried::nobody(now, State::Taken) }), now);
            }
            LockUse::Given(..) => self.carries(place, None, now),
            LockUse::Withdrawn(requester, _) => {
                self.names.systems[own].1 -= 1;
                self.waits_no_more(requester, now);
            }
        }
    }

    fn queues(&mut self, enqueue: Enqueue, number: u32, what: Queueing, now: Tod) {
        match what {
            Queueing::Refused(_) | Queueing::Tested(..) => {}
            Queueing::Granted(requester, access) => {
                let own = self.queue(enqueue, number, requester);
                self.owns(own, (requester, access), now);
                if self.plan.volumes.is_empty() {
                    self.starts(now);
                }
            }
            Queueing::Awaited(requester, _) => {
                let own = self.queue(enqueue, number, requester);
                self.asks(own, requester);
            }
            Queueing::Passed(requester, access, _) => {
                let own = self.queue(enqueue, number, requester);
                self.asks_no_more(own, requester, now);
                self.owns(own, (requester, access), now);
            }
            Queueing::Withdrawn(requester, ..) => {
                let own = self.queue(enqueue, number, requester);
                self.asks_no_more(own, requester, now);
            }
            Queueing::Changed(requester, _) => {
                let own = self.queue(enqueue, number, requester);
                self.names.queues[own].is_exclusive = true;
                self.shows(own, now);
            }
            Queueing::Released(requester, ..) => {
                let own = self.queue(enqueue, number, requester);
                self.names.queues[own].owners.retain(|owner| *owner != requester);
                self.shows(own, now);
            }
        }
    }

    /// A queue, which has a place from now on.
    fn queue(&mut self, enqueue: Enqueue, number: u32, requester: Requester) -> usize {
        let Names { queues, known, .. } = &mut self.names;
        *known.entry((enqueue.0, number)).or_insert_with(|| {
            let first = self.people[requester.index()].who;
            queues.push(Queue { enqueue, number, first, owners: Vec::new(), is_exclusive: false, waiting: 0 });
            self.places.push(None);
            queues.len() - 1
        })
    }

    fn owns(&mut self, own: usize, (requester, access): (Requester, EnqueueAccess), now: Tod) {
        let queue = &mut self.names.queues[own];
        queue.owners.push(requester);
        queue.is_exclusive = access == EnqueueAccess::Exclusive;
        self.shows(own, now);
    }

    fn asks(&mut self, own: usize, requester: Requester) {
        let place = self.names.place(own);
        let owner = self.places[place].and_then(|carried| carried.by).map(|(_, who)| who);
        let Queue { enqueue, number, ref owners, ref mut waiting, .. } = self.names.queues[own];
        let (member, owners, others) = (member_of(self.plan, number), owners.len() as u32, *waiting);
        *waiting += 1;
        self.people[requester.index()].asks = Some(NameWait { place, enqueue, member, owner, owners, others });
    }

    fn asks_no_more(&mut self, own: usize, requester: Requester, now: Tod) {
        self.names.queues[own].waiting -= 1;
        let person = &mut self.people[requester.index()];
        person.asks = None;
        if matches!(person.waits.map(|wait| wait.reason), Some(Reason::Named(_))) {
            self.waits_no_more(requester, now);
        }
    }

    /// The owners of a queue change: several that share it have no letter.
    fn shows(&mut self, own: usize, now: Tod) {
        let queue = &self.names.queues[own];
        let state = if queue.is_exclusive { State::Owned } else { State::Shared };
        let carried = match queue.owners[..] {
            [] => None,
            [owner] => {
                let by = Some((owner, self.people[owner.index()].who));
                Some(Carried { by, ..Carried::nobody(now, state) })
            }
            [..] => Some(Carried::nobody(now, state)),
        };
        let place = self.names.place(own);
        let is = |one: Option<Carried>| one.map(|one| (one.by, one.state));
        if is(self.places[place]) != is(carried) {
            self.carries(place, carried, now);
        }
    }
}

/// The systems whose guests enqueue.
fn systems(plan: &Plan) -> impl Iterator<Item = usize> {
    let enqueues = |system: usize| {
        let own = plan.guests.iter().filter(|guest| guest.runs_in.and_then(|own| own.partition()) == Some(system));
        own.flat_map(|guest| &guest.program).any(Step::enqueues)
    };
    (0..plan.partitions.len()).filter(move |system| enqueues(*system))
}

/// The major and the minor name of a member.
pub(super) fn named(plan: &Plan, enqueue: Enqueue, member: u32) -> String {
    let own = &plan.enqueues[enqueue.index()];
    format!("{} {}", own.qname, own.rname_of(member))
}

impl LockWait {
    /// What it is called: "SYSA CMSEQDQ".
    pub(super) fn name(&self, plan: &Plan) -> String {
        format!("{} {LOCK}", plan.partitions[self.system.index()].name)
    }
}
