//! Guests and the programs they run: steps that think, compute, do I/O and repeat.
//!
//! It leaves out where an I/O goes, and locks and messages, which no mechanism of this version has.

use super::{Choice, DISTRIBUTION, IO_TABLE, Key, Kind, NAME, Need, PARTITION, Table};

/// The most guests all groups together may have.
pub const MOST_GUESTS: u32 = 100_000;
/// The most that come at one arrival.
pub const MOST_IN_BATCH: u32 = 1_000;

const OTHER: Need = Need::Optional("another is given");
const SINGLE: Need = Need::Optional("they arrive one at a time");
const OTHER_STEP: Need = Need::Optional("it is another kind of step");

/// A closed population.
pub static COUNT: Key = Key::new(
    "count",
    Kind::Count(1, MOST_GUESTS),
    OTHER,
    "closed: how many guests are always there, each starting over at the end of its program",
);
/// Open arrivals.
pub static ARRIVALS: Key = Key::new(
    "arrivals",
    Kind::Rate(0.000_001, 1_000_000.0),
    OTHER,
    "open: Poisson arrivals from outside, each running the program once",
);
/// So many at each arrival.
pub static BATCH: Key = Key::new(
    "batch",
    Kind::Count(1, MOST_IN_BATCH),
    SINGLE,
    "how many come at each arrival; `arrivals` then says how often a batch comes",
)
.beside(&["arrivals"]);
/// So many at each arrival on average.
pub static BATCH_MEAN: Key = Key::new(
    "batch_mean",
    Kind::Number(1.0, MOST_IN_BATCH as f64),
    SINGLE,
    "how many come at each arrival on average: one at least, geometrically distributed",
)
.beside(&["arrivals"]);
/// Recorded arrivals.
pub static REPLAY: Key = Key::new(
    "replay",
    Kind::File,
    OTHER,
    "recorded: a file of I/Os, CSV or Parquet, each of which arrives at its time, is done and leaves",
);
/// Where they run.
pub static RUNS_IN: Key = Key::new(
    "partition",
    Kind::Refer(&PARTITION),
    Need::Optional("each computes at full speed on a processor of its own"),
    "the partition in which they run; their I/O goes to its volumes only",
);
/// Who goes first.
pub static PRIORITY: Key = Key::new(
    "priority",
    Kind::Count(0, 255),
    Need::Default("0", "all in a partition are equal: first come, first served"),
    "dispatching priority in the partition: the higher number goes first, and takes a processor from a lower one",
)
.beside(&["partition"]);
/// The program.
pub static PROGRAM: Key = Key::new(
    "program",
    Kind::Steps(&STEP),
    Need::Required("a guest without a program does nothing"),
    "what each guest does, in order",
)
.beside(&["count", "arrivals"]);

/// A group of guests.
pub static GUEST: Table = Table {
    name: "guest",
    doc: "a group of guests that run the same program",
    keys: &[&NAME, &RUNS_IN, &PRIORITY, &COUNT, &ARRIVALS, &BATCH, &BATCH_MEAN, &REPLAY, &PROGRAM],
    choices: &[
        Choice {
            keys: &[&COUNT, &ARRIVALS, &REPLAY],
            needed: true,
            why: "a population is closed (count), open (arrivals) or recorded (replay)",
        },
        Choice {
            keys: &[&BATCH, &BATCH_MEAN],
            needed: false,
            why: "batches are all of one size or geometrically distributed",
        },
    ],
    notes: true,
};

/// Let time pass.
pub static THINK: Key =
    Key::new("think", Kind::Distribution(&DISTRIBUTION), OTHER_STEP, "let time pass without using anything");
/// Use the processor.
pub static COMPUTE: Key = Key::new(
    "compute",
    Kind::Distribution(&DISTRIBUTION),
    OTHER_STEP,
    "use a processor: the guest's own, or those of its partition",
);
/// Do an I/O.
pub static IO: Key = Key::new("io", Kind::Table(&IO_TABLE), OTHER_STEP, "do one I/O and wait for its end");
/// Repeat steps.
pub static REPEAT: Key = Key::new("repeat", Kind::Count(1, 1_000_000), OTHER_STEP, "do the steps so many times");
/// What is repeated.
pub static STEPS: Key = Key::new(
    "steps",
    Kind::Steps(&STEP),
    Need::Required("something has to be repeated"),
    "what is repeated; repeats nest three deep at most",
)
.beside(&["repeat"]);

/// A step of a program.
pub static STEP: Table = Table {
    name: "step",
    doc: "one step of a program",
    keys: &[&THINK, &COMPUTE, &IO, &REPEAT, &STEPS],
    choices: &[Choice { keys: &[&THINK, &COMPUTE, &IO, &REPEAT], needed: true, why: "a step does one thing" }],
    notes: true,
};
