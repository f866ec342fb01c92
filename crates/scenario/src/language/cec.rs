//! The processors of the machine, and how the partitions that share them take turns.
//!
//! It leaves out the partitions, which have a file of their own, and every rule but that of fixed slices (580/MDF).

use super::{Choice, Key, Kind, Need, Table};

/// The most processors, physical ones of a machine and logical ones of a partition.
pub const MOST_PROCESSORS: u32 = 256;

/// All shared processors go to one partition at a time.
pub const TOGETHER: &str = "together";
/// Each is a turn ahead of the one before it.
pub const APART: &str = "apart";

const OTHER: Need = Need::Optional("the other says how long a slice is");

/// Physical processors.
pub static PROCESSORS: Key = Key::new(
    "processors",
    Kind::Count(1, MOST_PROCESSORS),
    Need::Required("partitions share a number of them"),
    "how many physical processors there are, those of dedicated partitions included",
);
/// The scheduling parameter.
pub static SCHEDULING_PARAMETER: Key = Key::new(
    "scheduling_parameter",
    Kind::Count(1, 5),
    OTHER,
    "SCHEDULING PARAMETER of the System Scheduling screen (figure 3): the slice of an equal share is 35 - 5 x this ms, \
     30 at 1 and 10 at 5 (Partitioning Large Processors, 7.0)",
);
/// The slice.
pub static SLICE: Key = Key::new(
    "slice",
    Kind::Span("10 us", "1 h"),
    OTHER,
    "the slice of an equal share, where no scheduling parameter gives it",
);
/// Whether processors are given together.
pub static DISPATCHING: Key = Key::new(
    "dispatching",
    Kind::Word(&[TOGETHER, APART]),
    Need::Default(TOGETHER, "without it slices would make no difference: some processor would always be there"),
    "whether all shared processors go to one partition at a time, or each is a turn ahead of the one before it",
);
/// What a switch takes.
pub static SWITCH: Key = Key::new(
    "switch",
    Kind::Span("0 us", "1 s"),
    Need::Default("0 ms", "the source says that switches cost, not how much"),
    "what switching a processor to a partition takes, off the beginning of that partition's slice",
);

/// The processors.
pub static CEC: Table = Table {
    name: "cec",
    doc: "the central electronic complex: the processors that partitions share, in slices of fixed length, in turn",
    keys: &[&PROCESSORS, &SCHEDULING_PARAMETER, &SLICE, &DISPATCHING, &SWITCH],
    choices: &[Choice {
        keys: &[&SCHEDULING_PARAMETER, &SLICE],
        needed: true,
        why: "the length of a slice comes from the scheduling parameter or is given, not both",
    }],
    notes: true,
};
