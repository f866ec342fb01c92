//! The tests of monitor, in one program: each program is linked by itself, which takes time.

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
