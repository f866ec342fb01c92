//! What guests have besides their programs: a file for each thing that they queue for or stand for.

pub mod exchange;
pub mod front_end;
pub mod minidisk;
pub mod resource;
pub mod sampler;
pub mod spin_lock;
pub mod thread_lock;
