//! A ring of systems: the message that is passed round (RSA-message), and when a request that it carries is granted.

use super::mode::Place;
use units::Span;

/// The message of a ring and how far it goes before a request is granted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ring {
    /// How long each system holds it (RESMIL).
    pub residency: Span,
    /// How long it takes from one system to the next, and a signal of ring acceleration from any to any.
    pub transmission: Span,
    /// How many systems, the requester's among them, have to see a request (ACCELSYS); all of them, and the way back,
    /// without ring acceleration.
    pub acceleration: Option<u32>,
}

impl Ring {
    /// From the arrival of the message at one system to that at the next.
    pub fn hop(&self) -> Span {
        self.residency + self.transmission
    }

    /// How long the message takes round a ring of this many systems.
    pub fn cycle(&self, systems: u32) -> Span {
        self.hop() * u64::from(systems)
    }

    /// The systems that have to see a request in a ring of this many; none without acceleration. ASSUME: a ring of fewer
    /// systems than ACCELSYS is not accelerated.
    fn seen(&self, systems: u32) -> Option<u32> {
        self.acceleration.filter(|seen| *seen <= systems)
    }

    /// How long a request is under way in a ring of this many systems, from the arrival of the message that takes it along.
    ///
    /// The requester's own system holds the message with the request for a residency too. With ACCELSYS(a) the a-th
    /// system signals as soon as it has the message, a - 1 hops later; without, the message is back after a cycle.
    /// Source: MVS Planning: Global Resource Serialization, Average response time: RESMIL * (a - 1) + transmission
    /// delay * a, or the cycle time; Request processing with ring acceleration.
    pub fn way(&self, systems: u32) -> Span {
        match self.seen(systems) {
            Some(seen) => self.hop() * u64::from(seen - 1) + self.transmission,
            None => self.cycle(systems),
        }
    }

    /// How many systems the message reaches meanwhile.
    pub fn hops(&self, systems: u32) -> u32 {
        self.seen(systems).map_or(systems, |seen| seen - 1)
    }

    /// The wait of a request that is made at an instant, which counts from an arrival of the message at position 0: until
    /// the message arrives at its system, and then on its way. ASSUME: a system that is alone waits for no message.
    ///
    /// A message takes along what was requested before it arrives, and at that instant. Source: MVS Planning: Global
    /// Resource Serialization, Request processing with ring acceleration, step 2: when the incoming RSA-message arrives,
    /// the request is placed in the outgoing one.
    pub fn wait(&self, place: Place, at: Span) -> Span {
        let cycle = self.cycle(place.systems).units();
        if cycle == 0 || place.systems == 1 {
            return Span::ZERO;
        }
        let arrives = (self.hop() * u64::from(place.position)).units();
        Span::from_units((arrives + cycle - at.units() % cycle) % cycle) + self.way(place.systems)
    }
}
