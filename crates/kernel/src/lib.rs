//! A discrete-event kernel that has never heard of mainframes: calendar, named random streams, distributions,
//! statistics, stops.
//!
//! A model owns a [`calendar::Calendar`] with one slot per schedulable entity and an [`agenda::Agenda`] for what has
//! none.  Ties break by slot number, then slots before the agenda, then in the order of being added: the same
//! scenario, seed and version give the same order of events whatever the machine.

pub mod agenda;
pub mod calendar;
pub mod distribution;
pub mod draw;
pub mod effects;
pub mod statistics;
pub mod stops;
mod ziggurat;
