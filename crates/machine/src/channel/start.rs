//! How an I/O starts on an exposure, is accepted by the device, and connects to its paths.
//!
//! It leaves out which request and which exposure: that was decided before.

use super::{Channel, ExposureState, Phase};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Exposure, Requester};
use crate::io::Io;
use crate::signal::{Probe, Signal, Waited};
use units::{Span, Tod};

impl Channel {
    /// Starts an I/O, which stays pending while its volume is held.
    #[inline(always)]
    pub(super) fn start(
        &mut self,
        (requester, io, exposure): (Requester, Io, Exposure),
        waited: Waited,
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let volume = &mut self.volumes[io.volume.index()];
        volume.in_service += 1;
        let service = volume.draw_service(io.bytes);
        let hold = volume.hold;
        let ExposureState { role, .. } = self.exposures[exposure.index()];
        self.exposures[exposure.index()] =
            ExposureState { role, phase: Phase::Held, io, requester, started: now, service };
        probe.signal(now, Signal::Started(io, exposure, requester, waited));
        match hold {
            None => self.accept(exposure, now, effects),
            Some(hold) => probe.signal(now, Signal::Held(io.volume, exposure, hold)),
        }
    }

    /// Nothing holds the I/O of an exposure.  Where connected I/Os do not slow each other its end is known at once.
    #[inline(always)]
    pub(super) fn accept(&mut self, exposure: Exposure, now: Tod, effects: &mut impl Outbox) {
        let state = &mut self.exposures[exposure.index()];
        let service = &state.service;
        let access = service.pend + service.disconnect;
        let (phase, ends) = match self.volumes[state.io.volume.index()].paths {
            Some(_) => (Phase::Accessing { connect: service.connect_alone }, now + access),
            None => (Phase::Serving, now + access + service.connect),
        };
        state.phase = phase;
        effects.at(Event::PhaseOver(exposure), ends);
    }

    /// An I/O connects: it shares the paths of its control unit until it has transferred everything.
    pub(super) fn connect(&mut self, exposure: Exposure, alone: Span, now: Tod, effects: &mut impl Outbox) {
        let state = &mut self.exposures[exposure.index()];
        state.phase = Phase::Connecting { since: now };
        let paths =
            self.volumes[state.io.volume.index()].paths.expect("an I/O connects apart only where paths are shared");
        let group = &mut self.paths[paths.index()];
        group.join(exposure, alone, now);
        group.announce(paths, now, effects);
    }
}
