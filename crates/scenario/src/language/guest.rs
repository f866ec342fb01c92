//! Guests: how many there are or how they come, where they run, and that they run a program.

use super::{CGROUP, Choice, GROWTH, Key, Kind, NAME, Need, OF_CLASS, PARTITION, STEP, Table, VIRTUAL_MACHINE};

/// The most guests all groups together may have.
pub const MOST_GUESTS: u32 = 100_000;
/// Guests that other programs spawn.
pub const SPAWNED: &str = "spawned";
/// The most that come at one arrival.
pub const MOST_IN_BATCH: u32 = 1_000;

const OTHER: Need = Need::Optional("another is given");
const SINGLE: Need = Need::Optional("they arrive one at a time");

/// A closed population.
pub static COUNT: Key = Key::new(
    "count",
    Kind::Count(1, MOST_GUESTS),
    OTHER,
    "closed: number of guests, each of which starts over at the end of its program",
);
/// Open arrivals.
pub static ARRIVALS: Key = Key::new(
    "arrivals",
    Kind::Rate(0.000_001, 1_000_000.0),
    OTHER,
    "open: Poisson arrivals from outside, each running the program once",
);
/// Guests at each arrival.
pub static BATCH: Key = Key::new(
    "batch",
    Kind::Count(1, MOST_IN_BATCH),
    SINGLE,
    "guests per arrival; `arrivals` is then the rate of batches",
)
.beside(&["arrivals"]);
/// Mean number of guests at each arrival.
pub static BATCH_MEAN: Key = Key::new(
    "batch_mean",
    Kind::Number(1.0, MOST_IN_BATCH as f64),
    SINGLE,
    "mean number of guests per arrival: at least one, geometrically distributed",
)
.beside(&["arrivals"]);
/// Recorded arrivals.
pub static REPLAY: Key = Key::new(
    "replay",
    Kind::File,
    OTHER,
    "recorded: a file of I/Os, CSV or Parquet, each of which arrives at its time, is done and leaves",
);
/// Arrivals that others bring about.
pub static ARRIVES: Key = Key::new(
    "arrives",
    Kind::Word(&[SPAWNED]),
    OTHER,
    "spawned: whenever a program does a `spawn` of it, or an `exchange` with it, one more runs the program once",
);
/// Where they run.
pub static RUNS_IN: Key = Key::new(
    "partition",
    Kind::Refer(&PARTITION),
    Need::Optional("each computes at full speed on a processor of its own"),
    "the partition in which they run; their I/O goes to its volumes only",
);
/// The virtual machines in which they run.
pub static RUNS_IN_MACHINES: Key = Key::new(
    "virtual_machine",
    Kind::Refer(&VIRTUAL_MACHINE),
    Need::Optional("it runs in a partition, or on a processor of its own"),
    "the virtual machines in which they run, spread over those of the kind by turns; each that needs a processor takes a \
     virtual one",
);
/// The group in which they run.
pub static RUNS_IN_CGROUP: Key = Key::new(
    "cgroup",
    Kind::Refer(&CGROUP),
    Need::Optional("it is no thread: it runs in a partition, or on a processor of its own"),
    "the cgroup in which they run, each of them a thread",
);
/// How nice they are.
pub static NICE: Key = Key::new(
    "nice",
    Kind::Number(-20.0, 19.0),
    Need::Default("0", "the kernel's own default: threads of a group share it evenly"),
    "nice level of the threads: each step is a factor of 1.25 in weight beside the other threads of the group (Linux, \
     sched-nice-design)",
)
.beside(&["cgroup"]);
/// Where they may run.
pub static PINNED: Key = Key::new(
    "processor",
    Kind::Count(0, super::MOST_PROCESSORS - 1),
    Need::Optional("the threads run on any processor: their last one if it is idle, else an idle one"),
    "the one processor on which the threads may run, counted from zero (sched_setaffinity)",
)
.beside(&["cgroup"]);
/// The dispatching priority.
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
    "steps of each guest, in order",
)
.beside(&["count", "arrivals", "arrives"]);

/// A group of guests.
pub static GUEST: Table = Table {
    name: "guest",
    doc: "a group of guests that run the same program",
    keys: &[
        &NAME,
        &OF_CLASS,
        &RUNS_IN,
        &RUNS_IN_MACHINES,
        &RUNS_IN_CGROUP,
        &PRIORITY,
        &NICE,
        &PINNED,
        &COUNT,
        &ARRIVALS,
        &BATCH,
        &BATCH_MEAN,
        &GROWTH,
        &REPLAY,
        &ARRIVES,
        &PROGRAM,
    ],
    choices: &[
        Choice {
            keys: &[&RUNS_IN, &RUNS_IN_MACHINES, &RUNS_IN_CGROUP],
            needed: false,
            why: "a guest runs under the operating system of a partition, in a virtual machine of a control program, or as a thread",
        },
        Choice {
            keys: &[&COUNT, &ARRIVALS, &REPLAY, &ARRIVES],
            needed: true,
            why: "a population is closed (count), open (arrivals), recorded (replay) or spawned by others (arrives)",
        },
        Choice {
            keys: &[&BATCH, &BATCH_MEAN],
            needed: false,
            why: "batches are all of one size or geometrically distributed",
        },
    ],
    notes: true,
};
