//! What is counted of a front end, in whole numbers.

use kernel::statistics::{Tally, TimeAverage};
use machine::signal::Way;
use units::{Span, Tod};

/// Of a front end: messages in and messages out.
#[derive(Clone, Debug, Default)]
pub struct FrontEndCounts {
    pub queues: [TimeAverage; 2],
    /// Waits until the I/O started.
    pub waits: [Tally; 2],
}

impl FrontEndCounts {
    pub fn taken(&mut self, way: Way, now: Tod, waited: Span) {
        self.queues[way.index()].change(now, -1);
        self.waits[way.index()].add(waited);
    }

    pub fn reset(&mut self, now: Tod) {
        self.queues.iter_mut().for_each(|queue| queue.reset(now));
        self.waits = Default::default();
    }
}
