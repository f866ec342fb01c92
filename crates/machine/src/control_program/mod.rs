//! Control programs: virtual processors on the logical processors of a partition, dispatched from vectors by share.
//!
//! It leaves out which partition has a physical processor when, and what guests do with their virtual processors.

pub mod caches;
pub mod controller;
pub mod placement;
pub mod plan;
pub mod scheduler_lock;
pub mod signal;

use crate::ids::{Logical, Virtual};
use signal::{Spent, VirtualStanding};
use units::Tod;

/// The control programs of all partitions that have one.
#[derive(Clone, Debug, Default)]
pub struct ControlPrograms {
    standings: Vec<VirtualStanding>,
}

impl ControlPrograms {
    /// What the stretch of work has gone into so far that a logical processor is in at an instant; nothing is changed.
    pub fn under_way(&self, _logical: Logical, _now: Tod) -> Spent {
        Spent::default()
    }

    /// How a virtual processor stands.
    pub fn standing(&self, number: Virtual) -> VirtualStanding {
        self.standings[number.index()]
    }
}
