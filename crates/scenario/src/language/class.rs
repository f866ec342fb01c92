//! Classes of business and their growth: guests that a planner speaks of together.

use super::{Key, Kind, NAME, Need, Table};

/// The most growth, as a share of the load that is written.
const MOST: Kind = Kind::Growth(10_000.0);

/// The growth of a class.
pub static CLASS_GROWTH: Key = Key::new(
    "growth",
    MOST,
    Need::Optional("its guests are as many as they are written, but for growth of their own"),
    "growth of all that are of the class and have none of their own",
);

/// A class of business.
pub static CLASS: Table = Table {
    name: "class",
    doc: "a class of business: guests, virtual machines and paging that grow together",
    keys: &[&NAME, &CLASS_GROWTH],
    choices: &[],
    notes: true,
};

/// The class of guests, virtual machines or paging.
pub static OF_CLASS: Key = Key::new(
    "class",
    Kind::Refer(&CLASS),
    Need::Optional("it belongs to no class"),
    "the class of business; `--set guest.@CLASS.key=value` means all guests of a class",
);

/// The growth of guests.
pub static GROWTH: Key = Key::new(
    "growth",
    MOST,
    Need::WorkedOut("that of its class; without one there is no growth"),
    "growth of the load as written: arrivals come more often, a closed `count` is multiplied and rounded",
)
.beside(&["count", "arrivals"])
.sometimes();

/// The growth of paging.
pub static PAGING_GROWTH: Key = Key::new(
    "growth",
    MOST,
    Need::WorkedOut("that of its class; without one there is no growth"),
    "growth of both rates",
)
.sometimes();

/// The growth of virtual machines.
pub static MACHINE_GROWTH: Key = Key::new(
    "growth",
    MOST,
    Need::WorkedOut("that of its class; without one there is no growth"),
    "growth of their number: `count` is multiplied and rounded; guests in them grow by their own growth",
)
.sometimes();
