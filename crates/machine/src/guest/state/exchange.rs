//! What is known of an exchange.

use crate::ids::Requester;
use units::Span;

/// For whom somebody runs his program, and how long the reply will be on its way.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub(in crate::guest) caller: Requester,
    pub(in crate::guest) reply: Span,
}
