//! What is counted of a resource, in whole numbers.

use kernel::statistics::{Tally, TimeAverage};
use units::{Span, Tod};

/// Of a resource.
#[derive(Clone, Debug, Default)]
pub struct ResourceCounts {
    pub queue: TimeAverage,
    pub in_use: TimeAverage,
    /// Waits of those who took one, of no time too.
    pub waits: Tally,
    pub holds: Tally,
}

impl ResourceCounts {
    pub fn taken(&mut self, now: Tod, waited: Option<Span>) {
        self.in_use.change(now, 1);
        if waited.is_some() {
            self.queue.change(now, -1);
        }
        self.waits.add(waited.unwrap_or(Span::ZERO));
    }

    pub fn given(&mut self, now: Tod, held: Span) {
        self.in_use.change(now, -1);
        self.holds.add(held);
    }

    pub fn reset(&mut self, now: Tod) {
        self.queue.reset(now);
        self.in_use.reset(now);
        (self.waits, self.holds) = (Tally::default(), Tally::default());
    }
}
