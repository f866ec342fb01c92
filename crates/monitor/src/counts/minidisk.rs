//! What is counted of a minidisk, in whole numbers.

use kernel::statistics::{Tally, TimeAverage};
use units::Tod;

/// Of a minidisk.
#[derive(Clone, Debug, Default)]
pub struct MinidiskCounts {
    pub queue: TimeAverage,
    /// Turns that were waited for.
    pub turns: Tally,
    pub avoided: Tally,
    pub through: Tally,
}

impl MinidiskCounts {
    pub fn reset(&mut self, now: Tod) {
        self.queue.reset(now);
        (self.turns, self.avoided, self.through) = (Tally::default(), Tally::default(), Tally::default());
    }
}
