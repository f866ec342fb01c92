//! How a scenario is measured: intervals, warm-up, replications, samples.

use super::{Key, Kind, Need, Table};

/// Length of an interval.
pub static INTERVAL: Key = Key::new(
    "interval",
    Kind::Span("1 ms", "365 d"),
    Need::Default("10 min", "the recording interval of the published DEVICE reports"),
    "length of each reported interval",
);
/// Number of intervals.
pub static INTERVALS: Key = Key::new(
    "intervals",
    Kind::Count(1, 10_000),
    Need::Default("1", "one report per run, like a published one"),
    "number of consecutive measured intervals",
);
/// The cut at the beginning.
pub static WARM_UP: Key = Key::new(
    "warm_up",
    Kind::SpanOr("auto"),
    Need::Default("auto", "the cut is found by MSER-5 over pilot runs"),
    "time simulated before measurement begins",
);
/// Independent runs.
pub static REPLICATIONS: Key = Key::new(
    "replications",
    Kind::Count(1, 10_000),
    Need::Default("10", "enough for a 95 % interval that is not dominated by Student's t"),
    "number of independent runs, from which half-widths are computed",
);
/// Distance of the control program's samples.
pub static SAMPLE: Key = Key::new(
    "sample",
    Kind::Span("1 ms", "365 d"),
    Need::WorkedOut("2 s, usual with the z/VM monitor, or the interval where that is shorter"),
    "interval at which the control program samples queues",
)
.always();

/// How a scenario is measured.
pub static MEASURE: Table = Table {
    name: "measure",
    doc: "length and number of measurements of the scenario",
    keys: &[&INTERVAL, &INTERVALS, &WARM_UP, &REPLICATIONS, &SAMPLE],
    choices: &[],
    notes: true,
};
