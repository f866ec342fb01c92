//! The calls of a program to the service of ENQ and DEQ, and their limits.

use super::ids::Enqueue;
use ::serialization::{Access as EnqueueAccess, Linkage, Ret};

/// How many resources a requester may have enqueued on around steps.
pub const MOST_NESTED: usize = 4;

/// How many resources a guest may keep to the end of its program.
pub const MOST_KEPT: usize = 4;

/// How many resources a guest may have enqueued on at a time.
pub const MOST_ENQUEUED: usize = MOST_NESTED + MOST_KEPT;

/// A program's call to the service.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A resource, to be kept at this place.
    Enq {
        /// Where among all that the program asks for.
        place: usize,
        /// The request.
        ask: Ask,
    },
    /// Its release, if it has what it asked for at this place.
    Deq {
        /// Where among all that the program asks for.
        place: usize,
    },
    /// The program is over: everything that is left is released.
    EndTask,
}

/// The request of a program's ENQ.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Which resource.
    pub enqueue: Enqueue,
    /// How it is to be used.
    pub access: EnqueueAccess,
    /// The action if it is not available at once.
    pub ret: Ret,
    /// The door.
    pub linkage: Linkage,
    /// Where the program goes on that is refused.
    pub past: u32,
}
