//! The tests of scenario, in one program: each program is linked by itself, which takes time.

// A test names the numbers that it is about: a part of a plan may get another one.
#![allow(clippy::needless_update)]

mod agreement;
mod cgroups;
mod channels;
mod classes;
mod control_program;
mod domains;
mod dynamics;
mod edit;
mod enqueues;
mod exits;
mod fuzz;
mod left_open;
mod lockstep;
mod long;
mod numbered;
mod origins;
mod overload;
mod paging;
mod queues;
mod round_trip;
mod sample;
mod samplers;
mod schema;
mod screens;
mod set;
mod spin_locks;
mod starters;
mod structure;
mod sweeps;
mod thread_locks;
mod values;
mod weights;
