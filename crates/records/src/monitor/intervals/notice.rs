//! What a reader of intervals should know: gaps, resets, duplicates, changes of the system.

use crate::binary::Clock;
use std::fmt;
use units::counted;

/// Something about the intervals of a file that their numbers do not show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Notice {
    /// The monitor was suspended.
    Suspended(Clock),
    /// An interval that ends when the one before ends; it was passed over.
    Duplicate(Clock),
    /// An interval that ends before the one before; it was passed over.
    Backwards {
        /// The end of the interval before.
        from: Clock,
        /// Its own end.
        to: Clock,
    },
    /// A sample that ends at another time than its records were built; it was passed over.
    Untimely(Clock),
    /// Records of another system follow.
    AnotherSystem {
        /// The system before.
        from: String,
        /// The system from here on.
        to: String,
        /// When.
        at: Clock,
    },
    /// Devices whose counters went back, as after an IPL: they are not in the interval.
    Reset {
        /// How many.
        devices: usize,
        /// The start of the interval.
        at: Clock,
    },
}

impl fmt::Display for Notice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notice::Suspended(at) => write!(f, "monitor was suspended at {at}"),
            Notice::Duplicate(at) => {
                write!(f, "the interval that ends at {at} is in the file twice; the second one was ignored")
            }
            Notice::Backwards { from, to } => {
                write!(
                    f,
                    "an interval that ends at {to} follows one that ends at {from}; it was ignored: read files in the order of time"
                )
            }
            Notice::Untimely(end) => {
                write!(f, "a sample ends at {end}, and its records were built at other times; it was ignored")
            }
            Notice::AnotherSystem { from, to, at } => write!(f, "records of {to} follow those of {from} at {at}"),
            Notice::Reset { devices, at } => {
                let devices = counted(*devices, "device", "devices");
                write!(f, "counters of {devices} were reset in the interval from {at}; it lacks them")
            }
        }
    }
}
