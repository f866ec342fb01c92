//! What is counted of a partition, in whole numbers.

use kernel::statistics::{Tally, TimeAverage};
use units::Tod;

/// Of a partition.
#[derive(Clone, Debug, Default)]
pub struct PartitionCounts {
    /// Processors enabled for I/O interrupts.
    pub enabled: TimeAverage,
    /// Samples that its own program took, by their delay, and those that it lost.
    pub samples: Tally,
    pub lost: u64,
}

impl PartitionCounts {
    pub fn reset(&mut self, now: Tod) {
        self.enabled.reset(now);
        (self.samples, self.lost) = (Tally::default(), 0);
    }
}
