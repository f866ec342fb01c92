//! A discrete-event kernel that has never heard of mainframes: calendar, named random streams, distributions,
//! statistics.
//!
//! It leaves out every model, all input and output, and the wall clock.

pub mod distribution;
