//! When a run stops to look: the end of the warm-up, sampling instants, ends of intervals, in order.

use units::{Span, Tod};

/// Why a run stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The warm-up is over: counting starts.
    WarmUpEnd,
    /// Time to sample.
    Sample,
    /// An interval is over: its totals are due.
    IntervalEnd,
}

/// The stops of one replication: a warm-up, then intervals of equal length sampled at equal distances.
#[derive(Clone, Copy, Debug)]
pub struct Stops {
    warm_up: Span,
    interval: Span,
    intervals: u32,
    sample: Span,
    warmed_up: bool,
    ended: u32,
    sampled: u64,
}

impl Stops {
    /// Stops for `intervals` intervals after a warm-up; `sample` is the distance of samples within an interval.
    ///
    /// # Panics
    /// When the interval or the sampling distance is no time at all.
    pub fn new(warm_up: Span, interval: Span, intervals: u32, sample: Span) -> Self {
        assert!(!interval.is_zero() && !sample.is_zero(), "intervals and samples take time");
        Stops { warm_up, interval, intervals, sample, warmed_up: false, ended: 0, sampled: 0 }
    }

    /// Simulated time from the start to the last stop.
    pub fn total(&self) -> Span {
        self.warm_up + self.interval * u64::from(self.intervals)
    }
}

impl Iterator for Stops {
    type Item = (Tod, Stop);

    fn next(&mut self) -> Option<(Tod, Stop)> {
        let start = Tod::START + self.warm_up + self.interval * u64::from(self.ended);
        if !self.warmed_up {
            self.warmed_up = true;
            return Some((start, Stop::WarmUpEnd));
        }
        if self.ended == self.intervals {
            return None;
        }
        let into = self.sample * (self.sampled + 1);
        if into <= self.interval {
            self.sampled += 1;
            return Some((start + into, Stop::Sample));
        }
        self.ended += 1;
        self.sampled = 0;
        Some((start + self.interval, Stop::IntervalEnd))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stops_come_in_order() {
        let stops = Stops::new(Span::from_units(5), Span::from_units(10), 2, Span::from_units(5));
        let seen: Vec<(u64, Stop)> = stops.map(|(at, stop)| (at.units(), stop)).collect();
        let interval =
            |start: u64| [(start + 5, Stop::Sample), (start + 10, Stop::Sample), (start + 10, Stop::IntervalEnd)];
        assert_eq!(seen[0], (5, Stop::WarmUpEnd));
        assert_eq!(seen[1..4], interval(5));
        assert_eq!(seen[4..], interval(15));
    }
}
