//! A law that does not hold.

use std::fmt;

/// A law that does not hold: the engine is wrong, whatever the scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violation {
    /// Which law.
    pub law: &'static str,
    /// Of what.
    pub of: String,
    /// One account, in TOD-clock units.
    pub area: u128,
    /// The other.
    pub spans: u128,
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Violation { law, of, area, spans } = self;
        write!(f, "{law} does not hold for {of}: {area} against {spans} TOD-clock units")
    }
}
