//! Redispatch `same-volume`: the alias takes the request that has waited longest at the volume it just served.

use super::Channel;
use crate::channel::waiting::Waiting;
use crate::ids::{Requester, Volume};
use crate::io::Io;

/// The request that has waited longest at that volume.
#[inline]
pub(super) fn next(channel: &mut Channel, served: Volume) -> Option<(Requester, Io)> {
    channel.take(Waiting::at(served))
}
