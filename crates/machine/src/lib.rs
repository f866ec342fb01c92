//! The machine that is simulated: its parts as a plan, its mechanisms as state machines, and the wiring between them.
//!
//! It does no input or output, reads no clock, and does not know who observes it.

pub mod plan;
