//! A minidisk: a part of a volume that does one I/O at a time, and the cache that avoids some of its I/Os.
//!
//! "A guest has one I/O outstanding per minidisk" (z/VM HyperPAV Support, "DASD Tuning via Classic PAV"); an avoided
//! I/O is counted and not started.

use super::Guests;
use super::program::Asked;
use super::requester::Activity;
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Minidisk, Requester};
use crate::io::Io;
use crate::signal::{Probe, Signal};
use units::Tod;

impl Guests {
    /// A requester asks for an I/O to a minidisk: it is its turn, or it waits for it.
    pub(super) fn ask_minidisk(
        &mut self,
        (requester, minidisk, asked): (Requester, Minidisk, Asked),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let state = &mut self.minidisks[minidisk.index()];
        let in_use = state.user.is_some();
        let asking = &mut self.requesters[requester.index()];
        asking.io = Io { volume: state.volume, transfer: asked.transfer };
        if in_use {
            asking.activity = Activity::InTurn(minidisk);
            state.waiting.push_back(requester);
            return probe.signal(now, Signal::TurnAwaited(minidisk, requester));
        }
        self.take_turn(requester, minidisk, now, effects);
    }

    /// It is a requester's turn: the cache serves it, or the control program is asked for the I/O.
    fn take_turn(&mut self, requester: Requester, minidisk: Minidisk, now: Tod, effects: &mut impl Outbox) {
        let state = &mut self.minidisks[minidisk.index()];
        state.user = Some(requester);
        let user = &mut self.requesters[requester.index()];
        user.minidisk = Some(minidisk);
        user.since = now;
        match state.avoids(user.io.transfer.access()) {
            Some(span) => {
                user.activity = Activity::Avoiding(minidisk);
                effects.at(Event::Resume(requester), now + span);
            }
            None => {
                user.activity = Activity::Waiting(user.io.volume);
                effects.request(requester, user.io);
            }
        }
    }

    /// A requester is through with a minidisk: the one that has waited longest takes its turn.
    pub(super) fn pass_turn(
        &mut self,
        requester: Requester,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let Some(minidisk) = self.requesters[requester.index()].minidisk.take() else { return };
        let state = &mut self.minidisks[minidisk.index()];
        state.user = None;
        let Some(next) = state.waiting.pop_front() else { return };
        let waited = &self.requesters[next.index()];
        probe.signal(now, Signal::TurnTaken(waited.group, minidisk, next, now - waited.since));
        self.take_turn(next, minidisk, now, effects);
    }
}
