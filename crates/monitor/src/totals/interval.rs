//! Counts of an interval made into totals: rates, means and shares, row by row.

use crate::counts::monitor::Monitor;
use crate::laws::UnderWay;
use kernel::statistics::{Histogram, Tally, mean_ms};
use machine::channel::exposure::ExposureState;
use machine::plan::Plan;
use measures::{ContentionRow, Figure, IntervalTotals};
use units::{Span, Tod};

/// An interval that is over, with all that its totals are made from.
pub struct Interval<'a> {
    /// The machine.
    pub plan: &'a Plan,
    /// Its exposures.
    pub exposures: &'a [ExposureState],
    /// The counts.
    pub counts: &'a Monitor,
    /// When the first interval started.
    pub origin: Tod,
    /// When it ended.
    pub end: Tod,
    /// How long it lasted.
    pub length: Span,
    /// Events in it.
    pub events: u64,
    /// Requests under way at its start and its end.
    pub under_way: (&'a UnderWay, &'a UnderWay),
    /// Holders and waiters of contended resources at its end.
    pub contention: Vec<ContentionRow>,
}

impl Interval<'_> {
    /// Its totals, under a name.
    pub fn totals(&self, name: &str) -> IntervalTotals {
        let mut totals = IntervalTotals::new(name, self.length);
        totals.samples = self.counts.samples;
        totals.volumes = self.volumes();
        totals.devices = self.devices();
        totals.pools = self.pools();
        totals.channels = self.channels();
        totals.control_units = self.control_units();
        totals.minidisks = self.minidisks();
        totals.resources = self.resources();
        totals.enqueues = self.enqueues();
        totals.serialization = self.serialization();
        totals.front_ends = self.front_ends();
        totals.partitions = self.partitions();
        totals.logical_processors = self.logical_processors();
        totals.online_processors = self.online_processors();
        totals.lpar_groups = self.lpar_groups();
        totals.cgroups = self.cgroups();
        totals.threads = self.threads();
        totals.thread_locks = self.thread_locks();
        self.control(&mut totals);
        totals.spin_locks = self.spin_locks();
        totals.contention = self.contention.clone();
        totals.guests = self.guests();
        totals.processors = self.processors();
        totals.system = self.system();
        totals
    }

    /// How much is in the system on average: requests that wait or are in service, virtual processors with something to do.
    pub(crate) fn inside(&self) -> f64 {
        let system = self.system();
        let dispatched: u128 = self.counts.control.virtuals.iter().map(|own| u128::from(own.inside(self.end))).sum();
        system.queue_depth.value + system.in_service.value + self.share(dispatched).value
    }

    pub(super) fn per_s(&self, count: u64) -> Figure {
        Figure::exact(count as f64 / self.length.seconds())
    }

    pub(super) fn share(&self, spans: u128) -> Figure {
        Figure::exact(spans as f64 / self.length.units() as f64)
    }
}

/// A quotient; of nothing there is none.
pub(super) fn ratio(part: f64, whole: f64) -> Figure {
    if whole == 0.0 { Figure::UNKNOWN } else { Figure::exact(part / whole) }
}

/// The mean of spans in ms by their sum and their number; where none ended there is none, and 0 would be a wrong one.
pub(super) fn mean(sum: u128, count: u64) -> Figure {
    if count == 0 { Figure::UNKNOWN } else { Figure::exact(mean_ms(sum, count)) }
}

/// The same in us.
pub(super) fn mean_us(sum: u128, count: u64) -> Figure {
    if count == 0 { Figure::UNKNOWN } else { Figure::exact(1e3 * mean_ms(sum, count)) }
}

/// The mean of what was tallied, in ms.
pub(super) fn mean_of(tally: &Tally) -> Figure {
    mean(tally.sum(), tally.count())
}

/// The span in ms that a share of those in a histogram do not exceed; none where it is empty.
pub(super) fn quantile(histogram: &Histogram, share: f64) -> Figure {
    histogram.quantile(share).map_or(Figure::UNKNOWN, |span| Figure::exact(span.ms()))
}
