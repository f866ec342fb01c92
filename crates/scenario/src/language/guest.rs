//! Guests and the programs they run: steps that think, compute, do I/O and repeat.
//!
//! It leaves out locks, messages and processors shared with others, which no mechanism of this version has.

use super::{Choice, DISTRIBUTION, Key, Kind, NAME, Need, Table, VOLUME};

/// The most guests all groups together may have.
pub const MOST_GUESTS: u32 = 100_000;

const OTHER: Need = Need::Optional("the other is given");
const OTHER_STEP: Need = Need::Optional("it is another kind of step");
const OTHER_CHOICE: Need = Need::Optional("the volume is chosen in another way");

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
/// The program.
pub static PROGRAM: Key = Key::new(
    "program",
    Kind::Steps(&STEP),
    Need::Required("a guest without a program does nothing"),
    "what each guest does, in order",
);

/// A group of guests.
pub static GUEST: Table = Table {
    name: "guest",
    doc: "a group of guests that run the same program",
    keys: &[&NAME, &COUNT, &ARRIVALS, &PROGRAM],
    choice: Some(Choice {
        keys: &[&COUNT, &ARRIVALS],
        needed: true,
        why: "a population is closed (count) or open (arrivals)",
    }),
    notes: true,
};

/// Let time pass.
pub static THINK: Key =
    Key::new("think", Kind::Distribution(&DISTRIBUTION), OTHER_STEP, "let time pass without using anything");
/// Use the processor.
pub static COMPUTE: Key =
    Key::new("compute", Kind::Distribution(&DISTRIBUTION), OTHER_STEP, "use the guest's own processor");
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
    choice: Some(Choice { keys: &[&THINK, &COMPUTE, &IO, &REPEAT], needed: true, why: "a step does one thing" }),
    notes: true,
};

/// Always this volume.
pub static ONE: Key = Key::new("volume", Kind::Refer(&VOLUME), OTHER_CHOICE, "always this volume");
/// Each equally likely.
pub static ANY: Key = Key::new("uniform", Kind::Refers(&VOLUME), OTHER_CHOICE, "each of these volumes equally likely");
/// Each with its weight.
pub static WEIGHTED: Key =
    Key::new("weighted", Kind::Weights(&VOLUME), OTHER_CHOICE, "each of these volumes with its weight");

/// The smallest and the largest weight of a volume.
pub const WEIGHTS: (f64, f64) = (1e-6, 1e9);

/// Which volume an I/O goes to.
pub static IO_TABLE: Table = Table {
    name: "io",
    doc: "which volume an I/O goes to",
    keys: &[&ONE, &ANY, &WEIGHTED],
    choice: Some(Choice { keys: &[&ONE, &ANY, &WEIGHTED], needed: true, why: "an I/O chooses its volume in one way" }),
    notes: true,
};
