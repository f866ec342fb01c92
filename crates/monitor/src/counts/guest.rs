//! What is counted of a group of guests, in whole numbers.

use kernel::statistics::{Histogram, Tally, TimeAverage};
use units::Tod;

/// What a requester who is there can be doing.
pub(crate) const ACTIVITIES: usize = 9;

/// Of a group of guests.
#[derive(Clone, Debug, Default)]
pub struct GroupCounts {
    pub present: TimeAverage,
    pub cycles: Histogram,
    pub think: Tally,
    pub compute: Tally,
    pub turn: Tally,
    pub avoided: Tally,
    pub response: Tally,
    pub resource: Tally,
    pub message: Tally,
    /// Spinning for spin locks that somebody had.
    pub spin: Tally,
    /// Having another group answer.
    pub exchange: Tally,
}

impl GroupCounts {
    /// What the spans of those who are there add up to: [`ACTIVITIES`] in their order.
    pub fn spans(&self) -> [u128; ACTIVITIES] {
        let waits = [&self.turn, &self.avoided, &self.response, &self.resource, &self.message];
        let [turn, avoided, response, resource, message] = waits.map(Tally::sum);
        let [think, compute, spin, exchange] = [&self.think, &self.compute, &self.spin, &self.exchange].map(Tally::sum);
        [think, compute, turn, avoided, response, resource, message, spin, exchange]
    }
}

impl GroupCounts {
    pub fn reset(&mut self, now: Tod) {
        self.present.reset(now);
        self.cycles.reset();
        for tally in [&mut self.think, &mut self.compute, &mut self.turn, &mut self.avoided, &mut self.response] {
            *tally = Tally::default();
        }
        (self.resource, self.message) = (Tally::default(), Tally::default());
        (self.spin, self.exchange) = (Tally::default(), Tally::default());
    }
}
