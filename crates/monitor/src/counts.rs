//! What is counted for each part of the machine in one interval, in whole numbers.
//!
//! It leaves out rates and means, which are made at the end of the interval.

use kernel::statistics::{Histogram, Tally, TimeAverage};
use machine::signal::Service;
use units::Tod;

/// Sums of the parts of service, in TOD-clock units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServiceSums {
    /// I/Os ended.
    pub ended: u64,
    /// Pending.
    pub pend: u128,
    /// Disconnected.
    pub disconnect: u128,
    /// Connected.
    pub connect: u128,
    /// Connected, had each been alone.
    pub connect_alone: u128,
}

impl ServiceSums {
    #[inline]
    pub fn add(&mut self, service: &Service) {
        self.ended += 1;
        self.pend += u128::from(service.pend.units());
        self.disconnect += u128::from(service.disconnect.units());
        self.connect += u128::from(service.connect.units());
        self.connect_alone += u128::from(service.connect_alone.units());
    }

    pub fn merge(&mut self, other: &ServiceSums) {
        self.ended += other.ended;
        self.pend += other.pend;
        self.disconnect += other.disconnect;
        self.connect += other.connect;
        self.connect_alone += other.connect_alone;
    }

    pub fn total(&self) -> u128 {
        self.pend + self.disconnect + self.connect
    }
}

/// Of a volume.
#[derive(Clone, Debug, Default)]
pub struct VolumeCounts {
    pub queue: TimeAverage,
    pub in_service: TimeAverage,
    pub sampled: u64,
    pub base: u64,
    pub service: ServiceSums,
    pub response: Tally,
    pub responses: Histogram,
}

/// Of an alias pool.
#[derive(Clone, Debug, Default)]
pub struct PoolCounts {
    pub free: TimeAverage,
    pub tries: u64,
    pub fails: u64,
    /// Fewest and most free aliases found at a try.
    pub water: Option<(u32, u32)>,
}

/// Of a group of guests.
#[derive(Clone, Debug, Default)]
pub struct GroupCounts {
    pub present: TimeAverage,
    pub cycles: u64,
    pub think: Tally,
    pub compute: Tally,
    pub response: Tally,
}

impl VolumeCounts {
    pub fn reset(&mut self, now: Tod) {
        self.queue.reset(now);
        self.in_service.reset(now);
        self.responses.reset();
        (self.sampled, self.base) = (0, 0);
        self.service = ServiceSums::default();
        self.response = Tally::default();
    }
}

impl PoolCounts {
    pub fn reset(&mut self, now: Tod) {
        self.free.reset(now);
        (self.tries, self.fails, self.water) = (0, 0, None);
    }
}

impl GroupCounts {
    pub fn reset(&mut self, now: Tod) {
        self.present.reset(now);
        self.cycles = 0;
        (self.think, self.compute, self.response) = (Tally::default(), Tally::default(), Tally::default());
    }
}
