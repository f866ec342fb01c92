//! I/Os that stay pending when they start: for a token of their volume's limit, or for the volume itself.

use super::{Channel, Phase};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::Exposure;
use crate::signal::{Hold, Probe, Signal};
use units::Tod;

impl Channel {
    /// An I/O that has started on a volume which may hold it: whether it waits for a token or for the volume, or goes on.
    #[cold]
    pub(super) fn hold(&mut self, exposure: Exposure, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let io = self.exposures[exposure.index()].io;
        let volume = &mut self.volumes[io.volume.index()];
        if let Some(limit) = &mut volume.limit
            && !limit.admit(now)
        {
            if let Some(at) = limit.join(exposure, now) {
                effects.at(Event::PhaseOver(exposure), at);
            }
            probe.signal(now, Signal::Held(io.volume, exposure, Hold::NoToken));
            return;
        }
        match volume.hold {
            Some(hold @ (Hold::Reserved | Hold::NoPath)) => {
                probe.signal(now, Signal::Held(io.volume, exposure, hold));
            }
            Some(Hold::NoToken) | None => self.let_go(exposure, now, effects),
        }
    }

    /// The timer of the first I/O that waits for a token has ended: as many go on as there are tokens for.
    #[cold]
    pub(super) fn tokens_come(
        &mut self,
        exposure: Exposure,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let volume = self.exposures[exposure.index()].io.volume;
        while let Some(limit) = &mut self.volumes[volume.index()].limit {
            let Some(exposure) = limit.dispatch(now) else {
                if let Some(first) = limit.first() {
                    effects.at(Event::PhaseOver(first), limit.timer(now));
                }
                return;
            };
            debug_assert_eq!(self.exposures[exposure.index()].phase, Phase::Held);
            if self.volumes[volume.index()].hold == Some(Hold::NoToken) {
                probe.signal(now, Signal::LetGo(volume, exposure));
                self.let_go(exposure, now, effects);
            }
        }
    }
}
