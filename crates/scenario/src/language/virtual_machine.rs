//! Virtual machines of a control program: how many, how large, what they are promised, what is in caches, how they spin.

use super::{
    Choice, Key, Kind, LARGEST_CACHE, MACHINE_GROWTH, MOST_GUESTS, NAME, NEVER, Need, OF_CLASS, PARTITION,
    SMALLEST_CACHE, Table,
};

/// The most virtual processors that a virtual machine has.
pub const MOST_VIRTUAL: u32 = 64;

/// End my slice.
pub const X44: &str = "x44";
/// Run the holder of the lock.
pub const X9C: &str = "x9c";
/// Run the holder of the lock, if it does not run.
pub const SENSE_RUNNING: &str = "sense-running";

/// Halt until the release of the lock.
pub const HALT: &str = "halt";
/// Loop until the processor intercepts that.
pub const PAUSE_LOOP: &str = "pause-loop";

pub(super) const RETRIES: Kind = Kind::Count(0, 1_000_000);
pub(super) const TRIES: Kind = Kind::Span("1 ns", "10 us");
pub(super) const YIELDING: Kind = Kind::Word(&[NEVER, X44, X9C, SENSE_RUNNING]);
const WAITING: Kind = Kind::Word(&[NEVER, X44, X9C, SENSE_RUNNING, HALT, PAUSE_LOOP]);

/// The operating systems that ship with slicewright.
pub const GUEST_TYPES: [&str; 5] = ["SLES 9 SP2", "SLES 9", "SLES 10", "z/OS 1.7", "Linux 3.12"];

/// Where they are.
pub static HOST: Key = Key::new(
    "partition",
    Kind::Refer(&PARTITION),
    Need::Required("its control program dispatches them"),
    "the partition in which they are; it has a control program",
);
/// How many.
pub static MACHINES: Key = Key::new(
    "count",
    Kind::Count(1, MOST_GUESTS),
    Need::Default("1", "there is one of the kind"),
    "number of machines of the kind; guests are assigned to them in turn",
);
/// Virtual processors of each.
pub static VIRTUAL_PROCESSORS: Key = Key::new(
    "virtual_processors",
    Kind::Count(1, MOST_VIRTUAL),
    Need::Default("1", "z/VM's own default: a directory entry without CPU statements has one"),
    "virtual processors of each",
);
/// The share of each, beside others.
pub static RELATIVE_SHARE: Key = Key::new(
    "share",
    Kind::Count(1, 10_000),
    Need::WorkedOut("100, z/VM's own default (SHARE RELATIVE 100), unless there is an absolute share"),
    "SHARE RELATIVE: what each of them is promised, beside the shares of the others",
);
/// The share of each, of the whole.
pub static ABSOLUTE_SHARE: Key = Key::new(
    "absolute_share",
    Kind::Percent(100.0),
    Need::Optional("its share is relative to those of the others"),
    "SHARE ABSOLUTE: what each of them is promised, of all logical processors of the partition",
);
/// The most that each gets.
pub static LIMIT: Key = Key::new(
    "limit",
    Kind::Percent(100.0),
    Need::Optional("what others leave may be had"),
    "LIMITHARD: the most that each of them gets, of all logical processors of the partition",
);
/// The storage of each virtual processor in the caches.
pub static FOOTPRINT: Key = Key::new(
    "footprint",
    Kind::Bytes(SMALLEST_CACHE, LARGEST_CACHE),
    Need::Optional("caches do not matter to it"),
    "storage of each of its virtual processors in the caches",
)
.beside(&["touched_in"]);
/// How long it takes to touch it.
pub static TOUCHED_IN: Key = Key::new(
    "touched_in",
    Kind::Span("1 us", "1 min"),
    Need::Optional("caches do not matter to it"),
    "run time of a virtual processor until it has touched all but 1/e of that storage",
)
.beside(&["footprint"]);

/// Which operating system it is.
pub static GUEST_TYPE: Key = Key::new(
    "guest_type",
    Kind::Word(&GUEST_TYPES),
    Need::Optional("it is none in particular: `spin_retry` and `yields` say how it spins"),
    "which operating system runs in each of them: a description that ships with slicewright and gives `spin_retry` and \
     `yields`",
);
/// How often it tries.
pub static SPIN_RETRY: Key = Key::new(
    "spin_retry",
    RETRIES,
    Need::WorkedOut("that of `guest_type`, else 1000, the default of Linux; nothing without spin locks"),
    "attempts of its operating system to take a held spin lock before it yields; at 0 it yields after every attempt",
);
/// How long a try takes.
pub static SPIN_TRY: Key = Key::new(
    "spin_try",
    TRIES,
    Need::WorkedOut("assumed: 8 ns, about ten cycles of a z990; nothing without spin locks"),
    "time of one such attempt",
);
/// How it yields.
pub static YIELDS: Key = Key::new(
    "yields",
    WAITING,
    Need::WorkedOut("that of `guest_type`, else never; nothing without spin locks"),
    "yield: never. X'44' ends the own slice, X'9C' runs the holder of the lock. `sense-running` is X'9C' unless SIGP \
     Sense Running Status reports that the holder runs. `halt` waits for the release of the lock, which needs locks with \
     turns. `pause-loop` loops until the processor intercepts it, as `pause_loop` of the control program says",
);

/// Virtual machines of one kind.
pub static VIRTUAL_MACHINE: Table = Table {
    name: "virtual_machine",
    doc: "virtual machines of one kind, which a control program dispatches",
    keys: &[
        &NAME,
        &OF_CLASS,
        &HOST,
        &MACHINES,
        &MACHINE_GROWTH,
        &VIRTUAL_PROCESSORS,
        &RELATIVE_SHARE,
        &ABSOLUTE_SHARE,
        &LIMIT,
        &FOOTPRINT,
        &TOUCHED_IN,
        &GUEST_TYPE,
        &SPIN_RETRY,
        &SPIN_TRY,
        &YIELDS,
    ],
    choices: &[Choice {
        keys: &[&RELATIVE_SHARE, &ABSOLUTE_SHARE],
        needed: false,
        why: "a share is relative to those of others or absolute, not both",
    }],
    notes: true,
};
