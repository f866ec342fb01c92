//! The counts of a volume, and of the service of I/Os, in whole numbers.

use kernel::statistics::{Histogram, Tally, TimeAverage};
use machine::signal::Service;
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

impl VolumeCounts {
    /// The I/O of a requester took so long.
    #[inline(always)]
    pub fn responded(&mut self, span: Span) {
        self.response.add(span);
        self.responses.add(span);
    }

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
