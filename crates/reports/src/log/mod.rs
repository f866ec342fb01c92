//! Logs in the style of the z/VM Performance Toolkit: `>>Mean>>` rows of all intervals, then the rows of each by its end.

mod body;
mod head;
mod locks;
mod machines;
mod parking;
mod privop;
mod processors;
mod shares;
mod spin_locks;
mod system;
mod users;
mod vectors;

pub use locks::lock_log_page;
pub use parking::{Parking, Unparking, parking_page};
pub use privop::privileged_operations_page;
pub use processors::processor_log_page;
pub use shares::{ShareSetting, share_page};
pub use spin_locks::spin_lock_page;
pub use system::system_counter_page;
pub use users::user_state_page;
pub use vectors::vector_page;

use measures::IntervalTotals;
use units::Span;

/// The data of a log of one system.
#[derive(Clone, Debug)]
pub struct Log {
    /// The name of the run.
    pub run: String,
    /// The partition whose control program it is of.
    pub system: String,
    /// How long it was measured: all instants are since the start of that.
    pub length: Span,
    /// Means over all that was measured.
    pub mean: IntervalTotals,
    /// When each interval ended, and its totals; empty where there was one only, which is the mean.
    pub intervals: Vec<(Span, IntervalTotals)>,
    /// The notes on its origin, a line each.
    pub note: String,
}
