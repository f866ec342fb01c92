//! What a fit could not identify: values that are open, and the readings, other loads that reproduce the evidence.

use super::{Key, Kind, NO, Need, Table, YES};

/// Whether the held-out intervals were predicted.
pub static PREDICTS: Key = Key::new(
    "predicts",
    Kind::Word(&[YES, NO]),
    Need::Required("advice on a fit that does not predict is doubtful"),
    "whether the fit predicts the intervals that it was not shown",
);
/// Whether the scenario itself is a reading.
pub static REPRODUCES: Key = Key::new(
    "reproduces",
    Kind::Word(&[YES, NO]),
    Need::Required("a scenario that does not reproduce its evidence is no reading of it"),
    "whether the scenario reproduces the intervals that it was shown, all volumes together",
);
/// The noise of the evidence.
pub static CHANCE: Key = Key::new(
    "chance",
    Kind::Percent(100.0),
    Need::Default("0 %", "the evidence is taken as exact"),
    "the share by which the requests present may be off by chance in the measured intervals",
);

/// The verdict of a fit.
pub static FIT: Table = Table {
    name: "fit",
    doc: "the verdict of the fit that wrote the scenario; it is not part of the machine",
    keys: &[&PREDICTS, &REPRODUCES, &CHANCE],
    choices: &[],
    notes: false,
};

/// The name of an open value.
pub static OPEN_VALUE: Key = Key::new(
    "value",
    Kind::Line,
    Need::Required("an open value has a name"),
    "what the evidence does not identify, in words: \"growth of service (pool-1)\"",
);
/// The reason.
pub static OPEN_WHY: Key =
    Key::new("why", Kind::Line, Need::Required("a value that is open has a reason"), "why it is not identified");
/// The ranges of keys.
pub static OPEN_RANGE: Key = Key::new(
    "range",
    Kind::Lines,
    Need::Optional("no key has a range of its own: the readings have the changes"),
    "the keys that are open, a line each, as `--vary` has them: \"control_unit.POOL.sharing=0..7.1 %\"",
);

/// A value that is open.
pub static OPEN: Table = Table {
    name: "open",
    doc: "a value that the evidence does not identify, with the range of its keys; it is not part of the machine",
    keys: &[&OPEN_VALUE, &OPEN_WHY, &OPEN_RANGE],
    choices: &[],
    notes: false,
};

/// The name of a reading.
pub static READING_NAME: Key =
    Key::new("name", Kind::Line, Need::Required("answers name their readings"), "how answers call the reading");
/// Its changes.
pub static READING_SET: Key = Key::new(
    "set",
    Kind::Lines,
    Need::Required("a reading differs from the scenario"),
    "what it changes, a line each, as `--set` has it: 'control_unit.POOL.sharing=\"7.1 %\"'",
);

/// A reading.
pub static READING: Table = Table {
    name: "reading",
    doc: "another load that reproduces the evidence: `advise`, `sensitivity`, `choose` and `run --readings` simulate it too",
    keys: &[&READING_NAME, &READING_SET],
    choices: &[],
    notes: false,
};
