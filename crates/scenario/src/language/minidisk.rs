//! Minidisks: parts of a volume that are used for one I/O at a time, and the cache that avoids some of their I/Os.

use super::{DISTRIBUTION, Key, Kind, NAME, Need, Table, VOLUME};

/// The volume it lies on.
pub static ON_VOLUME: Key = Key::new(
    "volume",
    Kind::Refer(&VOLUME),
    Need::Required("its I/O goes to the volume that it lies on"),
    "the volume it lies on",
);
/// Its cache.
pub static CACHED: Key = Key::new(
    "cache",
    Kind::Table(&CACHE),
    Need::Optional("every I/O goes to the volume"),
    "the minidisk cache that avoids some of its I/Os",
);

/// A minidisk.
pub static MINIDISK: Table = Table {
    name: "minidisk",
    doc: "a part of a volume that does one I/O at a time for all guests; others wait for their turn",
    keys: &[&NAME, &ON_VOLUME, &CACHED],
    choices: &[],
    notes: true,
};

/// Which share of the reads it holds.
pub static READ_HITS: Key = Key::new(
    "read_hits",
    Kind::Percent(100.0),
    Need::Required("what it avoids is what a cache is about"),
    "which share of the reads it holds; a write always goes to the volume",
);
/// How long an avoided I/O takes.
pub static HIT_TIME: Key = Key::new(
    "time",
    Kind::Distribution(&DISTRIBUTION),
    Need::Required("a hit takes some time too: 1 us or more on average"),
    "time of an I/O that the cache avoids",
);

/// A minidisk cache.
pub static CACHE: Table = Table {
    name: "cache",
    doc: "the minidisk cache: reads that it holds are not started on any exposure",
    keys: &[&READ_HITS, &HIT_TIME],
    choices: &[],
    notes: true,
};
