//! What an alias does when its I/O ends and requests wait: one policy a file, because no document says which is z/VM's.

mod none;
mod pool_fifo;
mod same_volume;

use super::Channel;
use crate::ids::{Requester, Volume};
use crate::io::Io;

/// What becomes of an alias when its I/O ends and requests wait (not documented for z/VM: a knob).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Redispatch {
    /// It goes back to the pool and waits for a new request that finds its base busy.
    #[default]
    None,
    /// It takes the oldest request that waits at the volume it just served.
    SameVolume,
    /// It takes the oldest request that waits at any volume of the pool.
    PoolFifo,
}

impl Redispatch {
    /// Every policy with its name in a scenario, the default first; all lists of policies come from here.
    pub const NAMED: [(&str, Redispatch); 3] =
        [("none", Self::None), ("same-volume", Self::SameVolume), ("pool-fifo", Self::PoolFifo)];

    /// The names alone.
    pub const NAMES: [&str; Self::NAMED.len()] = {
        let mut names = [""; Self::NAMED.len()];
        let mut number = 0;
        while number < names.len() {
            names[number] = Self::NAMED[number].0;
            number += 1;
        }
        names
    };

    /// The policy of a name.
    pub fn named(name: &str) -> Option<Self> {
        Self::NAMED.iter().find(|(known, _)| *known == name).map(|(_, policy)| *policy)
    }

    /// Whether the order of all waiting requests of a pool must be kept.
    #[inline(always)]
    pub(super) const fn looks_across_volumes(self) -> bool {
        match self {
            Self::None | Self::SameVolume => false,
            Self::PoolFifo => true,
        }
    }
}

impl Channel {
    /// The request that a freed alias takes up, given the volume it just served.
    #[inline(always)]
    pub(super) fn redispatch(&mut self, policy: Redispatch, served: Volume) -> Option<(Requester, Io)> {
        match policy {
            Redispatch::None => none::next(),
            Redispatch::SameVolume => same_volume::next(self, served),
            Redispatch::PoolFifo => pool_fifo::next(self, served),
        }
    }
}
