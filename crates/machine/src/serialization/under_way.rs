//! A request on its way: stretch after stretch, with the lock where one needs it, and the waits between them.

use super::task::{Again, At, Standing, UnderWay};
use super::ways::Known;
use super::{Next, Serialization};
use crate::call::Call;
use crate::ids::{Partition, Requester};
use crate::plan::{ComplexPlan, Ret};
use crate::signal::serialization::{LockUse, Queueing, Request, Serializing};
use crate::signal::{Probe, Signal};
use ::serialization::Scope;
use ::serialization::systems::Place;
use units::{Span, Tod};

impl Serialization {
    /// A request begins.
    pub(super) fn begin(
        &mut self,
        requester: Requester,
        (call, request, place): (Call, Request, usize),
        now: Tod,
        probe: &mut impl Probe,
    ) {
        let task = self.tasks[requester.index()].as_mut().expect("it is known");
        let kept = task.places[place].as_mut().expect("it is of a place that is taken");
        let system = Partition(task.by.system.into());
        let ret = match call {
            Call::Enq { ask, .. } => ask.ret,
            Call::Deq { .. } | Call::EndTask => Ret::None,
        };
        let known = self.ways.of(system, (request, ret), kept, &self.book);
        let Known { way, message, refused, .. } = known;
        if kept.standing == Standing::Apart {
            (kept.scope, kept.settled) = (known.scope, Some(known.settled));
            kept.meant = known.renamed.unwrap_or(kept.asked);
            kept.queue = self.book.queue(kept, task.by);
        }
        let (enqueue, queue) = (kept.meant.enqueue, kept.queue);
        probe.signal(now, Signal::Serialization(Serializing::Called(system, request, way.left(0))));
        probe.signal(now, Signal::Serialization(Serializing::Exits(system, known.calls)));
        if refused {
            let told = Serializing::Queue(enqueue, queue, Queueing::Refused(requester));
            probe.signal(now, Signal::Serialization(told));
        }
        self.ways.tell_removed(system, now, probe);
        let (next, at, locked, queued, began) = (0, At::Between, false, refused, now);
        let own = UnderWay { call, request, place, way, next, at, locked, queued, refused, message, began };
        let number = self.vacant.pop().unwrap_or(self.under_way.len() as u32);
        match self.under_way.get_mut(number as usize) {
            Some(place) => *place = own,
            None => self.under_way.push(own),
        }
        task.under_way = Some(number);
    }

    /// A stretch or a wait of a request is over: what comes next.
    pub fn go_on(&mut self, requester: Requester, now: Tod, probe: &mut impl Probe) -> Next {
        let system = self.task(requester).system();
        if let Some(Again::Told(call) | Again::Untold(call)) = self.task(requester).again.take() {
            // Its system has left since it began.
            let there = self.there[system.index()];
            return if there { self.make(requester, call, now, probe) } else { self.postpone(requester, call) };
        }
        let own = self.way(requester);
        match own.at {
            At::Between | At::ForResource => {}
            At::ForLock => own.locked = true,
            At::In(stretch) => {
                own.next += 1;
                probe.signal(now, Signal::Serialization(Serializing::Spent(system, stretch.piece, stretch.span)));
            }
            At::ForOthers(sent) => {
                probe.signal(now, Signal::Serialization(Serializing::Delayed(system, now - sent)));
                self.queue(requester, now, probe);
            }
        }
        self.way(requester).at = At::Between;
        loop {
            if let Some(next) = self.step((requester, system), now, probe) {
                return next;
            }
        }
    }

    /// One step of a request between two stretches; nothing where another can be made at once.
    fn step(&mut self, (requester, system): (Requester, Partition), now: Tod, probe: &mut impl Probe) -> Option<Next> {
        let own = self.way(requester);
        let (place, queued) = (own.place, own.queued);
        if own.next == own.way.queued() && !queued && !self.is_global(requester, place) {
            self.queue(requester, now, probe);
            return None;
        }
        let own = self.way(requester);
        let Some(stretch) = own.way.stretch(own.next) else { return self.after((requester, system), now, probe) };
        if stretch.locked && !own.locked {
            if !self.locks[system.index()].take(requester, now) {
                self.way(requester).at = At::ForLock;
                probe.signal(now, Signal::Serialization(Serializing::Lock(system, LockUse::Awaited(requester))));
                return Some(Next::Wait);
            }
            self.way(requester).locked = true;
            let taken = LockUse::Taken(requester, None);
            probe.signal(now, Signal::Serialization(Serializing::Lock(system, taken)));
        }
        if !stretch.locked {
            self.unlock((requester, system), now, probe);
        }
        self.way(requester).at = At::In(stretch);
        Some(Next::Serve(stretch.span))
    }

    /// All stretches of a request are over: a global one is sent round, an ENQ waits for what it has not got.
    fn after(&mut self, (requester, system): (Requester, Partition), now: Tod, probe: &mut impl Probe) -> Option<Next> {
        self.unlock((requester, system), now, probe);
        let &mut UnderWay { call, request, place, queued, refused, message, began, .. } = self.way(requester);
        if !queued {
            let answer = if message { self.answer } else { Span::ZERO };
            let at = now + answer + self.delay(system, now + answer);
            if at > now {
                self.way(requester).at = At::ForOthers(now);
                return Some(Next::WaitUntil(at));
            }
            self.queue(requester, now, probe);
            return None;
        }
        let task = self.task(requester);
        if let Some(Standing::Waits(_)) = task.places[place].map(|kept| kept.standing) {
            self.way(requester).at = At::ForResource;
            probe.signal(now, Signal::AwaitsName(requester));
            return Some(Next::Wait);
        }
        if task.places[place].is_some_and(|kept| kept.standing == Standing::Apart) {
            // It was refused, or only asked.
            task.places[place] = None;
        }
        let number = task.under_way.take().expect("it is inside a request");
        self.vacant.push(number);
        probe.signal(now, Signal::Serialization(Serializing::Over(system, request, now - began)));
        Some(match call {
            Call::Enq { ask, .. } => Next::Over(refused.then_some(ask.past)),
            Call::Deq { .. } => Next::Over(None),
            Call::EndTask => match self.task(requester).places.iter().position(Option::is_some) {
                Some(place) => {
                    self.begin(requester, (call, Request::Deq, place), now, probe);
                    return None;
                }
                None => self.part(requester),
            },
        })
    }

    /// The request that a requester is inside of.
    pub(super) fn way(&mut self, requester: Requester) -> &mut UnderWay {
        let number = self.task(requester).under_way.expect("it is inside a request");
        &mut self.under_way[number as usize]
    }

    /// Whether a request is for all systems.
    fn is_global(&mut self, requester: Requester, place: usize) -> bool {
        self.task(requester).places[place].is_some_and(|kept| kept.scope == Scope::Systems)
    }

    /// A request needs the lock no longer, if it has it: the task that has waited longest has it from now on.
    fn unlock(&mut self, (requester, system): (Requester, Partition), now: Tod, probe: &mut impl Probe) {
        if !std::mem::take(&mut self.way(requester).locked) {
            return;
        }
        let (held, next) = self.locks[system.index()].give(requester, now);
        let mut tell = |what| probe.signal(now, Signal::Serialization(Serializing::Lock(system, what)));
        tell(LockUse::Given(requester, held));
        if let Some((next, waited)) = next {
            tell(LockUse::Taken(next, Some(waited)));
            self.woken.push_back(next);
        }
    }

    /// How long a global request is on its way now.
    ///
    /// A lock structure answers in one service time. ASSUME: a DEQ waits as an ENQ does.
    fn delay(&self, system: Partition, now: Tod) -> Span {
        match self.complex {
            ComplexPlan::None => Span::ZERO,
            ComplexPlan::Star { service } => service,
            ComplexPlan::Ring(ring) => {
                let count = |systems: &[bool]| systems.iter().filter(|there| **there).count() as u32;
                let position = count(&self.there[..system.index()]);
                ring.wait(Place { position, systems: count(&self.there) }, now - Tod::START)
            }
        }
    }
}
