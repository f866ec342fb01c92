//! The limit on the I/Os a second that a volume starts.

use super::{Key, Kind, Need};

/// How many I/Os a second may start.
pub static IO_LIMIT: Key = Key::new(
    "limit",
    Kind::Rate(1.0, 1e7),
    Need::Optional("I/Os start as soon as they have an exposure"),
    "how many I/Os a second may start, as `riops` of io.max; an I/O without a token keeps its exposure and stays pending",
);
/// Whose tokens come at once.
pub static IO_SLICE: Key = Key::new(
    "limit_slice",
    Kind::Span("1 ms", "10 s"),
    Need::Default("100 ms", "Linux, block/blk-throttle.c: DFL_THROTL_SLICE, a tenth of a second"),
    "the tokens of a slice are all there when it begins; an I/O that finds none waits for the next slice",
)
.beside(&["limit"]);
/// The step of the clock.
pub static IO_TICK: Key = Key::new(
    "limit_tick",
    Kind::Span("0 ms", "100 ms"),
    Need::Default("0 ms", "slices begin and end to the unit"),
    "tick of the clock that slices are counted in; waiting I/Os go on one tick after a slice has begun",
)
.beside(&["limit"]);
