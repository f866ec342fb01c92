//! Redispatch `none`: the alias goes back and waits for a new request that finds its base busy.
//!
//! It leaves out nothing; it is the default (ASSUME: adopted knowing that the published ratio of base to alias rates lies
//! between the policies).

use crate::ids::Requester;
use crate::io::Io;

/// Nobody who waits is taken up.
#[inline]
pub(super) fn next() -> Option<(Requester, Io)> {
    None
}
