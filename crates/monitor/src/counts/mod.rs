//! The counts in one interval, in whole numbers: a file for each part of the machine, and the monitor that has them
//! all.

pub mod channel;
pub mod control_program;
pub mod counting;
pub mod diagnose;
pub mod enqueue;
pub mod front_end;
pub mod guest;
mod level;
pub mod minidisk;
pub mod monitor;
pub mod partition;
pub mod pool;
pub mod processor;
pub mod resource;
pub mod serialization;
pub mod spin_lock;
pub mod thread;
pub mod thread_lock;
pub mod vector;
pub mod virtual_processor;
pub mod volume;
