//! Redispatch `pool-fifo`: the alias takes the request that has waited longest at any volume of its pool.

use super::Channel;
use crate::channel::exposure::Role;
use crate::channel::waiting::Waiting;
use crate::ids::{Requester, Volume};
use crate::io::Io;

/// The request that has waited longest in the pool of that alias; a bound alias has one volume.
#[inline(always)]
pub(super) fn next(channel: &mut Channel, role: Role, served: Volume) -> Option<(Requester, Io)> {
    match role {
        Role::Pool(pool) => channel.take(channel.waiting.of(pool)),
        Role::Bound(_) | Role::Base(_) => channel.take(Waiting::at(served)),
    }
}
