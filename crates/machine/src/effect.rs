//! What a transition wants to happen elsewhere: later, or in another mechanism.
//!
//! It leaves out doing it: `wiring.rs` is the only place where effects meet their targets.

use crate::event::Event;
use crate::ids::Requester;
use crate::io::Io;
use kernel::effects;
use units::Tod;

/// One thing to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Let this happen at an instant, in place of when it was to happen before.
    At(Event, Tod),
    /// It is not to happen any more.
    Never(Event),
    /// A requester asks the control program for an I/O.
    Request(Requester, Io),
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
    /// A requester asks the control program for an I/O.
    fn request(&mut self, requester: Requester, io: Io);
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
    fn request(&mut self, requester: Requester, io: Io) {
        self.push(Effect::Request(requester, io));
    }

    #[inline]
    fn done(&mut self, requester: Requester) {
        self.push(Effect::Done(requester));
    }
}
