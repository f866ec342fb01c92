//! Totals of alias pools.

use super::interval::{Interval, ratio};
use measures::{Figure, PoolTotals};

impl Interval<'_> {
    pub(super) fn pools(&self) -> Vec<PoolTotals> {
        let rows = self.plan.alias_pools.iter().zip(&self.counts.pools);
        rows.map(|(plan, counts)| {
            // Without a try nothing was found free or taken: the level is then what would have been found.
            let (low, high) = counts.water.unwrap_or((counts.free.level(), counts.free.level()));
            PoolTotals {
                pool: plan.name.clone(),
                aliases: Figure::exact(counts.online.mean(self.end, self.length)),
                tries: Figure::exact(counts.tries as f64),
                fails: Figure::exact(counts.fails as f64),
                fails_per_try: ratio(counts.fails as f64, counts.tries as f64),
                low_water: Figure::exact(f64::from(low)),
                high_water: Figure::exact(f64::from(high)),
                free_mean: Figure::exact(counts.free.mean(self.end, self.length)),
                channel_busy_percent: Figure::UNKNOWN,
            }
        })
        .collect()
    }
}
