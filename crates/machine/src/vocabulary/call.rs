//! What a program calls the service of ENQ and DEQ for, and how much it may ask for at a time.

use super::ids::Enqueue;
use ::serialization::{Access as EnqueueAccess, Linkage, Ret};

/// How many resources a requester may have enqueued on around steps.
pub const MOST_NESTED: usize = 4;

/// How many others he may keep to the end of his program.
pub const MOST_KEPT: usize = 4;

/// How many resources he may have enqueued on at a time.
pub const MOST_ENQUEUED: usize = MOST_NESTED + MOST_KEPT;

/// What a program calls the service for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Call {
    /// A resource, to be kept at this place.
    Enq {
        /// Where among all that the program asks for.
        place: usize,
        /// What is asked for.
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

/// What an ENQ of a program asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ask {
    /// Which resource.
    pub enqueue: Enqueue,
    /// How it is to be used.
    pub access: EnqueueAccess,
    /// What to do where it cannot be had at once.
    pub ret: Ret,
    /// The door.
    pub linkage: Linkage,
    /// Where the program goes on that is refused.
    pub past: u32,
}
