//! The keys that `slicewright sweep` varies; a run simulates the file without them.

use super::{Key, Kind, Need, Table};

/// The key that varies.
pub static SWEPT_KEY: Key = Key::new(
    "key",
    Kind::Line,
    Need::Required("a sweep varies a key"),
    "the key that varies, as `--set` names it: \"alias_pool.POOL.aliases\"",
);
/// Its values.
pub static SWEPT_VALUES: Key = Key::new(
    "values",
    Kind::Line,
    Need::Required("a sweep needs values"),
    "a range with both ends, a step after a colon, a unit after a blank, or a list: \"0..24\", \"2..30:4 ms\", \"0,8,16\"",
);

/// An axis of a sweep.
pub static SWEEP: Table = Table {
    name: "sweep",
    doc: "a key that `slicewright sweep` varies; it is not part of the machine, and nothing else reads it",
    keys: &[&SWEPT_KEY, &SWEPT_VALUES],
    choices: &[],
    notes: false,
};
