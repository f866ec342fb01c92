//! ENQ and DEQ as a timeline knows them: holders of names, holders of the lock of a system, and waiters for either.

use super::names::{Names, Queue};
use super::recorder::{Carried, Recorder};
use super::state::State;
use super::why::{LockWait, NameWait, Reason};
use machine::ids::{Enqueue, Partition, Requester};
use machine::plan::EnqueueAccess;
use machine::serialization::member_of;
use machine::signal::{LockUse, Queueing, Serializing};
use units::Tod;

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
