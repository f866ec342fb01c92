//! What is counted for each part of the machine in one interval, in whole numbers.
//!
//! It leaves out rates and means, which are made at the end of the interval.

use crate::laws::ACTIVITIES;
use kernel::statistics::{Histogram, Tally, TimeAverage};
use machine::signal::{Service, Taken};
use units::{Span, Tod};

/// Sums of the parts of service, in TOD-clock units.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ServiceSums {
    /// I/Os ended.
    pub ended: u64,
    /// Pending.
    pub pend: u128,
    /// The part of pending in which the I/O was held.
    pub held: u128,
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
        if !service.held.is_zero() {
            self.held += u128::from(service.held.units());
        }
        self.disconnect += u128::from(service.disconnect.units());
        self.connect += u128::from(service.connect.units());
        self.connect_alone += u128::from(service.connect_alone.units());
    }

    pub fn merge(&mut self, other: &ServiceSums) {
        self.ended += other.ended;
        self.pend += other.pend;
        self.held += other.held;
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
    /// I/Os that have ended with an interrupt that was not handled.
    pub uncleared: TimeAverage,
    /// From the end of an I/O until its interrupt was handled.
    pub hold: Tally,
    /// One while another system has reserved it.
    pub reserved: TimeAverage,
    pub sampled: u64,
    pub base: u64,
    pub writes: u64,
    pub bytes: u64,
    pub avoided: u64,
    pub service: ServiceSums,
    pub response: Tally,
    pub responses: Histogram,
}

/// Of an alias pool.
#[derive(Clone, Debug, Default)]
pub struct PoolCounts {
    pub online: TimeAverage,
    pub free: TimeAverage,
    pub tries: u64,
    pub fails: u64,
    /// Fewest and most free aliases found at a try.
    pub water: Option<(u32, u32)>,
}

/// Of a partition.
#[derive(Clone, Debug, Default)]
pub struct PartitionCounts {
    /// Processors enabled for I/O interrupts.
    pub enabled: TimeAverage,
    /// Interrupts taken: that interrupted, and that a handler tested for.
    pub slih: u64,
    pub tpi: u64,
}

impl PartitionCounts {
    pub fn taken(&mut self, taken: Taken) {
        match taken {
            Taken::Slih => self.slih += 1,
            Taken::Tpi => self.tpi += 1,
        }
    }

    pub fn reset(&mut self, now: Tod) {
        self.enabled.reset(now);
        (self.slih, self.tpi) = (0, 0);
    }
}

/// Of a minidisk.
#[derive(Clone, Debug, Default)]
pub struct MinidiskCounts {
    pub queue: TimeAverage,
    /// Turns that were waited for.
    pub turns: Tally,
    pub avoided: Tally,
    pub through: Tally,
}

/// Of a group of guests.
#[derive(Clone, Debug, Default)]
pub struct GroupCounts {
    pub present: TimeAverage,
    pub cycles: u64,
    pub think: Tally,
    pub compute: Tally,
    pub turn: Tally,
    pub avoided: Tally,
    pub response: Tally,
}

impl GroupCounts {
    /// What the spans of those who are there add up to: [`crate::laws::ACTIVITIES`] in their order.
    pub fn spans(&self) -> [u128; ACTIVITIES] {
        [&self.think, &self.compute, &self.turn, &self.avoided, &self.response].map(Tally::sum)
    }
}

impl VolumeCounts {
    pub fn cleared(&mut self, now: Tod, span: Span) {
        self.uncleared.change(now, -1);
        self.hold.add(span);
    }

    pub fn reset(&mut self, now: Tod) {
        self.queue.reset(now);
        self.in_service.reset(now);
        self.responses.reset();
        self.uncleared.reset(now);
        self.hold = Tally::default();
        self.reserved.reset(now);
        (self.sampled, self.base, self.writes, self.bytes, self.avoided) = (0, 0, 0, 0, 0);
        self.service = ServiceSums::default();
        self.response = Tally::default();
    }
}

impl PoolCounts {
    pub fn reset(&mut self, now: Tod) {
        self.online.reset(now);
        self.free.reset(now);
        (self.tries, self.fails, self.water) = (0, 0, None);
    }
}

impl MinidiskCounts {
    pub fn reset(&mut self, now: Tod) {
        self.queue.reset(now);
        (self.turns, self.avoided, self.through) = (Tally::default(), Tally::default(), Tally::default());
    }
}

impl GroupCounts {
    pub fn reset(&mut self, now: Tod) {
        self.present.reset(now);
        self.cycles = 0;
        for tally in [&mut self.think, &mut self.compute, &mut self.turn, &mut self.avoided, &mut self.response] {
            *tally = Tally::default();
        }
    }
}
