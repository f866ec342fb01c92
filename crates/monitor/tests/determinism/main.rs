//! Determinism: the same plan and seed give the same bytes, whatever calendar, observer, slicing of the run or number of
//! threads.
//!
//! It leaves out builds: debug and release are compared with one golden file, see `../golden`.

#[path = "../plans/mod.rs"]
mod plans;

mod calendars;
mod machines;
mod observers;
mod threads;
