//! The effects of a request on others: grants, volumes that are reserved or released, contention.

use crate::request::{Requester, Ret};

/// A resource with owners or waiters, by a number that is good until the next request.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ResourceId(pub(super) u32);

/// One thing that follows from a request; in an [`Outbox`] in the order in which they happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Effect {
    /// A task that waited has the resource now, with the return code 0.
    Granted {
        /// The task.
        by: Requester,
        /// Its resource.
        resource: ResourceId,
    },
    /// The volume is to be reserved for a system: the first of its RESERVEs there has what it asked for.
    ReserveVolume {
        /// The system that reserves.
        system: u16,
        /// The volume.
        volume: u32,
    },
    /// The volume is to be released: the last of its RESERVEs from there is gone.
    ReleaseVolume {
        /// The system that releases.
        system: u16,
        /// The volume.
        volume: u32,
    },
    /// The number of waiters for a resource changes. From none on that is contention; at none it is over. Source: MVS
    /// Programming: Authorized Assembler Services Guide, Monitoring contention changes (ENF 51).
    Contention {
        /// The resource.
        resource: ResourceId,
        /// How many wait.
        waiters: u32,
    },
    /// A task did not get a resource and does not wait for it: waitless contention, after USE or CHNG.
    /// Source: as above.
    NoWait {
        /// The task.
        by: Requester,
        /// The resource.
        resource: ResourceId,
        /// The access.
        ret: Ret,
    },
}

/// Where the effects of requests go; one that is used again allocates nothing.
#[derive(Clone, Debug, Default)]
pub struct Outbox {
    effects: Vec<Effect>,
}

impl Outbox {
    /// An empty one.
    pub fn new() -> Self {
        Outbox::default()
    }

    /// Its effects, the oldest first.
    pub fn effects(&self) -> &[Effect] {
        &self.effects
    }

    /// Empties it.
    pub fn clear(&mut self) {
        self.effects.clear();
    }

    #[inline]
    pub(super) fn push(&mut self, effect: Effect) {
        self.effects.push(effect);
    }
}
