//! The machine that is simulated: its parts as a plan, its mechanisms as state machines, and the wiring between them.
//!
//! It does no input or output, reads no clock, and does not know its observers.
//!
//! Read in this order: [`vocabulary`] (the words that all share), [`plan`] (what can be built), [`channel`], [`guest`],
//! [`control_program`] and [`cec`] (the mechanisms, which do not know each other), [`event`], [`effect`] and [`signal`] (what they say), `wiring.rs` (where they
//! meet), [`world`] (the whole).
//!
//! Functions that every I/O passes through are always inlined: each transition then knows its signal, its policy and
//! its outbox at compile time.  Without that the closed model of `benches/` takes a fifth longer.

pub mod cec;
pub mod changes;
pub mod channel;
pub mod control_program;
pub mod effect;
pub mod event;
pub mod guest;
pub mod plan;
pub mod serialization;
pub mod signal;
pub mod vocabulary;
pub(crate) mod wiring;
pub mod world;

pub use vocabulary::{call, ids, io};
