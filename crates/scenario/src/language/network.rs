//! Networks between virtual machines: how far away the other end is, and how fast bytes go.

use super::{Key, Kind, NAME, Need, Table};

/// How far away the other end is.
pub static LATENCY: Key = Key::new(
    "latency",
    Kind::Span("0 us", "10 s"),
    Need::Required("how far away the other end is, is what a network is about"),
    "latency of the first byte",
);
/// How fast bytes go.
pub static NETWORK_RATE: Key = Key::new(
    "rate",
    Kind::Bytes("1 kB", "1048576 MiB"),
    Need::Optional("bytes take no time beyond the latency"),
    "bytes per second to one end, as an amount of data: \"100 MB\"",
);

/// A network.
pub static NETWORK: Table = Table {
    name: "network",
    doc: "a network between virtual machines: what goes over it takes its latency and bytes / rate, whatever else goes there",
    keys: &[&NAME, &LATENCY, &NETWORK_RATE],
    choices: &[],
    notes: true,
};
