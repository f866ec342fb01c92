//! The parts of the channel subsystem: control units, alias pools, volumes and their service.

use super::{
    CHANNELS_OF, CONNECT_DISTRIBUTION, Choice, DISTRIBUTION, IO_LIMIT, IO_SLICE, IO_TICK, Key, Kind, Need, PARTITION,
    SELECTION, Table,
};
use machine::plan::Redispatch;

/// The most characters a name has.
pub const LONGEST_NAME: usize = 32;

/// The name of a part.
pub static NAME: Key = Key::new(
    "name",
    Kind::Name(LONGEST_NAME),
    Need::Required("other tables, results and --set refer to it by its name"),
    "name; no two of a kind have the same name",
);

/// Channel paths.
pub static PATHS: Key = Key::new(
    "paths",
    Kind::Count(1, 8),
    Need::Default("4", "reports print it; how many there are makes a difference only when some of them go"),
    "channel paths to the control unit, as reports print them",
);
/// How connected I/Os slow each other.
pub static SHARING: Key = Key::new(
    "sharing",
    Kind::Percent(100.0),
    Need::Default("0 %", "connected I/Os do not slow each other"),
    "with n connected each progresses at 1 / (1 + sharing (n - 1)); 100 % is one path shared by all",
);

/// A control unit.
pub static CONTROL_UNIT: Table = Table {
    name: "control_unit",
    doc: "a control unit with the path group that leads to it",
    keys: &[&NAME, &PATHS, &CHANNELS_OF, &SELECTION, &SHARING],
    choices: &[],
    notes: true,
};

/// Aliases of a pool.
pub static POOL_ALIASES: Key = Key::new(
    "aliases",
    Kind::Count(0, 65_535),
    Need::Required("the number of aliases is what a pool is about"),
    "aliases in the pool; may be 0",
);
/// Device number of the first alias.
pub static FIRST_ALIAS: Key = Key::new(
    "first_alias",
    Kind::Device,
    Need::WorkedOut("numbered upward from the device after the highest base, past numbers in use"),
    "device number of the first alias; the others follow it",
)
.always()
.beside(&["aliases"]);
/// The next work of a freed alias.
pub static REDISPATCH: Key = Key::new(
    "redispatch",
    Kind::Word(&Redispatch::NAMES),
    Need::Default("none", "not documented for z/VM; a freed alias is taken to go back to the pool"),
    "action of an alias when its I/O ends: return to the pool, take from its volume, take from any volume of the pool",
)
.beside(&["aliases"]);

/// A HyperPAV pool.
pub static ALIAS_POOL: Table = Table {
    name: "alias_pool",
    doc: "aliases that any volume of the pool may borrow for one I/O (HyperPAV)",
    keys: &[&NAME, &POOL_ALIASES, &FIRST_ALIAS, &REDISPATCH],
    choices: &[],
    notes: true,
};

/// How many of a numbered table.
pub static COUNTED: Key = Key::new(
    "count",
    Kind::Count(1, 10_000),
    Need::Optional("as many as the pattern in its name counts up; without one, one"),
    "number of tables that a name such as `PAGE[00..]` counts up; a resolved scenario has each by itself",
);
/// Base device number.
pub static DEVICE: Key = Key::new(
    "device",
    Kind::Device,
    Need::Required("requests queue at the base device, and reports list it"),
    "device number of the base; of volumes whose name counts up that of the first",
);
/// Device type.
pub static TYPE: Key = Key::new(
    "type",
    Kind::Name(8),
    Need::Default("3390-3", "the volumes of the published reports"),
    "device type as reports print it",
);
/// The control unit it is on.
pub static ON_CONTROL_UNIT: Key = Key::new(
    "control_unit",
    Kind::Refer(&CONTROL_UNIT),
    Need::Optional("connected I/Os do not slow each other"),
    "the control unit it is on",
);
/// The partition it belongs to.
pub static OF_PARTITION: Key = Key::new(
    "partition",
    Kind::Refer(&PARTITION),
    Need::Optional("the end of its I/O is seen at once, without an interrupt"),
    "the partition that does its I/O: the interrupt at the end waits for it, and the device is busy until it is handled",
);
/// The pool it borrows from.
pub static FROM_POOL: Key = Key::new(
    "alias_pool",
    Kind::Refer(&ALIAS_POOL),
    Need::Optional("it borrows no aliases"),
    "HyperPAV: the pool it borrows aliases from",
);
/// Aliases of its own.
pub static BOUND_ALIASES: Key = Key::new(
    "aliases",
    Kind::Count(0, 65_535),
    Need::Optional("it has no aliases of its own"),
    "classic PAV: aliases bound to it",
);
/// Path length between I/Os.
pub static GAP: Key = Key::new(
    "gap",
    Kind::Span("0 us", "1 d"),
    Need::Default("0 ms", "the control program starts the next I/O at once"),
    "path length of the control program between an I/O's end and the next start on the same exposure",
);
/// The parts of an I/O.
pub static SERVICE: Key = Key::new(
    "service",
    Kind::Table(&SERVICE_TABLE),
    Need::Required("an I/O has to take some time"),
    "service time of an I/O, part by part",
);

/// A volume.
pub static VOLUME: Table = Table {
    name: "volume",
    doc: "a disk volume with its base device",
    keys: &[
        &NAME,
        &COUNTED,
        &DEVICE,
        &TYPE,
        &OF_PARTITION,
        &ON_CONTROL_UNIT,
        &FROM_POOL,
        &BOUND_ALIASES,
        &FIRST_ALIAS,
        &REDISPATCH,
        &GAP,
        &IO_LIMIT,
        &IO_SLICE,
        &IO_TICK,
        &SERVICE,
    ],
    choices: &[Choice {
        keys: &[&FROM_POOL, &BOUND_ALIASES],
        needed: false,
        why: "a volume borrows aliases from a pool (HyperPAV) or has its own (PAV), not both",
    }],
    notes: true,
};

/// From the start to the first command.
pub static PEND: Key = Key::new(
    "pend",
    Kind::Distribution(&DISTRIBUTION),
    Need::Default("0 ms", "the device accepts the first command at once"),
    "from the start until the device accepts the first command",
);
/// Working without the path.
pub static DISCONNECT: Key = Key::new(
    "disconnect",
    Kind::Distribution(&DISTRIBUTION),
    Need::Default("0 ms", "every request is found in the control unit's cache"),
    "working without the path",
);
/// Transferring.
pub static CONNECT: Key = Key::new(
    "connect",
    Kind::Distribution(&CONNECT_DISTRIBUTION),
    Need::Required("an I/O has to take some time on the path"),
    "transferring over the path, alone on it",
);

/// The parts of an I/O's service.
pub static SERVICE_TABLE: Table = Table {
    name: "service",
    doc: "the parts of an I/O: pend + disconnect + connect",
    keys: &[&PEND, &DISCONNECT, &CONNECT],
    choices: &[],
    notes: true,
};
