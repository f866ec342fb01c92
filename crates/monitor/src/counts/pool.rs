//! The counts of an alias pool, in whole numbers.

use super::level::set;
use kernel::statistics::TimeAverage;
use units::Tod;

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

impl PoolCounts {
    pub fn reset(&mut self, now: Tod) {
        self.online.reset(now);
        self.free.reset(now);
        (self.tries, self.fails, self.water) = (0, 0, None);
    }
}

impl PoolCounts {
    pub fn varied(&mut self, now: Tod, online: u32, free: u32) {
        set(&mut self.online, now, online);
        set(&mut self.free, now, free);
    }

    #[inline(always)]
    pub fn tried(&mut self, now: Tod, free: u32) {
        self.tries += 1;
        if free == 0 {
            self.fails += 1;
        } else {
            self.free.change(now, -1);
        }
        self.water = Some(self.water.map_or((free, free), |(low, high)| (low.min(free), high.max(free))));
    }
}
