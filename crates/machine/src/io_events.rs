//! The two events of an I/O that needs nothing else: a guest asks for it, and it is done.

use crate::effect::Outbox;
use crate::ids::{Exposure, Requester};
use crate::signal::Probe;
use crate::world::World;
use kernel::calendar::Calendar;

impl<C: Calendar, P: Probe> World<C, P> {
    /// The phase of an exposure is over.  An I/O that is done needs no place in the list where nothing is before it.
    #[inline(always)]
    pub(crate) fn phase_over(&mut self, exposure: Exposure) {
        let (now, desk, probe) = (self.now, &mut self.desk, &mut self.probe);
        let Some(requester) = self.channel.serve(exposure, now, desk, probe) else { return };
        if desk.has_effects() {
            return desk.done(requester);
        }
        if let Some(io) = self.guests.io_done_to_io(requester, now, desk, probe) {
            desk.request(requester, io);
        }
    }

    /// A guest is through thinking or computing.  The same is true of the I/O that it asks for.
    #[inline(always)]
    pub(crate) fn resume(&mut self, requester: Requester) {
        let (now, desk, probe) = (self.now, &mut self.desk, &mut self.probe);
        // Most guests now wait for something else: the next event is then known long before this one is over.
        desk.end_early();
        let Some(io) = self.guests.resume_to_io(requester, now, desk, probe) else { return };
        if desk.has_effects() {
            return desk.request(requester, io);
        }
        self.channel.request((requester, io), now, desk, probe);
    }
}
