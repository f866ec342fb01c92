//! Resources that guests enqueue on by name: what a program means by a name, how far it reaches, which volume goes with it.

use super::{Key, Kind, MOST_MEMBERS, NAME, Need, Table, VOLUME};

/// The tasks of one address space.
pub const STEP_SCOPE: &str = "step";
/// All tasks of one system.
pub const SYSTEM_SCOPE: &str = "system";
/// All tasks of all systems.
pub const SYSTEMS_SCOPE: &str = "systems";

/// The most queues of all resources: those of every member in every system, or in every group of guests.
pub const MOST_QUEUES: u32 = 1_000_000;

/// Its major name.
pub static QNAME: Key = Key::new(
    "qname",
    Kind::Line,
    Need::Required("a resource is meant by two names"),
    "its major name, 1 to 8 characters: \"SYSDSN\"",
);
/// Its minor name.
pub static RNAME: Key = Key::new(
    "rname",
    Kind::Line,
    Need::Required("a resource is meant by two names"),
    "its minor name, up to 200 characters; that of members has a period and their number from 1 behind it",
);
/// How far it reaches.
pub static SCOPE: Key = Key::new(
    "scope",
    Kind::Word(&[STEP_SCOPE, SYSTEM_SCOPE, SYSTEMS_SCOPE]),
    Need::Default(SYSTEM_SCOPE, "most requests of a system are not for other systems"),
    "requested scope of the name: one group of guests (an address space), one partition (a system), all",
);
/// Alike.
pub static ENQUEUE_MEMBERS: Key = Key::new(
    "members",
    Kind::Count(1, MOST_MEMBERS),
    Need::Default("1", "there is one of it"),
    "number of equal resources of this name; a request is for a certain one, each equally likely",
);
/// The volume.
pub static RESERVES: Key = Key::new(
    "reserve",
    Kind::Refers(&[&VOLUME]),
    Need::Optional("it is asked for by ENQ, and no volume is reserved"),
    "it is asked for by RESERVE, which takes the volume for one system as well: a volume of each partition that sees it; I/Os of \
     others to it stay pending meanwhile",
);

/// A resource by name.
pub static ENQUEUE: Table = Table {
    name: "enqueue",
    doc: "a resource that guests of partitions enqueue on by name, with a queue of owners and waiters",
    keys: &[&NAME, &QNAME, &RNAME, &SCOPE, &ENQUEUE_MEMBERS, &RESERVES],
    choices: &[],
    notes: true,
};
