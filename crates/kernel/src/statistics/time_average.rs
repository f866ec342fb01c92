//! The average over time of a whole-numbered level, such as the length of a queue.

use units::{Span, Tod};

/// A level, and the area under it since the last reset.
///
/// The area up to an instant is the level times that instant, less its changes each times its own instant.  A change
/// then adds or subtracts one number.
#[derive(Clone, Copy, Debug, Default)]
pub struct TimeAverage {
    level: u32,
    /// The changes so far, each times its instant; modulo 2^128, which the area fits in.
    changes: u128,
}

impl TimeAverage {
    /// Raises or lowers the level at an instant.
    #[inline(always)]
    pub fn change(&mut self, now: Tod, by: i32) {
        self.changes = self.changes.wrapping_add_signed(i128::from(now.units()) * i128::from(by));
        self.level = self.level.checked_add_signed(by).expect("a level never falls below zero");
    }

    /// The level now.
    pub fn level(&self) -> u32 {
        self.level
    }

    /// The area under the level from the last reset until an instant, in TOD-clock units times level.
    pub fn area(&self, now: Tod) -> u128 {
        (u128::from(now.units()) * u128::from(self.level)).wrapping_sub(self.changes)
    }

    /// The mean level over a span that ends at an instant and began at the last reset.
    pub fn mean(&self, now: Tod, over: Span) -> f64 {
        if over.is_zero() { 0.0 } else { self.area(now) as f64 / over.units() as f64 }
    }

    /// Starts a new area at an instant; the level stays.
    pub fn reset(&mut self, now: Tod) {
        self.changes = u128::from(now.units()) * u128::from(self.level);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_area_is_exact() {
        let at = Tod::from_units;
        let mut queue = TimeAverage::default();
        queue.change(at(10), 2);
        queue.change(at(30), -1);
        assert_eq!(queue.area(at(40)), 50);
        queue.reset(at(40));
        assert_eq!((queue.area(at(44)), queue.mean(at(44), Span::from_units(4))), (4, 1.0));
    }
}
