//! The models in simcore as its manual teaches: a component with an event handler, which sends events to itself.
//!
//! One component for all entities is its fastest form, and it counts only what the tables print: both favour the peer.

pub mod closed;
pub mod dispatch;
