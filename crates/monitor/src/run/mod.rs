//! Runs: replications on threads, what is cut before counting, and how much of them is kept.

mod experiment;
mod kept;
mod replication;
mod warm_up;

pub use experiment::{Experiment, RunError, Watch};
pub use kept::{Kept, MOST as MOST_KEPT};
pub use replication::{Failure, Measurement, Replicated, replicate, replicate_pooled};
pub use warm_up::{WarmUp, settle};
