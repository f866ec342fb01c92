//! The activity of a physical processor.

use super::ids::{Logical, Partition};

/// The activity of a physical processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It belongs to one logical processor for good.
    Dedicated(Logical),
    /// It switches to a domain, for one of its logical processors if the domain has one there.
    Switching(Partition, Option<Logical>),
    /// It carries a logical processor, busy or not.
    Carrying(Logical),
    /// Idle: shares that are capped leave it so, or no partition has work for it.
    Idle,
}
