//! A task as the service knows it in the machine: what it has enqueued on, and the request that it is inside of.

use super::way::{Stretch, Way};
use crate::call::{Call, MOST_ENQUEUED};
use crate::ids::{Enqueue, Partition};
use crate::plan::EnqueueAccess;
use crate::signal::serialization::Request;
use ::serialization::exits::Settled;
use ::serialization::{Linkage, Requester as By, Scope};
use units::Tod;

/// A requester that enqueues.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    /// As the service knows it.
    pub(super) by: By,
    /// Its holds and waits, at each place of its program.
    pub(super) places: [Option<Place>; MOST_ENQUEUED],
    /// The number of the request that it is inside of.
    pub(super) under_way: Option<u32>,
    /// The request that it makes when its system is there again.
    pub(super) again: Option<Again>,
}

/// A request that is made when a system is there.
#[derive(Clone, Copy, Debug)]
pub(super) enum Again {
    /// Its task goes on by itself: it is on a processor, or waits until an instant.
    Told(Call),
    /// Its task waits for an answer.
    Untold(Call),
}

impl Task {
    pub(super) fn new(by: By) -> Self {
        Task { by, places: [None; MOST_ENQUEUED], under_way: None, again: None }
    }

    /// Its system.
    pub(super) fn system(&self) -> Partition {
        Partition(self.by.system.into())
    }
}

/// A member of a resource, or the resource itself where there is one of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Member {
    pub(super) enqueue: Enqueue,
    pub(super) member: u32,
}

/// A resource that a task asked for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The requested name.
    pub(super) asked: Member,
    /// The name after exits, which may give another one.
    pub(super) meant: Member,
    /// How far its name turned out to reach.
    pub(super) scope: Scope,
    /// Its queue among all of its name.
    pub(super) queue: u32,
    pub(super) access: EnqueueAccess,
    pub(super) linkage: Linkage,
    /// The result of exits and name lists; none before the request has passed them.
    pub(super) settled: Option<Settled>,
    pub(super) standing: Standing,
}

/// The state of a request for a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Standing {
    /// It is not queued.
    Apart,
    /// It waits since then.
    Waits(Tod),
    /// It has what it asked for since then.
    Owns(Tod),
}

impl Standing {
    pub(super) fn is_waiting(self) -> bool {
        matches!(self, Standing::Waits(_))
    }

    pub(super) fn is_owning(self) -> bool {
        matches!(self, Standing::Owns(_))
    }
}

/// A request under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct UnderWay {
    pub(super) call: Call,
    pub(super) request: Request,
    pub(super) place: usize,
    pub(super) way: Way,
    /// The stretch that comes next.
    pub(super) next: usize,
    pub(super) at: At,
    pub(super) locked: bool,
    /// Whether it has been queued, or taken out of its queue.
    pub(super) queued: bool,
    /// Whether it was refused.
    pub(super) refused: bool,
    /// Whether a manager is sent a message, and its answer waited for.
    pub(super) message: bool,
    pub(super) began: Tod,
}

/// The place of a requester in its request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum At {
    /// Between two stretches.
    Between,
    /// In a stretch.
    In(Stretch),
    /// Waiting for the lock.
    ForLock,
    /// Waiting, since then, for the other systems to know of it.
    ForOthers(Tod),
    /// Waiting for the resource.
    ForResource,
}
