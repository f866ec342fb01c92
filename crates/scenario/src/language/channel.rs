//! Channel paths: their serial time per I/O and per KiB, by a published kind or by numbers of their own.

use super::{COUNTED, Key, Kind, NAME, Need, Table};
use machine::plan::{Discipline, Holds, Selection};

/// The kinds of channels that ship.
pub const CHANNEL_TYPES: [&str; 8] = [
    "ESCON",
    "FICON",
    "FICON Express4",
    "FICON Express8S",
    "zHPF Express4",
    "zHPF Express8",
    "zHPF Express8S",
    "zHPF Express16S+",
];

/// Reads and writes each have the channel to themselves.
pub const FULL: &str = "full";
/// Reads and writes share it.
pub const HALF: &str = "half";

/// A published kind.
pub static CHANNEL_TYPE: Key = Key::new(
    "type",
    Kind::Word(&CHANNEL_TYPES),
    Need::Optional("its numbers are its own"),
    "the published channel that gives the numbers below",
);
/// Serial time per I/O.
pub static PER_IO: Key = Key::new(
    "per_io",
    Kind::Span("0 us", "1 s"),
    Need::WorkedOut("that of `type`; without a type an I/O occupies the channel for its bytes alone"),
    "serial time per I/O, whatever it transfers: time for which the channel is busy with it",
)
.always();
/// Serial time per KiB.
pub static CHANNEL_PER_KIB: Key = Key::new(
    "per_kib",
    Kind::Span("0 us", "1 s"),
    Need::WorkedOut("that of `type`; without a type bytes take no serial time"),
    "serial time per KiB of an I/O: 1.024 ms over the link rate in MB/s",
)
.always();
/// Whether reads and writes share it.
pub static DUPLEX: Key = Key::new(
    "duplex",
    Kind::Word(&[FULL, HALF]),
    Need::WorkedOut("that of `type`; without a type full"),
    "full: reads and writes each have the channel to themselves; half: they share it",
)
.always();
/// The part of an I/O that holds it.
pub static HOLDS: Key = Key::new(
    "holds",
    Kind::Word(&Holds::NAMES),
    Need::WorkedOut("that of `type`; without a type transfer"),
    "transfer: an I/O holds it for the serial time alone, and waits in its connect time; connection: for all of its \
     connect time, and waits in pend or disconnect",
)
.always();

/// How it serves several.
pub static DISCIPLINE: Key = Key::new(
    "discipline",
    Kind::Word(&Discipline::NAMES),
    Need::WorkedOut(
        "shared in full duplex with holds = transfer: FICON and zHPF interleave frames (Driever, Evolution of the z \
         System channel, 2017); fifo on any other channel",
    ),
    "shared: it interleaves the frames of all its I/Os, which progress evenly (processor sharing); fifo: it carries one \
     I/O at a time in each direction, in the order of asking",
)
.always();

/// A channel.
pub static CHANNEL: Table = Table {
    name: "channel",
    doc: "a channel path (CHPID): the serial time of an I/O on it, and how it serves several",
    keys: &[&NAME, &COUNTED, &CHANNEL_TYPE, &PER_IO, &CHANNEL_PER_KIB, &DUPLEX, &HOLDS, &DISCIPLINE],
    choices: &[],
    notes: true,
};

/// The channels of a path group.
pub static CHANNELS_OF: Key = Key::new(
    "channels",
    Kind::Refers(&[&CHANNEL]),
    Need::Optional("no part of a connect time is serial"),
    "the channels of the path group, a path each; several control units may share a channel",
);
/// How the path group chooses.
pub static SELECTION: Key = Key::new(
    "selection",
    Kind::Word(&Selection::NAMES),
    Need::Default("rotating", "the channel subsystem takes the paths of a device in turn"),
    "rotating: the channels in turn, whatever is there; first-free: the next in turn that is free, with one queue for \
     all, or of shared channels the one with the fewest I/Os",
)
.beside(&["channels"]);
