//! Observers of the simulated machine: what the signals and samples of a run add up to, interval by interval.
//!
//! It can change nothing in the machine, and knows no report layout: its result is [`measures::IntervalTotals`], the
//! same as what a real report reads to.
//!
//! There are three views.  Signals are every event, exactly.  Samples of the world are what the control program sees
//! when it samples its queues.  Samples of the program inside a partition may be late.

mod contention;
mod control;
mod control_laws;
mod control_programs;
mod counts;
mod diagnoses;
mod enqueues;
mod experiment;
mod kept;
mod laws;
mod logical;
mod observer;
mod partitions;
mod processor_time;
mod processors;
mod promises;
mod queues;
mod replication;
mod serialization;
mod serialization_laws;
mod serialization_totals;
mod spin_lock_laws;
mod spin_locks;
mod spin_totals;
mod threads;
mod timeline;
mod totals;
mod vectors;
mod virtuals;
mod warm_up;

pub use experiment::{Experiment, RunError, Watch};
pub use kept::{Kept, MOST as MOST_KEPT};
pub use laws::Violation;
pub use observer::Monitor;
pub use replication::{Failure, Measurement, replicate};
pub use timeline::{
    Lane, LaneKind, Occupation, Recorder, State, Timeline, Untraceable, Wait, WaitKind, Window, Yield, trace,
};
pub use warm_up::{WarmUp, settle};
