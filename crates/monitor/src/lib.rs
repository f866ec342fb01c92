//! Observers of the simulated machine: what the signals and samples of a run add up to, interval by interval.
//!
//! It can change nothing in the machine, and knows no report layout: its result is [`measures::IntervalTotals`], the
//! same as what a real report reads to.
//!
//! There are three views.  Signals are every event, exactly.  Samples of the world are what the control program sees
//! when it samples its queues.  Samples of the program inside a partition may be late.

mod counts;
mod laws;
mod run;
mod timeline;
mod totals;

pub use counts::counting::Counting;
pub use counts::monitor::Monitor;
pub use laws::Violation;
pub use run::{
    Experiment, Failure, Kept, MOST_KEPT, Measurement, Replicated, RunError, WarmUp, Watch, replicate,
    replicate_pooled, settle,
};
pub use timeline::{
    Lane, LaneKind, Occupation, Recorder, State, Timeline, Untraceable, Wait, WaitKind, Window, Yield, trace,
    trace_in_parts,
};
