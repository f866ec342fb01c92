//! Changes at stated times: aliases and paths that go offline and online, volumes that are reserved, partitions, slices.

use super::{
    ALIAS_POOL, CONTROL_UNIT, Choice, DISPATCH_SLICES, EXCESS, Key, Kind, METHODS, MOST_PROCESSORS, Need, OWN_EXIT,
    PADS, PARTITION, POLARITIES, Table, UNPARKINGS, VOLUME,
};

const OTHER: Need = Need::Optional("something else is changed");
const OTHER_ALIASES: Need = Need::Optional("the other is given");

/// When.
pub static CHANGED_AT: Key = Key::new(
    "at",
    Kind::Span("0 us", "365 d"),
    Need::Required("a change has its time"),
    "when, since the start of the first interval; the warm-up comes before",
);
/// Aliases.
pub static CHANGED_ALIASES: Key = Key::new(
    "aliases",
    Kind::Table(&CHANGE_OF_ALIASES),
    OTHER,
    "this many aliases are online from now on; one that is busy leaves when its I/O ends",
);
/// Paths.
pub static CHANGED_PATHS: Key = Key::new(
    "paths",
    Kind::Table(&CHANGE_OF_PATHS),
    OTHER,
    "this many paths are online from now on; with none, I/O that starts stays pending",
);
/// Reserve.
pub static RESERVED: Key = Key::new(
    "reserve",
    Kind::Refer(&VOLUME),
    OTHER,
    "another system reserves this volume: I/O in progress finishes, I/O that starts stays pending",
);
/// Release.
pub static RELEASED: Key = Key::new(
    "release",
    Kind::Refer(&VOLUME),
    OTHER,
    "the other system releases this volume, and what is pending goes on",
);

/// A share.
pub static CHANGED_PARTITION: Key = Key::new(
    "partition",
    Kind::Table(&CHANGE_OF_PARTITION),
    OTHER,
    "a partition is promised something else, from the next slice or dispatch on, or has other processors online",
);
/// A partition comes.
pub static ADDED: Key = Key::new(
    "add",
    Kind::Refer(&PARTITION),
    OTHER,
    "a partition that is not there is added (A on the Configuration Attributes screen, figure 2)",
);
/// A partition goes.
pub static DELETED: Key = Key::new(
    "delete",
    Kind::Refer(&PARTITION),
    OTHER,
    "a partition that is there is deleted (D on that screen); its programs stop where they are, and its resources are released",
);

/// The scheduling parameter.
pub static NEW_SCHEDULING_PARAMETER: Key = Key::new(
    "scheduling_parameter",
    Kind::Count(1, 5),
    OTHER,
    "slices: SCHEDULING PARAMETER of the System Scheduling screen from the next slice on (P there, figure 3)",
);

/// The settings of SET SRM.
pub static CHANGED_SRM: Key =
    Key::new("srm", Kind::Table(&CHANGE_OF_SRM), OTHER, "SET SRM in the control program of a partition");

/// An exit comes.
pub static ADDED_EXIT: Key = Key::new(
    "add_exit",
    Kind::Refer(&OWN_EXIT),
    OTHER,
    "an exit of the installation's own is added in all systems, behind those that are at its point (SETPROG EXIT,ADD)",
);
/// An exit goes.
pub static DELETED_EXIT: Key = Key::new(
    "delete_exit",
    Kind::Refer(&OWN_EXIT),
    OTHER,
    "an exit of the installation's own is deleted from all systems, one that failed too (SETPROG EXIT,DELETE)",
);

/// A change.
pub static CHANGE: Table = Table {
    name: "change",
    doc: "a change while the machine runs; changes at one time happen in the order of the file",
    keys: &[
        &CHANGED_AT,
        &CHANGED_ALIASES,
        &CHANGED_PATHS,
        &RESERVED,
        &RELEASED,
        &CHANGED_PARTITION,
        &NEW_SCHEDULING_PARAMETER,
        &ADDED,
        &DELETED,
        &CHANGED_SRM,
        &ADDED_EXIT,
        &DELETED_EXIT,
    ],
    choices: &[Choice {
        keys: &[
            &CHANGED_ALIASES,
            &CHANGED_PATHS,
            &RESERVED,
            &RELEASED,
            &CHANGED_PARTITION,
            &NEW_SCHEDULING_PARAMETER,
            &ADDED,
            &DELETED,
            &CHANGED_SRM,
            &ADDED_EXIT,
            &DELETED_EXIT,
        ],
        needed: true,
        why: "a change changes one thing",
    }],
    notes: true,
};

/// The pool whose aliases change.
pub static CHANGED_POOL: Key =
    Key::new("pool", Kind::Refer(&ALIAS_POOL), OTHER_ALIASES, "HyperPAV: the pool whose aliases they are");
/// The volume whose aliases change.
pub static CHANGED_VOLUME: Key =
    Key::new("volume", Kind::Refer(&VOLUME), OTHER_ALIASES, "classic PAV: the volume that they are bound to");
/// How many aliases are online.
pub static ALIASES_ONLINE: Key = Key::new(
    "online",
    Kind::Count(0, 65_535),
    Need::Required("the number is what changes"),
    "aliases online from now on, the first ones; at most the number defined",
);

/// Which aliases are online.
pub static CHANGE_OF_ALIASES: Table = Table {
    name: "change_of_aliases",
    doc: "number of online aliases of a pool or of a volume",
    keys: &[&CHANGED_POOL, &CHANGED_VOLUME, &ALIASES_ONLINE],
    choices: &[Choice {
        keys: &[&CHANGED_POOL, &CHANGED_VOLUME],
        needed: true,
        why: "aliases belong to a pool (HyperPAV) or to a volume (PAV)",
    }],
    notes: true,
};

/// The control unit whose paths change.
pub static CHANGED_UNIT: Key = Key::new(
    "control_unit",
    Kind::Refer(&CONTROL_UNIT),
    Need::Required("paths lead to a control unit"),
    "the control unit that they lead to",
);
/// How many paths are online.
pub static PATHS_ONLINE: Key = Key::new(
    "online",
    Kind::Count(0, 8),
    Need::Required("the number is what changes"),
    "paths online from now on; at most the number defined",
);

/// Which paths are online.
pub static CHANGE_OF_PATHS: Table = Table {
    name: "change_of_paths",
    doc: "number of online paths to a control unit",
    keys: &[&CHANGED_UNIT, &PATHS_ONLINE],
    choices: &[],
    notes: true,
};

/// The partition that is promised something else.
pub static PROMISED: Key =
    Key::new("name", Kind::Refer(&PARTITION), Need::Required("the change is one of its share"), "the partition");
/// Its target from now on.
pub static NEW_TARGET: Key =
    Key::new("target", Kind::Percent(100.0), OTHER_PROMISE, "slices: its TARGET CPU PERCENTAGE from now on");
/// Its maximum from now on.
pub static NEW_MAXIMUM: Key =
    Key::new("maximum", Kind::Percent(100.0), OTHER_PROMISE, "slices: its MAXIMUM CPU PERCENTAGE from now on");
/// Its weight from now on.
pub static NEW_WEIGHT: Key = Key::new("weight", Kind::Count(1, 999), OTHER_PROMISE, "PR/SM: its weight from now on");

/// Its processors online from now on.
pub static NEW_ONLINE: Key = Key::new(
    "online",
    Kind::Count(1, MOST_PROCESSORS),
    OTHER_PROMISE,
    "PR/SM: number of its logical processors online from now on, the first ones (CF CPU)",
);

const OTHER_PROMISE: Need = Need::Optional("it stays as it was");

/// The share of a partition.
pub static CHANGE_OF_PARTITION: Table = Table {
    name: "change_of_partition",
    doc: "the share of a partition, and its logical processors online",
    keys: &[&PROMISED, &NEW_TARGET, &NEW_MAXIMUM, &NEW_WEIGHT, &NEW_ONLINE],
    choices: &[
        Choice { keys: &[&NEW_TARGET, &NEW_WEIGHT], needed: false, why: "slices go by targets, PR/SM by weights" },
        Choice { keys: &[&NEW_MAXIMUM, &NEW_WEIGHT], needed: false, why: "slices go by targets, PR/SM by weights" },
    ],
    notes: true,
};

/// The partition of the control program that SET SRM addresses.
pub static SRM_OF: Key = Key::new(
    "partition",
    Kind::Refer(&PARTITION),
    Need::Required("SET SRM is a command to a control program"),
    "the partition whose control program it is",
);
/// Its polarization from now on.
pub static NEW_POLARIZATION: Key = Key::new("polarization", POLARITIES, OTHER_PROMISE, "POLARIZATION from now on");
/// How it places virtual processors from now on.
pub static NEW_METHOD: Key = Key::new("method", METHODS, OTHER_PROMISE, "DSPWDMETHOD from now on");
/// The padding of its prediction from now on.
pub static NEW_CPUPAD: Key = Key::new("cpupad", PADS, OTHER_PROMISE, "CPUPAD from now on; 100 % is one processor");
/// The excess share that it counts on from now on.
pub static NEW_EXCESSUSE: Key = Key::new("excessuse", EXCESS, OTHER_PROMISE, "EXCESSUSE from now on");
/// How many processors it uses from now on.
pub static NEW_UNPARKING: Key = Key::new("unparking", UNPARKINGS, OTHER_PROMISE, "UNPARKING from now on");
/// Its dispatch slice from now on.
pub static NEW_SLICE: Key = Key::new("slice", DISPATCH_SLICES, OTHER_PROMISE, "DSPSLICE from now on");

/// The settings of SET SRM.
pub static CHANGE_OF_SRM: Table = Table {
    name: "srm",
    doc: "the settings of SET SRM in the control program of a partition",
    keys: &[&SRM_OF, &NEW_POLARIZATION, &NEW_METHOD, &NEW_CPUPAD, &NEW_EXCESSUSE, &NEW_UNPARKING, &NEW_SLICE],
    choices: &[],
    notes: true,
};
