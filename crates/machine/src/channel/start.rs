//! How an I/O starts on an exposure and connects to its paths.
//!
//! It leaves out which request and which exposure: that was decided before.

use super::{Channel, ExposureState, Phase};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Exposure, Requester, Volume};
use crate::signal::{Probe, Signal, Waited};
use units::{Span, Tod};

impl Channel {
    /// Starts an I/O.  Where connected I/Os do not slow each other its end is known at once.
    #[inline(always)]
    pub(super) fn start(
        &mut self,
        (requester, volume, exposure): (Requester, Volume, Exposure),
        waited: Waited,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let state = &mut self.volumes[volume.index()];
        state.in_service += 1;
        let service = state.draw_service();
        let access = service.pend + service.disconnect;
        let (phase, ends) = match state.paths {
            Some(_) => (Phase::Accessing { connect: service.connect_alone }, now + access),
            None => (Phase::Serving, now + access + service.connect),
        };
        let ExposureState { role, .. } = self.exposures[exposure.index()];
        self.exposures[exposure.index()] = ExposureState { role, phase, volume, requester, started: now, service };
        effects.at(Event::PhaseOver(exposure), ends);
        probe.signal(now, Signal::Started(volume, exposure, requester, waited));
    }

    /// An I/O connects: it shares the paths of its control unit until it has transferred everything.
    pub(super) fn connect(&mut self, exposure: Exposure, alone: Span, now: Tod, effects: &mut impl Outbox) {
        let state = &mut self.exposures[exposure.index()];
        state.phase = Phase::Connecting { since: now };
        let paths =
            self.volumes[state.volume.index()].paths.expect("an I/O connects apart only where paths are shared");
        let group = &mut self.paths[paths.index()];
        group.join(exposure, alone, now);
        group.announce(paths, now, effects);
    }
}
