//! How random spans are distributed: six kinds by mean and spread, and the linear growth of connect time with concurrency and size.

use super::{Choice, Key, Kind, Need, Table};

const OTHER: Need = Need::Optional("another kind of distribution is given");

/// The longest mean: with the largest spread, no span that is ever drawn is beyond the TOD clock.
pub const LONGEST: &str = "1 d";

/// Always the same.
pub static CONSTANT: Key = Key::new("constant", Kind::Span("0 us", LONGEST), OTHER, "always this span");
/// Memoryless.
pub static EXPONENTIAL: Key =
    Key::new("exponential", Kind::Span("0.001 us", LONGEST), OTHER, "memoryless, with this mean");
/// Equally likely between two bounds.
pub static UNIFORM: Key = Key::new("uniform", Kind::SpanPair, OTHER, "every span between these two equally likely");
/// Sum of exponential stages.
pub static ERLANG: Key =
    Key::new("erlang", Kind::Span("0.001 us", LONGEST), OTHER, "the sum of equal exponential stages, with this mean");
/// One of two exponentials.
pub static HYPEREXPONENTIAL: Key = Key::new(
    "hyperexponential",
    Kind::Span("0.001 us", LONGEST),
    OTHER,
    "one of two exponential spans with balanced means, with this mean (scv at least 1)",
);
/// Gamma.
pub static GAMMA: Key = Key::new("gamma", Kind::Span("0.001 us", LONGEST), OTHER, "gamma, with this mean");
/// Stages of an Erlang.
pub static STAGES: Key = Key::new(
    "stages",
    Kind::Count(1, 1_000),
    Need::Required("the number of stages decides the spread"),
    "number of exponential stages",
)
.beside(&["erlang"]);
/// Squared coefficient of variation.
pub static SCV: Key = Key::new(
    "scv",
    Kind::Number(0.001, 1_000.0),
    Need::Required("the squared coefficient of variation decides the spread"),
    "squared coefficient of variation: variance / mean^2",
)
.beside(&["hyperexponential", "gamma"]);
/// Linear growth with concurrency.
pub static PER_CONCURRENT: Key = Key::new(
    "per_concurrent",
    Kind::Span("0 us", "1 s"),
    Need::Default("0 ms", "no growth: connect time does not depend on how many I/Os are in service"),
    "addition to the mean for each I/O in service at the volume, this one included",
);

/// Growth with what is transferred.
pub static PER_KIB: Key = Key::new(
    "per_kib",
    Kind::Span("0 us", "1 s"),
    Need::Default("0 ms", "the mean covers what an I/O transfers, however much that is"),
    "addition to the connect time alone on the path for each KiB that an I/O transfers",
);

const KINDS: Choice = Choice {
    keys: &[&CONSTANT, &EXPONENTIAL, &UNIFORM, &ERLANG, &HYPEREXPONENTIAL, &GAMMA],
    needed: true,
    why: "a span has one distribution",
};

/// A distribution.
pub static DISTRIBUTION: Table = Table {
    name: "distribution",
    doc: "distribution of random spans of time",
    keys: &[&CONSTANT, &EXPONENTIAL, &UNIFORM, &ERLANG, &HYPEREXPONENTIAL, &GAMMA, &STAGES, &SCV],
    choices: &[KINDS],
    notes: true,
};

/// The distribution of connect time.
pub static CONNECT_DISTRIBUTION: Table = Table {
    name: "connect",
    doc: "distribution of connect time, alone on the path, and its growth with concurrency and size",
    keys: &[
        &CONSTANT,
        &EXPONENTIAL,
        &UNIFORM,
        &ERLANG,
        &HYPEREXPONENTIAL,
        &GAMMA,
        &STAGES,
        &SCV,
        &PER_CONCURRENT,
        &PER_KIB,
    ],
    choices: &[KINDS],
    notes: true,
};
