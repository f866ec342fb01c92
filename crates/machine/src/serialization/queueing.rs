//! Queueing and release of a request: the answer of the service, and the requesters that go on because of it.

use super::Serialization;
use super::task::{At, Place, Standing};
use crate::call::Call;
use crate::ids::{Partition, Requester};
use crate::plan::{EnqueueAccess, Ret};
use crate::signal::serialization::{Queueing, Request, Serializing};
use crate::signal::{Probe, Signal};
use ::serialization::service::{Authority, Caller, Deq, DeqOutcome, Effect, Enq, EnqOutcome, Locks, Memory};
use ::serialization::{DeqRet, Linkage, Requester as By, Reserve};
use units::Tod;

impl Serialization {
    /// The service is asked.
    pub(super) fn queue(&mut self, requester: Requester, now: Tod, probe: &mut impl Probe) {
        let own = self.way(requester);
        own.queued = true;
        let (request, place) = (own.request, own.place);
        let ret = match own.call {
            Call::Enq { ask, .. } => ask.ret,
            Call::Deq { .. } | Call::EndTask => Ret::None,
        };
        let task = self.task(requester);
        let (by, kept) = (task.by, task.places[place].expect("it is of a place that is taken"));
        self.outbox.clear();
        match request {
            Request::Enq => self.enq((requester, by), (place, kept, ret), now, probe),
            Request::Deq => self.deq((requester, by), (place, kept), now, probe),
        }
        self.follow(now, probe);
    }

    fn enq(
        &mut self,
        (requester, by): (Requester, By),
        (place, kept, ret): (usize, Place, Ret),
        now: Tod,
        probe: &mut impl Probe,
    ) {
        let reserve = kept.settled.and_then(|settled| settled.volume).map(|volume| Reserve { volume });
        let ask = Enq {
            name: self.book.name(kept.meant),
            scope: kept.scope,
            access: kept.access,
            ret,
            reserve,
            by,
            caller: caller(kept.linkage),
        };
        let outcome = self.service.enq(&ask, &mut self.outbox);
        let mut tell =
            |what| probe.signal(now, Signal::Serialization(Serializing::Queue(kept.meant.enqueue, kept.queue, what)));
        let (is_test, mut after, mut done) = (ret == Ret::Test, kept, true);
        match outcome {
            EnqOutcome::Granted => {
                tell(Queueing::Granted(requester, kept.access));
                after.standing = Standing::Owns(now);
            }
            EnqOutcome::Waits => {
                tell(Queueing::Awaited(requester, kept.access));
                after.standing = Standing::Waits(now);
            }
            EnqOutcome::Changed => return self.make_exclusive(requester, &kept, now, probe),
            EnqOutcome::Available => tell(Queueing::Tested(requester, true)),
            EnqOutcome::Unavailable if is_test => {
                tell(Queueing::Tested(requester, false));
                done = false;
            }
            EnqOutcome::Held => {}
            // Over the limit of an address space, too, a program goes past its steps: its recovery sees to that.
            EnqOutcome::Unavailable
            | EnqOutcome::SharedByOthers
            | EnqOutcome::NotHeld
            | EnqOutcome::OverLimit
            | EnqOutcome::Abend(_) => {
                tell(Queueing::Refused(requester));
                done = false;
            }
            EnqOutcome::Outstanding => unreachable!("programs wait for what they ask for"),
        }
        self.way(requester).refused = !done;
        self.task(requester).places[place] = Some(after);
    }

    /// A sharing task becomes exclusive: at this place, or at another one where exits made one name of two.
    fn make_exclusive(&mut self, requester: Requester, kept: &Place, now: Tod, probe: &mut impl Probe) {
        let mut places = self.task(requester).places.iter_mut().flatten();
        let is_owner = |one: &&mut Place| {
            matches!(one.standing, Standing::Owns(_)) && (one.meant, one.queue) == (kept.meant, kept.queue)
        };
        let owner = places.find(is_owner).expect("a task that changes its hold has one");
        let changed = Queueing::Changed(requester, owner.access);
        owner.access = EnqueueAccess::Exclusive;
        probe.signal(now, Signal::Serialization(Serializing::Queue(kept.meant.enqueue, kept.queue, changed)));
    }

    fn deq(
        &mut self,
        (requester, by): (Requester, By),
        (place, kept): (usize, Place),
        now: Tod,
        probe: &mut impl Probe,
    ) {
        let name = self.book.name(kept.meant);
        let (system, ends) = (Partition(by.system.into()), self.service.is_last_of_system(name, kept.scope, by));
        let ask = Deq { name, scope: kept.scope, ret: DeqRet::Have, by, caller: caller(kept.linkage) };
        let outcome = self.service.deq(&ask, &mut self.outbox);
        assert_eq!(outcome, DeqOutcome::Released, "a program releases what it has");
        let Standing::Owns(since) = kept.standing else { unreachable!("it has what it releases") };
        let released = Queueing::Released(requester, kept.access, now - since);
        probe.signal(now, Signal::Serialization(Serializing::Queue(kept.meant.enqueue, kept.queue, released)));
        self.task(requester).places[place] = None;
        if ends {
            self.end((requester, system), &kept, now, probe);
        }
    }

    /// No task of a system asks for a resource any more.
    fn end(&mut self, (requester, system): (Requester, Partition), kept: &Place, now: Tod, probe: &mut impl Probe) {
        let number = self.task(requester).under_way.expect("it is inside a request");
        let way = &mut self.under_way[number as usize].way;
        let before = way.left(0);
        let calls = self.ways.end(system, kept, &self.book, way);
        let added = way.left(0) - before;
        probe.signal(now, Signal::Serialization(Serializing::Added(system, added)));
        probe.signal(now, Signal::Serialization(Serializing::Exits(system, calls)));
        self.ways.tell_removed(system, now, probe);
    }

    /// Carries out what the service has left.
    pub(super) fn follow(&mut self, now: Tod, probe: &mut impl Probe) {
        for number in 0..self.outbox.effects().len() {
            match self.outbox.effects()[number] {
                Effect::Granted { by, .. } => self.grant(Requester(by.task), now, probe),
                Effect::ReserveVolume { system, volume } => {
                    self.devices[volume as usize].reserve(Partition(system.into()), &mut self.reservations);
                }
                Effect::ReleaseVolume { system, volume } => {
                    self.devices[volume as usize].release(Partition(system.into()), &mut self.reservations);
                }
                // Observers count waiters.
                Effect::Contention { .. } | Effect::NoWait { .. } => {}
            }
        }
    }

    /// A task is granted what it waits for; it may still be on its way to the wait.
    fn grant(&mut self, requester: Requester, now: Tod, probe: &mut impl Probe) {
        let task = self.tasks[requester.index()].as_mut().expect("a waiting task is known");
        let own = &self.under_way[task.under_way.expect("a waiting task is inside its request") as usize];
        let kept = task.places[own.place].as_mut().expect("it is of a place that is taken");
        let Standing::Waits(since) = kept.standing else { unreachable!("only a waiting task is granted a resource") };
        kept.standing = Standing::Owns(now);
        let passed = Queueing::Passed(requester, kept.access, now - since);
        probe.signal(now, Signal::Serialization(Serializing::Queue(kept.meant.enqueue, kept.queue, passed)));
        if own.at == At::ForResource {
            self.woken.push_back(requester);
        }
    }
}

/// Guests of partitions are authorized, in their own address space, and hold no locks. ASSUME: so that none is kept
/// from the qnames of the system.
fn caller(linkage: Linkage) -> Caller {
    Caller { linkage, memory: Memory::Home, locks: Locks::None, authority: Authority::Authorized }
}
