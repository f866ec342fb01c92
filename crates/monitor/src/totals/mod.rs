//! Counts of an interval made into totals: a file for each table, row by row.

mod channel;
pub mod contention;
pub mod control_program;
mod control_unit;
mod device;
mod front_end;
mod guest;
pub mod interval;
mod logical_processor;
mod lpar_group;
mod minidisk;
mod online_processor;
mod partition;
mod pool;
mod processor;
mod promise;
mod resource;
mod serialization;
mod service;
mod spin_lock;
mod system;
mod thread;
mod thread_lock;
mod volume;
