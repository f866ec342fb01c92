//! How an I/O starts on an exposure, is accepted by the device, and connects to its paths.

use super::{Channel, ExposureState, Phase, VolumeState};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Exposure, Requester};
use crate::io::Io;
use crate::plan::Holds;
use crate::signal::{Probe, Service, Signal, Waited};
use units::{Span, Tod};

impl VolumeState {
    /// Nothing holds an I/O: what it does first, and when that is over.  Where connected I/Os do not slow each other, and
    /// no channel carries it, that is its end.
    #[inline(always)]
    pub(super) fn accept(&self, service: &Service, now: Tod) -> (Phase, Tod) {
        let access = service.pend + service.disconnect;
        if self.is_plain() {
            return (Phase::Serving, now + access + service.connect);
        }
        match (self.paths, self.holds) {
            (Some(_), _) => (Phase::Accessing { connect: Some(service.connect_alone) }, now + access),
            (None, None) => (Phase::Serving, now + access + service.connect),
            (None, Some(Holds::Transfer)) => (Phase::Accessing { connect: None }, now + access + service.connect),
            (None, Some(Holds::Connection)) => (Phase::Accessing { connect: None }, now + access),
        }
    }
}

impl Channel {
    /// Starts an I/O, which stays pending while its volume is held, or until there is a token for it.
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
        let service = volume.draw_service(io.transfer.bytes());
        let hold = volume.hold;
        let (phase, over) = if hold.is_none() { volume.accept(&service, now) } else { (Phase::Held, Tod::NEVER) };
        let state = &mut self.exposures[exposure.index()];
        *state = ExposureState { phase, io, requester, started: now, service, ..*state };
        effects.at(Event::PhaseOver(exposure), over);
        probe.signal(now, Signal::Started(io, exposure, requester, waited));
        if hold.is_some() {
            self.hold(exposure, now, effects, probe);
        }
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
