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

/// Where transitions leave their effects.  The wiring sets instants at once and keeps the rest for after the
/// transition; a list keeps everything, for who wants to look.
pub trait Outbox {
    /// Let this happen at an instant, in place of when it was to happen before.
    fn at(&mut self, event: Event, at: Tod);
    /// It is not to happen any more.
    fn never(&mut self, event: Event);
    /// A requester starts an I/O to a volume.
    fn request(&mut self, requester: Requester, volume: Volume);
    /// The I/O of a requester is done.
    fn done(&mut self, requester: Requester);
}

/// A list of what one event may leave.
pub type Effects = effects::Effects<Effect, 8>;

/// An empty list of effects.
pub fn none() -> Effects {
    Effects::new(Effect::Done(Requester(u32::MAX)))
}

impl Outbox for Effects {
    #[inline]
    fn at(&mut self, event: Event, at: Tod) {
        self.push(Effect::At(event, at));
    }

    #[inline]
    fn never(&mut self, event: Event) {
        self.push(Effect::Never(event));
    }

    #[inline]
    fn request(&mut self, requester: Requester, volume: Volume) {
        self.push(Effect::Request(requester, volume));
    }

    #[inline]
    fn done(&mut self, requester: Requester) {
        self.push(Effect::Done(requester));
    }
}
