//! The ends of a queue at a base, or of all who wait in a pool.

use crate::ids::Requester;

/// The ends of a queue.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Queue {
    /// The one that has waited longest.
    pub first: Option<Requester>,
    /// The one that came last.
    pub last: Option<Requester>,
    /// How many wait.
    pub len: u32,
}
