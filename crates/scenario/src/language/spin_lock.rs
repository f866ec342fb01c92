//! Spin locks of the operating systems in virtual machines: their number and their order.

use super::{Key, Kind, MOST_MEMBERS, NAME, Need, Table, VIRTUAL_MACHINE};

/// The first to try has it.
pub const UNORDERED: &str = "unordered";
/// First come, first served.
pub const TICKET: &str = "ticket";
/// The same, each looking at the one before.
pub const QUEUED: &str = "queued";

/// The most spin locks of all machines.
pub const MOST_SPIN_LOCKS: u32 = MOST_MEMBERS;

/// Whose it is.
pub static LOCK_OF: Key = Key::new(
    "virtual_machine",
    Kind::Refer(&VIRTUAL_MACHINE),
    Need::Required("a spin lock is in the storage of an operating system, and each virtual machine has one of its own"),
    "the kind of virtual machines whose operating system has it; each machine of the kind has its own",
);
/// How many each has.
pub static LOCKS: Key = Key::new(
    "count",
    Kind::Count(1, MOST_SPIN_LOCKS),
    Need::Default("1", "there is one of it in each machine"),
    "number of equal locks in each machine; a guest takes a certain one, each equally likely",
);
/// The order of grants.
pub static LOCK_ORDER: Key = Key::new(
    "order",
    Kind::Word(&[UNORDERED, TICKET, QUEUED]),
    Need::Default(UNORDERED, "spin locks of Linux were compare-and-swap loops then: nobody queues"),
    "order of grants. unordered: the first to try once it is free, newcomers too. ticket: first come, first served. \
     queued: the same, with each watching the one before, the target of its yields",
);

/// A spin lock.
pub static SPIN_LOCK: Table = Table {
    name: "spin_lock",
    doc: "a spin lock of the operating system in virtual machines: a guest that finds it held spins on its virtual processor",
    keys: &[&NAME, &LOCK_OF, &LOCKS, &LOCK_ORDER],
    choices: &[],
    notes: true,
};
