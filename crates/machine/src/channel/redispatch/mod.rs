//! What an alias does when its I/O ends and requests wait: one policy a file, because no document says which is z/VM's.

mod none;
mod pool_fifo;
mod same_volume;

use super::Channel;
use super::exposure::Role;
use crate::ids::{Requester, Volume};
use crate::io::Io;
use crate::plan::Redispatch;

impl Channel {
    /// The request that a freed alias takes up, given its role and the volume it just served.
    #[inline(always)]
    pub(super) fn redispatch(&mut self, policy: Redispatch, role: Role, served: Volume) -> Option<(Requester, Io)> {
        match policy {
            Redispatch::None => none::next(),
            Redispatch::SameVolume => same_volume::next(self, served),
            Redispatch::PoolFifo => pool_fifo::next(self, role, served),
        }
    }
}
