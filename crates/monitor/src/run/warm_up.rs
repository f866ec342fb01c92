//! How much of a run to cut before counting: MSER-5 over the mean of a few pilot replications.

use super::experiment::{Watch, on_threads};
use super::replication::{Failure, Measurement, observe};
use crate::counts::counting::Counting;
use kernel::draw::Streams;
use kernel::statistics::mser5;
use machine::plan::Plan;
use units::{Span, Tod};

/// A warm-up that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WarmUp {
    /// The cut.
    pub cut: Span,
    /// Whether the pilots settled; if not, half of their length is cut and a longer run is wanted.
    pub settled: bool,
}

const PILOTS: u64 = 4;
const OBSERVATIONS: u32 = 500;
/// Pilots have numbers that no replication has.
const FIRST_PILOT: u64 = 1 << 32;

/// The warm-up for intervals of a given length, cut by MSER-5.  Pilots of a quarter of the interval each are observed
/// 500 times, and averaged.  Observed is the number in the control program (waiting and in service; busy virtual
/// processors). Stated changes and recorded arrivals come after the warm-up, so pilots have none.  They simulate one
/// interval between them, on this many threads, which change nothing.
///
/// # Errors
/// See [`Failure`]; that of the lowest-numbered pilot that failed.
pub fn settle(plan: &Plan, seed: u64, interval: Span, threads: usize, watch: &Watch) -> Result<WarmUp, Failure> {
    let step = Span::from_units((interval.units() / 4 / u64::from(OBSERVATIONS)).max(1));
    let measurement = Measurement { warm_up: Span::ZERO, interval: step, intervals: OBSERVATIONS, sample: step };
    let plan = &plan.before_anything_stated();
    let pilots = on_threads(FIRST_PILOT..FIRST_PILOT + PILOTS, threads, |pilot| {
        let streams = Streams::new(seed, pilot);
        let mut reached = Tod::START;
        let go_on = |now: Tod| watch.passed(std::mem::replace(&mut reached, now), now);
        let made =
            observe(plan, (&streams, Counting::of_intervals(plan)), &measurement, |interval| interval.inside(), go_on)?;
        Ok(made.intervals)
    });
    let mut series = vec![0.0; OBSERVATIONS as usize];
    for pilot in pilots {
        for (sum, inside) in series.iter_mut().zip(pilot?) {
            *sum += inside;
        }
    }
    let cut = mser5(&series);
    let observations = cut.map_or(u64::from(OBSERVATIONS) / 2, |cut| cut as u64);
    Ok(WarmUp { cut: step * observations, settled: cut.is_some() })
}
