//! The measurement program inside a partition (RMF): its cycle, and the work that it competes with.

use super::{DISTRIBUTION, Key, Kind, Need, Table};

/// How often.
pub static CYCLE: Key = Key::new(
    "cycle",
    Kind::Span("50 ms", "9999 ms"),
    Need::Default("1 s", "RMF's own default is CYCLE(1000)"),
    "CYCLE: how far apart its timer pops, 50 to 9999 ms",
);
/// How far a pop strays.
pub static JITTER: Key = Key::new(
    "jitter",
    Kind::Span("0 us", "9999 ms"),
    Need::WorkedOut("100 ms, or the cycle where that is shorter; assumed: its clock is not in step with the slices"),
    "largest deviation of a sample from its time, at most a cycle",
)
.always();
/// The dispatching priority of its task.
pub static SAMPLER_PRIORITY: Key = Key::new(
    "priority",
    Kind::Count(0, 255),
    Need::Optional("it samples where the interrupt of its timer is handled, before any I/O interrupt"),
    "its dispatching priority: it samples as a task that competes with the guests of the partition",
);
/// The processor time of a sample.
pub static TAKES: Key = Key::new(
    "takes",
    Kind::Distribution(&DISTRIBUTION),
    Need::Default("0.1 ms", "assumed: what a sample takes of a processor is not published"),
    "processor time of a sample",
)
.beside(&["priority"]);

/// The measurement program.
pub static RMF: Table = Table {
    name: "rmf",
    doc: "the measurement program inside the partition, which samples queues when its partition lets it",
    keys: &[&CYCLE, &JITTER, &SAMPLER_PRIORITY, &TAKES],
    choices: &[],
    notes: true,
};
