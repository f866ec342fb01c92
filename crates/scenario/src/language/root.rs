//! The scenario as a whole, and the document that its numbers come from.

use super::{
    ALIAS_POOL, CEC, CGROUP, CHANGE, CHANNEL, CLASS, CONTROL_UNIT, ENQUEUE, FIT, FRONT_END, GUEST, Key, Kind,
    LPAR_GROUP, MEASURE, MINIDISK, NETWORK, Need, OPEN, PAGING, PARTITION, PURCHASE, READING, RESOURCE, SERIALIZATION,
    SPIN_LOCK, SWEEP, THREAD_LOCK, TOPOLOGY, Table, VIRTUAL_MACHINE, VOLUME,
};

/// The name of the scenario.
pub static TITLE: Key = Key::new(
    "name",
    Kind::Line,
    Need::Required("results and reports carry the name of their scenario"),
    "name of the scenario in results",
);
/// Where the numbers come from.
pub static SOURCE: Key = Key::new(
    "source",
    Kind::Table(&SOURCE_TABLE),
    Need::Optional("numbers without a note come from nowhere, which is a warning"),
    "where the numbers come from; covers every number that no nearer note covers",
);
/// How it is measured.
pub static MEASURED: Key =
    Key::new("measure", Kind::Table(&MEASURE), Need::Defaults, "length and number of measurements");
/// The processors.
pub static SHARED_PROCESSORS: Key = Key::new(
    "cec",
    Kind::Table(&CEC),
    Need::Optional("there are no partitions: each guest computes at full speed on a processor of its own"),
    "the processors that partitions share",
);
/// How its cores lie.
pub static LAID_OUT: Key = Key::new(
    "topology",
    Kind::Table(&TOPOLOGY),
    Need::Optional("that of `cec.machine`; without it distances and caches do not matter"),
    "arrangement of the cores and the caches that they share",
);
/// Partitions.
pub static PARTITIONS: Key = Key::new(
    "partition",
    Kind::Named(&PARTITION),
    Need::Optional(
        "each guest computes at full speed on a processor of its own, and an I/O that ends is noticed at once",
    ),
    "a partition or domain with its logical processors",
);
/// Groups of partitions.
pub static LPAR_GROUPS: Key = Key::new(
    "lpar_group",
    Kind::Named(&LPAR_GROUP),
    Need::Optional("no partitions have a cap in common"),
    "a group of partitions that PR/SM caps together",
);
/// Groups of threads.
pub static CGROUPS: Key = Key::new(
    "cgroup",
    Kind::Named(&CGROUP),
    Need::Optional("guests are no threads: they run in partitions, or each on a processor of its own"),
    "a group of threads under Linux, in place of partitions",
);
/// Virtual machines.
pub static VIRTUAL_MACHINES: Key = Key::new(
    "virtual_machine",
    Kind::Named(&VIRTUAL_MACHINE),
    Need::Optional("guests run in partitions, or each on a processor of its own"),
    "virtual machines of one kind, in a partition with a control program",
);
/// Spin locks.
pub static SPIN_LOCKS: Key = Key::new(
    "spin_lock",
    Kind::Named(&SPIN_LOCK),
    Need::Optional("no guest of a virtual machine spins"),
    "a spin lock of the operating system in virtual machines of one kind",
);
/// Locks of threads.
pub static THREAD_LOCKS: Key = Key::new(
    "thread_lock",
    Kind::Named(&THREAD_LOCK),
    Need::Optional("no threads share a lock that they spin for, yield for or sleep for"),
    "a lock that threads share",
);
/// Networks.
pub static NETWORKS: Key = Key::new(
    "network",
    Kind::Named(&NETWORK),
    Need::Optional("exchanges take no time on their way"),
    "a network over which virtual machines exchange requests and replies",
);
/// Channels.
pub static CHANNELS: Key = Key::new(
    "channel",
    Kind::Named(&CHANNEL),
    Need::Optional("no part of a connect time is serial"),
    "a channel path, which carries one I/O at a time in each direction",
);
/// Control units.
pub static CONTROL_UNITS: Key = Key::new(
    "control_unit",
    Kind::Named(&CONTROL_UNIT),
    Need::Optional("volumes have no control unit, and connected I/Os do not slow each other"),
    "a control unit with the path group that leads to it",
);
/// Alias pools.
pub static ALIAS_POOLS: Key = Key::new(
    "alias_pool",
    Kind::Named(&ALIAS_POOL),
    Need::Optional("no volume may borrow an alias"),
    "a HyperPAV pool",
);
/// Volumes.
pub static VOLUMES: Key = Key::new(
    "volume",
    Kind::Named(&VOLUME),
    Need::Optional("guests do no I/O; without partitions there has to be one"),
    "a disk volume with its base device",
);
/// Minidisks.
pub static MINIDISKS: Key = Key::new(
    "minidisk",
    Kind::Named(&MINIDISK),
    Need::Optional("guests do I/O to whole volumes"),
    "a part of a volume that is used for one I/O at a time",
);
/// Resources.
pub static RESOURCES: Key = Key::new(
    "resource",
    Kind::Named(&RESOURCE),
    Need::Optional("guests hold nothing and queue for nothing but I/O and processors"),
    "something that guests hold for a while and queue for",
);
/// The service of ENQ and DEQ.
pub static SERIALIZED: Key = Key::new(
    "serialization",
    Kind::Table(&SERIALIZATION),
    Need::Optional("no guest enqueues on anything"),
    "the service of ENQ and DEQ, with its exits and prices",
);
/// Resources by name.
pub static ENQUEUES: Key = Key::new(
    "enqueue",
    Kind::Named(&ENQUEUE),
    Need::Optional("guests enqueue on nothing"),
    "a resource that guests of partitions enqueue on by name",
);
/// Front ends.
pub static FRONT_ENDS: Key = Key::new(
    "front_end",
    Kind::Named(&FRONT_END),
    Need::Optional("no messages come or go"),
    "a front-end processor through which messages come and go",
);
/// Classes of business.
pub static CLASSES: Key = Key::new(
    "class",
    Kind::Named(&CLASS),
    Need::Optional("guests belong to no class, and grow by their own growth alone"),
    "a class of business: guests, virtual machines and paging that grow together",
);
/// Guests.
pub static GUESTS: Key = Key::new(
    "guest",
    Kind::Named(&GUEST),
    Need::Required("without guests nothing happens"),
    "a group of guests that run the same program",
);
/// Paging.
pub static PAGINGS: Key = Key::new(
    "paging",
    Kind::Named(&PAGING),
    Need::Optional("no pages are read or written but by programs"),
    "pages that a control program or a system reads and writes by itself: paging, or spooling",
);
/// Changes.
pub static CHANGES: Key = Key::new(
    "change",
    Kind::Numbered(&CHANGE),
    Need::Optional("the machine stays as it was built"),
    "changes while the machine runs; they have numbers in place of names, from 1",
);
/// Axes of a sweep.
pub static SWEEPS: Key = Key::new(
    "sweep",
    Kind::Numbered(&SWEEP),
    Need::Optional("`slicewright sweep` varies what its `--set` names"),
    "keys that `slicewright sweep` varies; a run simulates the file without them",
);
/// The verdict of a fit.
pub static FITTED: Key = Key::new(
    "fit",
    Kind::Table(&FIT),
    Need::Optional("the scenario was not fitted"),
    "the verdict of the fit that wrote the scenario",
);
/// Open values.
pub static OPENS: Key = Key::new(
    "open",
    Kind::Numbered(&OPEN),
    Need::Optional("every value is identified or given"),
    "values that the evidence does not identify",
);
/// Readings.
pub static READINGS: Key = Key::new(
    "reading",
    Kind::Numbered(&READING),
    Need::Optional("the scenario is the only reading"),
    "other loads that reproduce the evidence; a run simulates them with `--readings`",
);
/// Purchases.
pub static PURCHASES: Key = Key::new(
    "purchase",
    Kind::Numbered(&PURCHASE),
    Need::Optional("`slicewright plan` buys what its `--buy` names"),
    "changes that `slicewright plan` may buy, with their prices; a run simulates the file without them",
);
/// Keys that are beside the machine: results have the name of the machine and its load, not of the question.
pub static BESIDE: &[&Key] = &[&SWEEPS, &PURCHASES, &FITTED, &OPENS, &READINGS];

/// Whether a key is beside the machine.
pub fn is_beside(key: &Key) -> bool {
    BESIDE.iter().any(|beside| std::ptr::eq(*beside, key))
}

/// A whole scenario file.
pub static ROOT: Table = Table {
    name: "scenario",
    doc: "a machine, its load, and how it is measured",
    keys: &[
        &TITLE,
        &super::ASSUME,
        &super::CALIBRATED,
        &super::BORROWED,
        &SOURCE,
        &SHARED_PROCESSORS,
        &LAID_OUT,
        &LPAR_GROUPS,
        &PARTITIONS,
        &CGROUPS,
        &VIRTUAL_MACHINES,
        &SPIN_LOCKS,
        &THREAD_LOCKS,
        &NETWORKS,
        &CHANNELS,
        &CONTROL_UNITS,
        &ALIAS_POOLS,
        &VOLUMES,
        &MINIDISKS,
        &RESOURCES,
        &SERIALIZED,
        &ENQUEUES,
        &FRONT_ENDS,
        &CLASSES,
        &GUESTS,
        &PAGINGS,
        &CHANGES,
        &MEASURED,
        &SWEEPS,
        &PURCHASES,
        &FITTED,
        &OPENS,
        &READINGS,
    ],
    choices: &[],
    notes: false,
};

/// The title of the document.
pub static DOCUMENT: Key = Key::new(
    "document",
    Kind::Text,
    Need::Required("a source without a document cites nothing"),
    "the title of the document the numbers were read in",
);
/// The report within it.
pub static REPORT: Key =
    Key::new("report", Kind::Text, Need::Optional("the document as a whole"), "the report or run within the document");
/// The section within it.
pub static SECTION: Key = Key::new(
    "section",
    Kind::Text,
    Need::Optional("the document as a whole"),
    "the section or table within the document",
);
/// A remark on it.
pub static REMARK: Key =
    Key::new("remark", Kind::Text, Need::Optional("nothing to remark"), "remarks on the numbers of the document");

/// Where the numbers come from.
pub static SOURCE_TABLE: Table = Table {
    name: "source",
    doc: "the document that the numbers come from",
    keys: &[&DOCUMENT, &REPORT, &SECTION, &REMARK],
    choices: &[],
    notes: false,
};
