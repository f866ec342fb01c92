//! Facts that leave the machine, one way, for whoever observes it.
//!
//! It leaves out who that is: the machine is the same with and without an observer.

use crate::ids::{Exposure, Group, Pool, Requester, Volume};
use units::{Span, Tod};

/// Something that just happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    /// A request found its base and every alias it may use busy, and waits at the base.
    Queued(Volume, Requester),
    /// An I/O starts on an exposure; it had waited in the queue or had not.
    Started(Volume, Exposure, Requester, Waited),
    /// An I/O ends.
    Ended(Volume, Exposure, Service),
    /// The control program asked a pool for an alias when so many were free.
    AliasTried(Pool, u32),
    /// An alias came back to its pool; so many are free now.
    AliasFreed(Pool, u32),
    /// A requester begins to run its group's program.
    Joined(Group),
    /// A requester that came from outside is through and leaves.
    Left(Group),
    /// A requester was thinking so long.
    Thought(Group, Span),
    /// A requester was computing so long.
    Computed(Group, Span),
    /// The I/O of a requester took so long from the request to its end.
    Responded(Group, Volume, Span),
    /// A requester reached the end of its program.
    Cycled(Group),
}

/// Whether an I/O waited before it started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// It waited in the queue at the base.
    InQueue,
    /// It started when it was requested.
    NotAtAll,
}

/// The parts of one I/O's service as the channel subsystem measures them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Service {
    /// Pending.
    pub pend: Span,
    /// Disconnected.
    pub disconnect: Span,
    /// Connected, as long as it took beside the others on the paths.
    pub connect: Span,
    /// Connected, as long as it would have taken alone.
    pub connect_alone: Span,
}

impl Service {
    /// Pend + disconnect + connect.
    #[inline]
    pub fn total(&self) -> Span {
        self.pend + self.disconnect + self.connect
    }
}

/// Somebody who observes; it can change nothing.
pub trait Probe {
    /// Takes notice of what happens at an instant.
    fn signal(&mut self, now: Tod, signal: Signal);
}

/// Nobody observes; costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    #[inline]
    fn signal(&mut self, _now: Tod, _signal: Signal) {}
}

impl<P: Probe, Q: Probe> Probe for (P, Q) {
    #[inline]
    fn signal(&mut self, now: Tod, signal: Signal) {
        self.0.signal(now, signal);
        self.1.signal(now, signal);
    }
}
