//! A count of spans and their exact sum.

use units::Span;

/// How many spans, and how long together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    count: u64,
    sum: u128,
}

impl Tally {
    /// Adds a span.
    #[inline]
    pub fn add(&mut self, span: Span) {
        self.count += 1;
        self.sum += u128::from(span.units());
    }

    /// How many were added.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Their sum in TOD-clock units.
    pub fn sum(&self) -> u128 {
        self.sum
    }

    /// Their mean in ms; zero when there were none.
    pub fn mean_ms(&self) -> f64 {
        mean_ms(self.sum, self.count)
    }
}

/// The mean in ms of this many spans with a given sum in TOD-clock units.
pub fn mean_ms(sum: u128, count: u64) -> f64 {
    if count == 0 { 0.0 } else { sum as f64 / count as f64 / Span::from_ms(1).units() as f64 }
}
