//! A volume that another system has reserved, or that no path leads to: I/Os that start there stay pending.
//!
//! I/O in progress finishes, and nothing is lost: a held I/O has its exposure, and goes on when the last reason is
//! gone.

use super::{Channel, Phase};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Exposure, Volume};
use crate::signal::{Hold, Probe, Signal};
use units::Tod;

impl Channel {
    /// Another system reserves a volume.
    pub fn reserve(&mut self, volume: Volume, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.volumes[volume.index()].reserved = true;
        probe.signal(now, Signal::Reserved(volume));
        self.hold_or_let_go(volume, now, effects, probe);
    }

    /// The other system releases it.
    pub fn release(&mut self, volume: Volume, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        self.volumes[volume.index()].reserved = false;
        probe.signal(now, Signal::Released(volume));
        self.hold_or_let_go(volume, now, effects, probe);
    }

    /// Looks again whether I/Os to a volume stay pending; those that were held go on when nothing holds them any more.
    pub(super) fn hold_or_let_go(
        &mut self,
        volume: Volume,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let state = &mut self.volumes[volume.index()];
        let pathless = state.reached_by.is_some_and(|paths| self.paths[paths.index()].online() == 0);
        state.hold = match (state.reserved, pathless) {
            (true, _) => Some(Hold::Reserved),
            (false, true) => Some(Hold::NoPath),
            (false, false) => state.limit.is_some().then_some(Hold::NoToken),
        };
        match state.hold {
            Some(Hold::Reserved | Hold::NoPath) => return,
            Some(Hold::NoToken) | None => {}
        }
        for exposure in 0..self.exposures.len() {
            let held = &self.exposures[exposure];
            if held.phase == Phase::Held && held.io.volume == volume {
                let exposure = Exposure(exposure as u32);
                let limit = &self.volumes[volume.index()].limit;
                if limit.as_ref().is_some_and(|limit| limit.has_waiting(exposure)) {
                    continue;
                }
                probe.signal(now, Signal::LetGo(volume, exposure));
                self.let_go(exposure, now, effects);
            }
        }
    }

    /// An I/O that was held goes on; how long it was held is a part of its pending time.
    pub(super) fn let_go(&mut self, exposure: Exposure, now: Tod, effects: &mut impl Outbox) {
        let state = &mut self.exposures[exposure.index()];
        let over;
        (state.phase, over) = self.volumes[state.io.volume.index()].accept(&state.service, now);
        effects.at(Event::PhaseOver(exposure), over);
        state.service.held = now - state.started;
        state.service.pend += state.service.held;
    }
}
