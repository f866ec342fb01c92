//! An interval of a system that a file of monitor data covers, and the system of a file that is written.

use crate::binary::Clock;
use measures::IntervalTotals;

/// One interval of one system; its clock is UTC in monitor data of z/VM, and local time in SMF.
#[derive(Clone, Debug, PartialEq)]
pub struct Interval {
    /// When it started.
    pub start: Clock,
    /// When it ended.
    pub end: Clock,
    /// The counters of the interval.
    pub totals: IntervalTotals,
}

/// The system of a file that is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct System {
    /// Its name: at most eight characters in monitor data of z/VM, four in SMF.
    pub name: String,
    /// When its first interval starts.
    pub start: Clock,
}
