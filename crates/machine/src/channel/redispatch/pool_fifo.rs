//! Redispatch `pool-fifo`: the alias takes the request that has waited longest at any volume of its pool.

use super::Channel;
use crate::channel::volume::Aliases;
use crate::ids::{Requester, Volume};
use crate::io::Io;

/// The request that has waited longest in the pool of that volume.
#[inline(always)]
pub(super) fn next(channel: &mut Channel, served: Volume) -> Option<(Requester, Io)> {
    let volume = match channel.volumes[served.index()].aliases {
        Aliases::Pool(pool) => channel.waiting.oldest(pool)?,
        Aliases::Bound { .. } | Aliases::None => served,
    };
    channel.waiting.take(volume, &mut channel.volumes)
}
