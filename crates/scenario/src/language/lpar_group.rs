//! Groups of partitions under one absolute cap.

use super::{Key, Kind, MOST_PROCESSORS, NAME, Need, Table};

/// The most that its members get together.
pub static GROUP_CAP: Key = Key::new(
    "cap",
    Kind::Number(0.01, MOST_PROCESSORS as f64),
    Need::Required("a group without a cap changes nothing"),
    "PR/SM, absolute group capping: what its partitions get together at most, in processors' worth",
);

/// A group.
pub static LPAR_GROUP: Table = Table {
    name: "lpar_group",
    doc: "a group of partitions with one absolute cap; a partition names its group",
    keys: &[&NAME, &GROUP_CAP],
    choices: &[],
    notes: true,
};
