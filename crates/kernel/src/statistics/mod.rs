//! What is counted while a model runs: levels over time, tallies of spans, histograms with quantiles, and where the
//! warm-up ends.

mod histogram;
mod tally;
mod time_average;
mod warm_up;

pub use histogram::Histogram;
pub use tally::{Tally, mean_ms};
pub use time_average::TimeAverage;
pub use warm_up::mser5;
