//! A requester inside a request to the service of ENQ and DEQ: on its processor for it, or waiting.

use super::Guests;
use super::requester::Activity;
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Group, Requester};
use crate::signal::{Probe, Signal};
use units::{Span, Tod};

impl Guests {
    /// A stretch of a request takes so long on a processor.
    pub fn serve(&mut self, requester: Requester, needs: Span, now: Tod, effects: &mut impl Outbox) {
        let state = &mut self.requesters[requester.index()];
        (state.activity, state.since, state.needs) = (Activity::Serializing, now, needs);
        effects.ready(requester);
    }

    /// A requester waits for an answer.
    pub fn suspend(&mut self, requester: Requester, now: Tod) {
        let state = &mut self.requesters[requester.index()];
        (state.activity, state.since) = (Activity::Enqueued, now);
    }

    /// A requester waits until an instant.
    pub fn suspend_until(&mut self, requester: Requester, (now, at): (Tod, Tod), effects: &mut impl Outbox) {
        self.suspend(requester, now);
        effects.at(Event::Resume(requester), at);
    }

    /// A stretch of a request or a wait is over, and the service goes on with the request.
    pub fn serialized(&mut self, requester: Requester, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &mut self.requesters[requester.index()];
        let span = now - state.since;
        if state.activity == Activity::Serializing {
            probe.signal(now, Signal::Computed(state.group, span));
        } else {
            assert_eq!(state.activity, Activity::Enqueued, "only a requester inside a request goes on with it");
            probe.signal(now, Signal::Enqueued(state.group, span));
        }
        (state.activity, state.since) = (Activity::Serializing, now);
        effects.serialize(requester, None);
    }

    /// A request is over; a requester that was refused goes on there.
    pub fn settled(
        &mut self,
        requester: Requester,
        past: Option<u32>,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        if let Some(past) = past {
            self.requesters[requester.index()].position.skip(past);
        }
        self.go_on(requester, now, effects, probe);
    }

    /// The group of a requester.
    pub fn group_of(&self, requester: Requester) -> Group {
        self.requesters[requester.index()].group
    }
}
