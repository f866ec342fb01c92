//! An observer of any kind behind one type: for each type of observer the whole machine is compiled anew.

use machine::signal::{Probe, Signal};
use std::any::Any;
use units::Tod;

/// An observer that a test reads when the machine has run.
trait Observer: Probe + Any {}

impl<P: Probe + Any> Observer for P {}

/// An observer of any kind.
pub struct Observed(Box<dyn Observer>);

impl Observed {
    /// A machine is observed by this.
    pub fn by(observer: impl Probe + 'static) -> Self {
        Observed(Box::new(observer))
    }

    /// The observer as it is now; it has the type that was given.
    pub fn seen<P: Probe + 'static>(&self) -> &P {
        let any: &dyn Any = &*self.0;
        any.downcast_ref().expect("the type that was given")
    }

    /// The observer at the end; it has the type that was given.
    pub fn taken<P: Probe + 'static>(self) -> P {
        let any: Box<dyn Any> = self.0;
        *any.downcast().expect("the type that was given")
    }
}

impl Probe for Observed {
    fn signal(&mut self, now: Tod, signal: Signal) {
        self.0.signal(now, signal);
    }
}
