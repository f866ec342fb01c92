//! What a physical processor does.

use super::ids::{Logical, Partition};

/// What a physical processor does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// It belongs to one logical processor for good.
    Dedicated(Logical),
    /// It switches to a domain.
    Switching(Partition),
    /// It carries a logical processor, busy or not.
    Carrying(Logical),
    /// Nobody's turn: shares that are capped leave it idle, or nobody has work for it.
    Idle,
}
