//! Redispatch `none`: the alias goes back and waits for a new request that finds its base busy.

use crate::ids::Requester;
use crate::io::Io;

/// No waiting request is taken.
#[inline]
pub(super) fn next() -> Option<(Requester, Io)> {
    None
}
