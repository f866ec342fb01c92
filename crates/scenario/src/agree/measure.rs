//! How a scenario is measured: samples within intervals, and no more than a year of simulated time.
//!
//! It leaves out whether that is long enough for a good estimate.

use crate::check::YEAR;
use crate::language::{INTERVAL, INTERVALS, MEASURED, SAMPLE, WARM_UP};
use crate::problems::Problems;
use crate::resolved::Table;
use units::{Problem, Span};

/// Checks both.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    let Some(measure) = root.table(&MEASURED) else { return };
    let Some(interval) = measure.span(&INTERVAL) else { return };
    if let Some(sample) = measure.span(&SAMPLE).filter(|sample| *sample > interval) {
        let key = if measure.entry(&SAMPLE).is_some_and(|entry| entry.at == crate::text::At::Nowhere) {
            &INTERVAL
        } else {
            &SAMPLE
        };
        let problem = Problem::new(format!("samples {sample} apart in intervals of {interval}"))
            .key(measure.path(key))
            .because("an interval without a sample has no queue depth as sampled")
            .allowed(["sample up to the length of the interval"]);
        problems.add(measure.at(key), problem);
    }
    let Some(intervals) = measure.count(&INTERVALS) else { return };
    let warm_up = measure.span(&WARM_UP).unwrap_or(Span::ZERO);
    // In 128 bits: 10,000 intervals of a year are beyond the TOD clock.
    let total = u128::from(interval.units()) * u128::from(intervals) + u128::from(warm_up.units());
    if total > u128::from(YEAR.units()) {
        let problem = Problem::new(format!("{intervals} intervals of {interval} and the warm-up are more than a year"))
            .key(measure.path(&INTERVALS))
            .because("no scenario runs that long")
            .allowed(["up to 365 d of simulated time"]);
        problems.add(measure.at(&INTERVAL), problem);
    }
}
