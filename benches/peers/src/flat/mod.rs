//! Flat loops: each model as short as it can be written by hand, without statistics.  They are the limit of the engine.
//!
//! Every entity has one pending event, a leaf of a tournament tree.  State is arrays of small integers.

pub mod closed;
pub mod dispatch;
mod queue;
mod tree;

use rand::Rng;
use rand::rngs::SmallRng;
use rand_distr::Exp1;

/// Ticks per simulated second: those of the engine.
const TICKS: f64 = 4096e6;

/// An exponential span in ticks.
#[inline(always)]
fn exponential(random: &mut SmallRng, mean_s: f64) -> u64 {
    let unit: f64 = random.sample(Exp1);
    (unit * (mean_s * TICKS)) as i64 as u64
}
