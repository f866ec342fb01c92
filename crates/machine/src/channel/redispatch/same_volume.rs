//! Redispatch `same-volume`: the alias takes who has waited longest at the volume it just served.
//!
//! It leaves out other volumes of the pool, however long their queues.

use super::Channel;
use crate::ids::{Requester, Volume};

/// Who has waited longest at that volume.
#[inline]
pub(super) fn next(channel: &mut Channel, served: Volume) -> Option<(Requester, Volume)> {
    channel.waiting.take(served, &mut channel.volumes, &mut channel.pools)
}
