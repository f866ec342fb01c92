//! The channels that ship with slicewright: serial times from published rates, put where a channel names a type.
//!
//! A published rate of I/Os of 4 KiB gives the time per I/O: what 1 / rate leaves when 4 KiB have passed at the link's
//! rate. ASSUME: link rates are data rates of one direction, and in full duplex each direction reaches the published rate.

use crate::language::{CHANNEL_PER_KIB, CHANNEL_TYPES, DUPLEX, FULL, HALF, HOLDS, Key, PER_IO};
use crate::resolved::{Quantity, Value};
use machine::plan::Holds;
use units::Span;

/// A channel as published.
struct Published {
    per_io: &'static str,
    per_kib: &'static str,
    escon: bool,
    why: &'static str,
}

const fn fiber(per_io: &'static str, per_kib: &'static str, why: &'static str) -> Published {
    Published { per_io, per_kib, escon: false, why }
}

static PUBLISHED: [Published; CHANNEL_TYPES.len()] = [
    Published {
        per_io: "203.5 us",
        per_kib: "60.24 us",
        escon: true,
        why: "ESCON: 17 MB/s, half duplex, 2,000 to 2,500 I/Os of 4 KiB per second (Driever, Evolution of the z System channel, 2017)",
    },
    fiber(
        "125.7 us",
        "10.24 us",
        "FICON: 100 MB/s, 6,000 I/Os of 4 KiB per second (Driever, Evolution of the z System channel, 2017)",
    ),
    fiber(
        "61.19 us",
        "2.56 us",
        "FICON Express4: 400 MB/s, 14,000 I/Os of 4 KiB per second: 31,000 of zHPF are 2.2 times as many (IBM, FICON performance)",
    ),
    fiber(
        "38.36 us",
        "1.28 us",
        "FICON Express8S: 800 MB/s, 23,000 I/Os of 4 KiB per second: 92,000 of zHPF are 4 times as many (IBM, FICON performance)",
    ),
    fiber("22.02 us", "2.56 us", "zHPF Express4: 400 MB/s, 31,000 I/Os of 4 KiB per second (IBM, FICON performance)"),
    fiber("14.11 us", "1.28 us", "zHPF Express8: 800 MB/s, 52,000 I/Os of 4 KiB per second (IBM, FICON performance)"),
    fiber("5.75 us", "1.28 us", "zHPF Express8S: 800 MB/s, 92,000 I/Os of 4 KiB per second (IBM, FICON performance)"),
    fiber(
        "0.773 us",
        "0.64 us",
        "zHPF Express16S+: 1,600 MB/s, 300,000 I/Os of 4 KiB per second (IBM z14 and FICON Express16S+ performance, 2017)",
    ),
];

/// The number of a type.
pub fn number(name: &str) -> Option<usize> {
    CHANNEL_TYPES.iter().position(|shipped| *shipped == name)
}

/// The source of the numbers of a type.
pub fn why(number: usize) -> &'static str {
    PUBLISHED[number].why
}

/// The types that ship: name, serial time per I/O and per KiB.
pub fn published() -> impl Iterator<Item = (&'static str, Span, Span)> {
    let span = |text: &str| text.parse().expect("it is a span");
    CHANNEL_TYPES.into_iter().zip(&PUBLISHED).map(move |(name, own)| (name, span(own.per_io), span(own.per_kib)))
}

/// The value of a key in a type; without one, that of a channel that takes no time.
pub fn gives(number: Option<usize>, key: &Key) -> Value {
    let own = number.map(|number| &PUBLISHED[number]);
    let span = |text: &str| Value::Span(Quantity { value: text.parse().expect("it is a span"), text: text.into() });
    let escon = own.is_some_and(|own| own.escon);
    if std::ptr::eq(key, &PER_IO) {
        span(own.map_or("0 us", |own| own.per_io))
    } else if std::ptr::eq(key, &CHANNEL_PER_KIB) {
        span(own.map_or("0 us", |own| own.per_kib))
    } else if std::ptr::eq(key, &DUPLEX) {
        Value::Text(if escon { HALF } else { FULL }.into())
    } else {
        assert!(std::ptr::eq(key, &HOLDS), "a type has four numbers");
        Value::Text(Holds::NAMES[usize::from(escon)].into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 4 KiB at the link's rate and the time per I/O are the reciprocal of the published rate.
    #[test]
    fn every_type_reaches_its_published_rate() {
        let rates = [2_250.0, 6_000.0, 14_000.0, 23_000.0, 31_000.0, 52_000.0, 92_000.0, 300_000.0];
        for (own, rate) in PUBLISHED.iter().zip(rates) {
            let time = |text: &str| text.parse::<Span>().unwrap().ms();
            let reached = 1e3 / (time(own.per_io) + 4.0 * time(own.per_kib));
            assert!((reached / rate - 1.0).abs() < 1e-3, "{}: {reached}", own.why);
        }
    }
}
