//! How the cores of the machine lie, and which caches they share: a shipped description, or one written out.

use super::{Key, Kind, NAME, Need, Table};

/// Private to a core.
pub const OF_CORE: &str = "core";
/// Shared by the cores of a chip.
pub const OF_CHIP: &str = "chip";
/// Shared by the cores of a book.
pub const OF_BOOK: &str = "book";

/// The largest cache.
pub const LARGEST_CACHE: &str = "1048576 MiB";
/// The smallest cache.
pub const SMALLEST_CACHE: &str = "1 KiB";

const OF_MACHINE: Need = Need::WorkedOut("that of `cec.machine`; without it, it has to be given");

/// Cores on a chip.
pub static CORES_PER_CHIP: Key = Key::new("cores_per_chip", Kind::Count(1, 64), OF_MACHINE, "cores per chip").always();
/// Chips in a book.
pub static CHIPS_PER_BOOK: Key =
    Key::new("chips_per_book", Kind::Count(1, 64), OF_MACHINE, "chips per book (or drawer)").always();
/// Processors of a book.
pub static CORES_PER_BOOK: Key = Key::new(
    "cores_per_book",
    Kind::Count(1, 4_096),
    Need::Optional("that of `cec.machine`; without it all cores of its chips"),
    "processors of a book (or drawer) that partitions can have; the last chips of a book then have fewer, or none",
);
/// The cost of a unit of nest intensity.
pub static NEST_COST: Key = Key::new(
    "nest_cost",
    Kind::Number(0.0, 100.0),
    Need::Optional("`beyond` is as assumed of any machine"),
    "addition to the time in warm caches for each unit of `nest`: `beyond` is 1 + `nest` x `nest_cost`",
);
/// Caches.
pub static CACHES: Key = Key::new(
    "cache",
    Kind::Named(&CACHE_LEVEL),
    Need::Optional("those of `cec.machine`; without it there are none, and only distances matter"),
    "a level of caches, the innermost first, at most three",
);

/// The topology.
pub static TOPOLOGY: Table = Table {
    name: "topology",
    doc: "arrangement of the machine's cores and the caches that they share, written out, or `cec.machine` with another `beyond`",
    keys: &[&CORES_PER_CHIP, &CHIPS_PER_BOOK, &CORES_PER_BOOK, &NEST_COST, &CACHES],
    choices: &[],
    notes: true,
};

/// The cores that share it.
pub static SHARED_BY: Key = Key::new(
    "shared_by",
    Kind::Word(&[OF_CORE, OF_CHIP, OF_BOOK]),
    OF_MACHINE,
    "the cores that share one of them: a single core, the cores of a chip, the cores of a book",
)
.always();
/// How large it is.
pub static CACHE_SIZE: Key =
    Key::new("size", Kind::Bytes(SMALLEST_CACHE, LARGEST_CACHE), OF_MACHINE, "size of one of them").always();
/// The published weight of a fetch from beyond it.
pub static NEST: Key = Key::new(
    "nest",
    Kind::Number(0.0, 1_000.0),
    Need::Optional("that of `cec.machine`; without it there is none"),
    "weight of a fetch from beyond it in the machine's Relative Nest Intensity, without the common factor",
);
/// The slowness beyond it.
pub static BEYOND: Key = Key::new(
    "beyond",
    Kind::Number(1.0, 100.0),
    Need::WorkedOut(
        "assumed, latencies are not published: 1 + `nest` x `nest_cost` where a scenario has both, else 1.3 beyond the \
         innermost, 2.5 beyond the next, 4 beyond the outermost",
    ),
    "factor on the time in warm caches for work whose storage is in no cache up to this one",
)
.always();

/// A level of caches.
pub static CACHE_LEVEL: Table = Table {
    name: "cache_level",
    doc: "a level of caches",
    keys: &[&NAME, &SHARED_BY, &CACHE_SIZE, &NEST, &BEYOND],
    choices: &[],
    notes: true,
};
