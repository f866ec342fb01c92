//! Redispatch `none`: the alias goes back and waits for a new request that finds its base busy.

use crate::ids::Requester;
use crate::io::Io;

/// Nobody who waits is taken up.
#[inline]
pub(super) fn next() -> Option<(Requester, Io)> {
    None
}
