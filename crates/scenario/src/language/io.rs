//! The I/O of a program: where it goes, how much it transfers, which way.

use super::{Choice, Key, Kind, MINIDISK, Need, RESOURCE, Table, VOLUME};

const OTHER: Need = Need::Optional("where it goes is chosen in another way");

/// The kinds of tables that an I/O can go to; they share one set of names.
pub static TARGETS: &[&Table] = &[&VOLUME, &MINIDISK];

/// Always this volume.
pub static ONE: Key = Key::new("volume", Kind::Refer(&VOLUME), OTHER, "always this volume");
/// Always this minidisk.
pub static ONE_MINIDISK: Key = Key::new("minidisk", Kind::Refer(&MINIDISK), OTHER, "always this minidisk");
/// Each equally likely.
pub static ANY: Key = Key::new("uniform", Kind::Refers(TARGETS), OTHER, "each of these equally likely");
/// Each with its weight.
pub static WEIGHTED: Key = Key::new("weighted", Kind::Weights(TARGETS), OTHER, "each of these with its weight");
/// Each with the weight of its rank.
pub static ZIPF: Key = Key::new(
    "zipf",
    Kind::Refers(TARGETS),
    OTHER,
    "each of these, the most wanted first, number k with weight 1 / k^exponent",
);
/// How much the first of a Zipf list is preferred.
pub static EXPONENT: Key = Key::new(
    "exponent",
    Kind::Number(0.0, 10.0),
    Need::Default("1", "Zipf's law as it is usually written: number two is wanted half as often as number one"),
    "steepness of the weights; 0 is uniform",
)
.beside(&["zipf"]);
/// That of the member that is held.
pub static OWN: Key = Key::new(
    "own",
    Kind::Weights(TARGETS),
    OTHER,
    "that of the member of a resource which is held: each of these belongs to its part of the members, by its weight",
);
/// Whose members have them.
pub static OWNER: Key = Key::new(
    "of",
    Kind::Refer(&RESOURCE),
    Need::Required("which member is held decides where it goes"),
    "the resource whose members have the volumes; the I/O is inside a hold of it",
)
.beside(&["own"]);
/// How much it transfers.
pub static TRANSFERRED: Key = Key::new(
    "bytes",
    Kind::Bytes("0 B", "64 MiB"),
    Need::Default("4 KiB", "a page or a block; without per_kib no time depends on it"),
    "amount of data that it transfers",
);
/// Which share are reads.
pub static READS: Key = Key::new(
    "reads",
    Kind::Percent(100.0),
    Need::Default("100 %", "only a minidisk cache tells reads from writes"),
    "which share of the I/Os are reads; the others are writes",
);

/// The smallest and the largest weight of a target.
pub const WEIGHTS: (f64, f64) = (1e-6, 1e9);

/// An I/O.
pub static IO_TABLE: Table = Table {
    name: "io",
    doc: "where an I/O goes, how much it transfers and which way",
    keys: &[&ONE, &ONE_MINIDISK, &ANY, &WEIGHTED, &ZIPF, &EXPONENT, &OWN, &OWNER, &TRANSFERRED, &READS],
    choices: &[Choice {
        keys: &[&ONE, &ONE_MINIDISK, &ANY, &WEIGHTED, &ZIPF, &OWN],
        needed: true,
        why: "an I/O chooses where it goes in one way",
    }],
    notes: true,
};
