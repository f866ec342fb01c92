//! Levels that are set to a height.

use kernel::statistics::TimeAverage;
use units::Tod;

/// A level that is so high from the start.
pub fn level(height: u32) -> TimeAverage {
    let mut level = TimeAverage::default();
    set(&mut level, Tod::START, height);
    level
}

/// From now on the level is so high.
pub fn set(level: &mut TimeAverage, now: Tod, height: u32) {
    level.change(now, height.cast_signed() - level.level().cast_signed());
}
