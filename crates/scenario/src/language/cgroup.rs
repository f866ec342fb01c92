//! Groups of threads as Linux limits them, under the names of the files that set them.

use super::{Key, Kind, NAME, Need, Table};

/// There is no limit.
pub const MAX: &str = "max";

/// Its limit.
pub static CPU_MAX: Key = Key::new(
    "cpu.max",
    Kind::Line,
    Need::Default(MAX, "the kernel's own default: a group without a limit"),
    "time that its threads may run, on all processors together, in each period: \"20 ms 100 ms\", or as in the file \"20000 \
     100000\", microseconds; a period that is not given is 100 ms; \"max\" is no limit (Linux, cgroup-v2)",
);
/// The most quota that it may save.
pub static CPU_MAX_BURST: Key = Key::new(
    "cpu.max.burst",
    Kind::Line,
    Need::Default("0", "the kernel's own default: what is not used is lost"),
    "unused quota that it may use later, at most: \"10 ms\", or as in the file \"10000\"; up to the quota (Linux, \
     cgroup-v2)",
);
/// Its weight.
pub static CPU_WEIGHT: Key = Key::new(
    "cpu.weight",
    Kind::Count(1, 10_000),
    Need::Default("100", "the kernel's own default"),
    "its share of a processor beside other groups that want it, over the sum of their weights (Linux, cgroup-v2)",
);
/// The cost of shared data.
pub static SHARED_DATA: Key = Key::new(
    "shared_data",
    Kind::Percent(100.0),
    Need::Optional("0 %: threads that run at the same time cost each other nothing"),
    "cost of data that all threads of the group write: their work takes this much longer for each other one that runs; \
     assumed of a load, since no source has it for all",
);
/// The same between chips.
pub static SHARED_DATA_FAR: Key = Key::new(
    "shared_data_far",
    Kind::Percent(100.0),
    Need::Optional("as `shared_data`: the distance does not matter"),
    "the same for each other one that runs on another chip of [topology] or `cec.machine`; other books are as far",
);

/// A group of threads.
pub static CGROUP: Table = Table {
    name: "cgroup",
    doc: "a group of threads under Linux, with what limits it",
    keys: &[&NAME, &CPU_MAX, &CPU_MAX_BURST, &CPU_WEIGHT, &SHARED_DATA, &SHARED_DATA_FAR],
    choices: &[],
    notes: true,
};
