//! Resources that guests hold for a while and queue for: message regions, initiators, threads.

use super::{Key, Kind, NAME, Need, Table};

/// The most units of one resource.
pub const MOST_UNITS: u32 = 1_000_000;
/// The most resources, with all that are alike.
pub const MOST_MEMBERS: u32 = 100_000;

/// Units.
pub static UNITS: Key = Key::new(
    "count",
    Kind::Count(1, MOST_UNITS),
    Need::Required("how many may hold it at a time is what a resource is about"),
    "number of units, each held by one task at a time",
);
/// Alike.
pub static MEMBERS: Key = Key::new(
    "members",
    Kind::Count(1, MOST_MEMBERS),
    Need::Default("1", "there is one of it, and whoever needs it takes any unit"),
    "number of equal resources, with `count` units and a queue each; a guest needs a certain one, each equally likely",
);

/// A resource.
pub static RESOURCE: Table = Table {
    name: "resource",
    doc: "units that guests hold for a while; a guest that finds none free waits, first come, first served",
    keys: &[&NAME, &UNITS, &MEMBERS],
    choices: &[],
    notes: true,
};
