//! What a transition wants to happen elsewhere: later, or in another mechanism.
//!
//! It leaves out doing it: `wiring.rs` is the only place where effects meet their targets.

use crate::event::Event;
use crate::ids::{Requester, Volume};
use kernel::effects;
use units::Tod;

/// One thing to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Let this happen at an instant, in place of when it was to happen before.
    At(Event, Tod),
    /// It is not to happen any more.
    Never(Event),
    /// A requester starts an I/O to a volume.
    Request(Requester, Volume),
    /// The I/O of a requester is done.
    Done(Requester),
}

/// What one transition may leave.
pub type Effects = effects::Effects<Effect, 8>;
