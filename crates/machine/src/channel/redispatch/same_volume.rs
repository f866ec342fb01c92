//! Redispatch `same-volume`: the alias takes who has waited longest at the volume it just served.

use super::Channel;
use crate::ids::{Requester, Volume};
use crate::io::Io;

/// Who has waited longest at that volume.
#[inline]
pub(super) fn next(channel: &mut Channel, served: Volume) -> Option<(Requester, Io)> {
    channel.waiting.take(served, &mut channel.volumes, &mut channel.pools)
}
