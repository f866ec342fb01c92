//! An instant on the TOD clock: units of 2^-12 microsecond since the start of the simulation.

use crate::Span;
use std::fmt;
use std::ops::{Add, Sub};

/// An instant; 2^12 units are one microsecond, as in the TOD clock (z/Architecture Principles of Operation, "Timing").
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tod(u64);

impl Tod {
    /// The start of simulated time.
    pub const START: Tod = Tod(0);
    /// Later than every instant that happens: 71 years after the start, so that sums of instants and spans of up to a
    /// year cannot overflow.
    pub const NEVER: Tod = Tod(u64::MAX >> 1);

    /// The instant `units` TOD-clock units after the start.
    #[inline]
    pub const fn from_units(units: u64) -> Self {
        Tod(units)
    }

    /// TOD-clock units since the start.
    #[inline]
    pub const fn units(self) -> u64 {
        self.0
    }

    /// The span from an earlier instant to this one.
    #[inline]
    pub fn since(self, earlier: Tod) -> Span {
        debug_assert!(earlier <= self, "time runs forward");
        Span::from_units(self.0 - earlier.0)
    }
}

impl Add<Span> for Tod {
    type Output = Tod;
    #[inline]
    fn add(self, span: Span) -> Tod {
        Tod(self.0 + span.units())
    }
}

impl Sub<Tod> for Tod {
    type Output = Span;
    #[inline]
    fn sub(self, earlier: Tod) -> Span {
        self.since(earlier)
    }
}

impl fmt::Display for Tod {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", Span::from_units(self.0))
    }
}
