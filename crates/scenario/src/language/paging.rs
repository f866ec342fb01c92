//! Paging and spooling: pages that a control program or a system reads and writes beside the I/O of its guests.

use super::{Key, Kind, NAME, Need, OF_CLASS, PAGING_GROWTH, RUNS_IN, Table, VOLUME};

/// A page of z/Architecture, in bytes (Principles of Operation, SA22-7832: 4K-byte blocks of storage).
pub const PAGE: f64 = 4096.0;
/// The most pages of one I/O: 64 MiB is the most that an I/O transfers.
const MOST_PAGES: f64 = 16_384.0;

const RATE: Kind = Kind::Rate(0.000_001, 1_000_000.0);

/// Where.
pub static PAGED_TO: Key = Key::new(
    "volumes",
    Kind::Refers(&[&VOLUME]),
    Need::Required("paging I/O goes somewhere"),
    "volumes with the page or spool space, each equally likely",
);
/// Pages read.
pub static PAGE_READS: Key = Key::new(
    "reads",
    RATE,
    Need::Optional("no pages are read"),
    "pages read in a second: page-ins of the interval, or spool reads",
);
/// Pages written.
pub static PAGE_WRITES: Key = Key::new(
    "writes",
    RATE,
    Need::Optional("no pages are written"),
    "pages written in a second: page-outs of the interval, or spool writes",
);
/// Pages of an I/O.
pub static PAGES_PER_IO: Key = Key::new(
    "pages_per_io",
    Kind::Number(1.0, MOST_PAGES),
    Need::Required(
        "z/VM pages in blocks, and 6.4 increased what an I/O carries (z/VM Performance Report, z/VM Paging Improvements): \
         divide the pages of your report by its I/Os",
    ),
    "pages of 4 KiB that one I/O transfers, on average; paging with other blocks is a table of its own",
);

/// Paging.
pub static PAGING: Table = Table {
    name: "paging",
    doc: "pages that a control program or a system reads and writes by itself: paging, or spooling",
    keys: &[&NAME, &OF_CLASS, &RUNS_IN, &PAGED_TO, &PAGE_READS, &PAGE_WRITES, &PAGING_GROWTH, &PAGES_PER_IO],
    choices: &[],
    notes: true,
};
