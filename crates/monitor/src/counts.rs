//! The counts of each part of the machine in one interval, in whole numbers.

use crate::laws::ACTIVITIES;
use kernel::statistics::{Histogram, Tally, TimeAverage};
use machine::signal::{Service, Way};
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
    /// The same, over the samples of its partition's own program.
    pub sampled_inside: u64,
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

/// Of a resource.
#[derive(Clone, Debug, Default)]
pub struct ResourceCounts {
    pub queue: TimeAverage,
    pub in_use: TimeAverage,
    /// Waits of those that took one, waits of zero included.
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
    pub cycles: Histogram,
    pub think: Tally,
    pub compute: Tally,
    pub turn: Tally,
    pub avoided: Tally,
    pub response: Tally,
    pub resource: Tally,
    pub message: Tally,
    /// Spinning for spin locks that were held.
    pub spin: Tally,
    /// Having another group answer.
    pub exchange: Tally,
}

impl GroupCounts {
    /// The sums of the spans of present requesters: [`crate::laws::ACTIVITIES`] in their order.
    pub fn spans(&self) -> [u128; ACTIVITIES] {
        let waits = [&self.turn, &self.avoided, &self.response, &self.resource, &self.message];
        let [turn, avoided, response, resource, message] = waits.map(Tally::sum);
        let [think, compute, spin, exchange] = [&self.think, &self.compute, &self.spin, &self.exchange].map(Tally::sum);
        [think, compute, turn, avoided, response, resource, message, spin, exchange]
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
        (self.sampled, self.sampled_inside) = (0, 0);
        (self.base, self.writes, self.bytes, self.avoided) = (0, 0, 0, 0);
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
        self.cycles.reset();
        for tally in [&mut self.think, &mut self.compute, &mut self.turn, &mut self.avoided, &mut self.response] {
            *tally = Tally::default();
        }
        (self.resource, self.message) = (Tally::default(), Tally::default());
        (self.spin, self.exchange) = (Tally::default(), Tally::default());
    }
}
