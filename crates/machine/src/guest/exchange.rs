//! Exchanges: a requester sends a request to a group, one of it answers by running its program, and the reply comes back.

use super::Guests;
use super::requester::{Activity, RequesterState};
use super::state::exchange::Call;
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Group, Machine, Requester};
use crate::signal::{Probe, Signal};
use units::{Span, Tod};

impl Guests {
    /// The request of a requester has come: one of the group begins to answer.
    #[inline(never)]
    pub(super) fn answer(
        &mut self,
        caller: Requester,
        (group, reply): (Group, Span),
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        self.requesters[caller.index()].activity = Activity::Exchanging;
        let machine = self.answers_in(caller, group);
        let requester = self.take_place(RequesterState::new(group, machine));
        if self.calls.len() <= requester.index() {
            self.calls.resize(requester.index() + 1, None);
        }
        self.calls[requester.index()] = Some(Call { caller, reply });
        self.begin(requester, now, effects, probe);
    }

    /// The machine in which a group serves a requester: always the same for a fixed population, whose machines take the
    /// machines that they call by turns.
    fn answers_in(&mut self, caller: Requester, group: Group) -> Machine {
        let own = &self.groups[self.requesters[caller.index()].group.index()];
        let number = caller.0 - own.first;
        let from = own.place.map_or(1, |place| place.machines());
        let place = self.groups[group.index()].place.as_mut();
        match place {
            Some(place) if caller.index() < self.closed => place.machine(number / from),
            Some(place) => place.next(),
            None => Machine(0),
        }
    }

    /// A guest has run its program: if it was called, its reply is on its way.
    pub(super) fn reply(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox) {
        if let Some(Call { caller, reply }) = self.calls.get_mut(requester.index()).and_then(Option::take) {
            effects.at(Event::Resume(caller), now + reply);
        }
    }

    /// The reply is there.
    #[inline(never)]
    pub(super) fn replied(
        &mut self,
        requester: Requester,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let state = &self.requesters[requester.index()];
        probe.signal(now, Signal::Exchanged(state.group, now - state.since));
        self.go_on(requester, now, effects, probe);
    }
}
