//! How a scenario is measured: a sample in every interval at least, and no more than a year of simulated time.

use super::worked_out;
use crate::check::YEAR;
use crate::language::{INTERVAL, INTERVALS, Key, MEASURED, SAMPLE, WARM_UP};
use crate::problems::Problems;
use crate::resolved::Table;
use crate::text::At;
use units::{Problem, Span};

/// Samples every 2 s by default, and at least once an interval.
pub fn work_out_sample(root: &mut Table) {
    if let Some(measure) = root.table_mut(&MEASURED) {
        worked_out::span(measure, &SAMPLE, "2 s", &INTERVAL);
    }
}

/// Checks both.
pub fn check(root: &Table, problems: &mut Problems<'_>) {
    let Some(measure) = root.table(&MEASURED) else { return };
    let Some(interval) = measure.span(&INTERVAL) else { return };
    let text = |key| measure.span_text(key).unwrap_or_default();
    if measure.span(&SAMPLE).is_some_and(|sample| sample > interval) {
        let key = written(measure, [&SAMPLE, &INTERVAL]);
        let problem = Problem::new(format!("samples {} apart in intervals of {}", text(&SAMPLE), text(&INTERVAL)))
            .key(measure.path(key))
            .because("an interval without a sample has no queue depth as sampled")
            .allowed(["sample up to the length of the interval"]);
        problems.add(measure.at(key), problem);
    }
    let Some(intervals) = measure.count(&INTERVALS) else { return };
    let warm_up = measure.span(&WARM_UP).unwrap_or(Span::ZERO);
    // In 128 bits: 10,000 intervals of a year are beyond the TOD clock.
    let total = u128::from(interval.units()) * u128::from(intervals) + u128::from(warm_up.units());
    let year: Span = YEAR.parse().expect("a year is a span");
    if total > u128::from(year.units()) {
        let what = format!("{intervals} intervals of {} and the warm-up are more than a year", text(&INTERVAL));
        let key = written(measure, [&INTERVALS, &INTERVAL]);
        let problem = Problem::new(what)
            .key(measure.path(key))
            .because("no scenario runs that long")
            .allowed(["up to 365 d of simulated time"]);
        problems.add(measure.at(key), problem);
    }
}

/// The first of two keys, unless that is a default, which the user did not write.
fn written(measure: &Table, [first, second]: [&'static Key; 2]) -> &'static Key {
    if measure.at(first) == At::Nowhere { second } else { first }
}
