//! An exposure: a device number through which one I/O at a time reaches a volume, base or alias.

use super::waiting::Queue;
use crate::ids::{Pool, Requester, Volume};
use crate::io::Io;
use crate::signal::Service;
use units::{Span, Tod};

/// Whose exposure it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// The base of a volume.
    Base(Volume),
    /// A classic alias, bound to the base of a volume.
    Bound(Volume),
    /// An alias of a pool, for one I/O to any of its volumes.
    Pool(Pool),
}

/// The activity of an exposure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Idle.
    Idle,
    /// Pending for as long as its volume is reserved by another system or has no path.
    Held,
    /// Before it connects to paths that others share, or asks for a channel.
    Accessing {
        /// The connect time it needs on shared paths when alone; none where it asks for a channel next.
        connect: Option<Span>,
    },
    /// Connected to paths that others share.
    Connecting {
        /// From when on.
        since: Tod,
    },
    /// Waiting for a channel.
    AwaitingChannel {
        /// From when on.
        since: Tod,
    },
    /// Carried by a channel.
    Carried {
        /// From when on it waited for the channel.
        since: Tod,
        /// How long the channel carries it alone.
        takes: Span,
    },
    /// Serving an I/O whose end is known.
    Serving,
    /// Its I/O has ended, and the partition has not handled the interrupt.
    InterruptPending {
        /// Since when.
        since: Tod,
    },
    /// The control program is between the end of an I/O and the next start.
    Gap,
}

/// An exposure and the I/O it carries, or carried last.
#[derive(Clone, Copy, Debug)]
pub struct ExposureState {
    /// Whose it is.
    pub role: Role,
    /// The queue that it serves whenever it becomes free; none where that depends on the last I/O or on what is online.
    pub(super) serves: Option<Queue>,
    /// Its activity.
    pub phase: Phase,
    /// Its I/O.
    pub io: Io,
    /// The requester of its I/O.
    pub requester: Requester,
    /// When its I/O started.
    pub started: Tod,
    /// The parts of its I/O's service, as far as they are known.
    pub service: Service,
}

impl ExposureState {
    /// An exposure that has done nothing yet.
    pub fn new(role: Role) -> Self {
        ExposureState {
            role,
            serves: None,
            phase: Phase::Idle,
            io: Io::to(Volume(0)),
            requester: Requester(0),
            started: Tod::START,
            service: Service::default(),
        }
    }

    /// Whether an I/O may start on it.
    #[inline]
    pub fn is_idle(&self) -> bool {
        matches!(self.phase, Phase::Idle)
    }

    /// Whether an I/O is in progress on it.
    pub fn is_busy(&self) -> bool {
        match self.phase {
            Phase::Held
            | Phase::Accessing { .. }
            | Phase::Connecting { .. }
            | Phase::AwaitingChannel { .. }
            | Phase::Carried { .. }
            | Phase::Serving => true,
            Phase::Idle | Phase::InterruptPending { .. } | Phase::Gap => false,
        }
    }
}
