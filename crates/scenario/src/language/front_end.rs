//! Front-end processors (4705): messages wait in them and ride together on the I/Os of one device.

use super::{Key, Kind, NAME, Need, Table, VOLUME};

/// The most messages that an I/O takes along on average.
pub const MOST_MESSAGES: f64 = 1_000.0;

/// Its subchannel.
pub static SUBCHANNEL: Key = Key::new(
    "volume",
    Kind::Refer(&VOLUME),
    Need::Required("each of its I/Os takes as long as one of this volume"),
    "the volume that stands for its subchannel; nothing else does I/O to it",
);
/// Messages on an I/O.
pub static MESSAGES: Key = Key::new(
    "messages",
    Kind::Number(1.0, MOST_MESSAGES),
    Need::Required("how many ride together decides how many it carries, and no source gives one number for all"),
    "mean number of messages per I/O, at most those waiting; each I/O takes one of the two whole numbers beside it",
);

/// Messages on the first I/O of a slice.
pub static FIRST_MESSAGES: Key = Key::new(
    "first_messages",
    Kind::Number(1.0, MOST_MESSAGES),
    Need::Optional("it takes as many along as any other"),
    "the same for the first I/O after its partition was dispatched, which may take along what has gathered meanwhile",
);

/// A front end.
pub static FRONT_END: Table = Table {
    name: "front_end",
    doc: "a front-end processor: messages wait in it, in and out by turns, and ride together on one I/O of its subchannel",
    keys: &[&NAME, &SUBCHANNEL, &MESSAGES, &FIRST_MESSAGES],
    choices: &[],
    notes: true,
};
