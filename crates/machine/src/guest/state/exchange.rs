//! The state of an exchange.

use crate::ids::Requester;
use units::Span;

/// The caller of a program that runs, and the time of the reply on its way.
#[derive(Clone, Copy, Debug)]
pub struct Call {
    pub(in crate::guest) caller: Requester,
    pub(in crate::guest) reply: Span,
}
