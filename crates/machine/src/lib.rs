//! The machine that is simulated: its parts as a plan, its mechanisms as state machines, and the world where they meet.
//!
//! It does no input or output, reads no clock, and does not know its observers.
//!
//! Read in this order: [`vocabulary`] (the words of all), [`plan`] (what can be built), then the mechanisms, which do
//! not know each other: [`channel`], [`guest`], [`control_program`] and [`cec`]. Then [`event`], [`effect`] and
//! [`signal`] (their messages), and [`world`] (the whole, where they meet).
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
pub(crate) mod pending;
pub mod plan;
pub mod serialization;
pub mod signal;
pub mod vocabulary;
pub mod world;

pub use vocabulary::{call, ids, io};
