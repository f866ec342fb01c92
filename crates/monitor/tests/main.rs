//! The tests of monitor, in one program: each program is linked by itself, which takes time.

// A test names the numbers that it is about: a part of a plan may get another one.
#![allow(clippy::needless_update)]

mod control_programs;
mod counting;
mod determinism;
mod golden;
mod kept;
mod laws;
mod observed;
mod plans;
mod spin_locks;
mod texts;
mod theory;
mod timeline;
