//! How a requester goes through the steps of its program.

use super::program::{Asked, Operation, Shared, Target};
use super::state;
use super::{Activity, Guests};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::Requester;
use crate::io::Io;
use crate::signal::{Probe, Signal};
use units::Tod;

/// The end of what a requester does alone.
enum Stop {
    /// It lets time pass or needs a processor, or is through.
    Waits,
    /// It asks for an I/O.
    Asks(Io),
    /// The next step concerns other requesters.
    At(Shared),
}

impl Guests {
    /// Runs the program up to the next step that takes time.
    pub(super) fn go_on(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        if let Some(io) = self.go_on_to_io(requester, now, effects, probe) {
            effects.request(requester, io);
        }
    }

    /// The same.  Returns the I/O that the requester asks for, if that is the step.
    #[inline(always)]
    pub(super) fn go_on_to_io(
        &mut self,
        requester: Requester,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) -> Option<Io> {
        loop {
            match self.go_on_alone(requester, now, effects, probe) {
                Stop::Waits => return None,
                Stop::Asks(io) => return Some(io),
                Stop::At(shared) => {
                    if !self.share(requester, shared, now, (effects, probe)) {
                        return None;
                    }
                }
            }
        }
    }

    /// The same up to the next step that concerns others, if that comes first.
    #[inline(always)]
    fn go_on_alone(
        &mut self,
        requester: Requester,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) -> Stop {
        let state = &mut self.requesters[requester.index()];
        let group = &mut self.groups[state.group.index()];
        state.since = now;
        loop {
            let member = |depth| state::resource::member(&self.resources, &self.holds[requester.index()], depth);
            match group.program.next(&mut state.position, &mut group.draws, member) {
                Operation::Think(span) => {
                    state.activity = Activity::Thinking;
                    effects.at(Event::Resume(requester), now + span);
                    return Stop::Waits;
                }
                Operation::Compute(span) => {
                    (state.activity, state.needs) = (Activity::Computing, span);
                    match group.place {
                        None => effects.at(Event::Resume(requester), now + span),
                        Some(_) => effects.ready(requester),
                    }
                    return Stop::Waits;
                }
                Operation::Pace(share) => {
                    if let Some(needs) = state.behind(share, now) {
                        (state.activity, state.needs) = (Activity::Pacing, needs);
                        effects.ready(requester);
                        return Stop::Waits;
                    }
                }
                Operation::Intercept(span) => {
                    (state.activity, state.needs) = (Activity::Intercepted, span);
                    effects.ready(requester);
                    return Stop::Waits;
                }
                Operation::Io(asked) => match (asked.target, group.ssch.is_some()) {
                    (Target::Volume(volume), false) => {
                        state.activity = Activity::Waiting(volume);
                        return Stop::Asks(Io { volume, transfer: asked.transfer });
                    }
                    (Target::Volume(_), true) | (Target::Minidisk(_), _) => {
                        self.start((requester, asked), now, effects, probe);
                        return Stop::Waits;
                    }
                },
                Operation::Shared(shared) => return Stop::At(shared),
                // A closed guest starts over, one from outside leaves.
                Operation::End if requester.index() < self.closed => {
                    probe.signal(now, Signal::Cycled(state.group, now - state.began));
                    state.began = now;
                }
                Operation::End => {
                    self.end(requester, now, effects, probe);
                    return Stop::Waits;
                }
            }
        }
    }

    /// Carries out a step that concerns other requesters; returns whether the program goes on at once.
    pub(super) fn share(
        &mut self,
        requester: Requester,
        shared: Shared,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) -> bool {
        match shared {
            Shared::Take(resource, depth) => return self.take(requester, (resource, depth), now, probe),
            Shared::Give(resource, depth) => self.give(requester, (resource, depth), now, (effects, probe)),
            Shared::Lock(kind, depth) => return self.lock(requester, (kind, depth), now, (effects, probe)),
            Shared::Unlock(depth) => self.unlock(requester, depth, now, (effects, probe)),
            Shared::Release(lock) => self.release(requester, lock, now, (effects, probe)),
            Shared::Spawn(group) => self.spawn(group, now, effects, probe),
            Shared::Message(front_end, way) => {
                self.send(requester, (front_end, way), now, (effects, probe));
                return false;
            }
            Shared::Acquire(lock) => {
                self.acquire(requester, lock, effects);
                return false;
            }
            Shared::Serialize(call) => {
                self.requesters[requester.index()].activity = Activity::Serializing;
                effects.serialize(requester, Some(call));
                return false;
            }
            Shared::Exchange(group, request, reply) => {
                self.requesters[requester.index()].activity = Activity::Requesting(group, reply);
                effects.at(Event::Resume(requester), now + request);
                return false;
            }
        }
        true
    }

    /// The program of a guest from outside is over: it leaves.
    pub(super) fn end(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &mut self.requesters[requester.index()];
        let number = state.group;
        probe.signal(now, Signal::Cycled(number, now - state.began));
        state.began = now;
        state.activity = Activity::Absent;
        self.groups[number.index()].present -= 1;
        self.vacant.push(requester);
        self.reply(requester, now, effects);
        probe.signal(now, Signal::Left(number, requester));
    }

    /// A requester starts an I/O, which may first cost it processor time.
    #[inline(never)]
    pub(super) fn start(
        &mut self,
        (requester, asked): (Requester, Asked),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let state = &mut self.requesters[requester.index()];
        match &mut self.groups[state.group.index()].ssch {
            None => self.ask((requester, asked), now, effects, probe),
            Some((ssch, draw)) => {
                (state.activity, state.needs) = (Activity::Starting(asked), ssch.draw(draw));
                effects.ready(requester);
            }
        }
    }

    /// A requester asks for an I/O, and waits for it from now on.
    #[inline(always)]
    pub(super) fn ask(
        &mut self,
        (requester, asked): (Requester, Asked),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        match asked.target {
            Target::Volume(volume) => {
                self.requesters[requester.index()].activity = Activity::Waiting(volume);
                effects.request(requester, Io { volume, transfer: asked.transfer });
            }
            Target::Minidisk(minidisk) => self.ask_minidisk((requester, minidisk, asked), now, effects, probe),
        }
    }
}
