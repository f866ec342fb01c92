//! Locks that threads share under Linux: what a thread does while it waits, and in which order they are granted.

use super::{Key, Kind, NAME, Need, TICKET, Table, UNORDERED};

/// It tries again and again.
pub const SPINS: &str = "spin";
/// It yields its processor after some tries.
pub const YIELDS_AFTER: &str = "yield";
/// It sleeps until it is woken.
pub const SLEEPS: &str = "sleep";

/// The most threads that may wait for locks, so that each has room in the queues.
pub const MOST_LOCKING: u32 = 256;

/// How it is waited for.
pub static WAITS_BY: Key = Key::new(
    "wait",
    Kind::Word(&[SPINS, YIELDS_AFTER, SLEEPS]),
    Need::Required("what a waiting thread does with its processor is what such a lock is about"),
    "what a thread does that finds it held. spin: tries until it has it. yield: calls sched_yield after `tries`. \
     sleep: sleeps until a release wakes it, as with a futex",
);
/// The order of grants.
pub static TURNS: Key = Key::new(
    "order",
    Kind::Word(&[UNORDERED, TICKET]),
    Need::Default(UNORDERED, "an atomic exchange has no order"),
    "order of grants. unordered: the first to try once it is free, newcomers too. ticket: first come, first served",
);
/// The time of a try.
pub static ATTEMPT: Key = Key::new(
    "attempt",
    Kind::Span("1 ns", "1 ms"),
    Need::Default("10 ns", "about the time of an atomic exchange; measure your own"),
    "processor time of a try; an uncontended lock takes one",
);
/// How often a thread tries before it yields.
pub static TRIES_BEFORE: Key = Key::new(
    "tries",
    Kind::Count(1, 1_000_000),
    Need::Default("100", "as many as the spin phase of common locks has"),
    "yield: tries before a thread yields, each time",
)
.sometimes();
/// The time of the call that yields or sleeps.
pub static CALL: Key = Key::new(
    "call",
    Kind::Span("0 us", "1 ms"),
    Need::Default("0.3 us", "about the time of a system call; measure your own"),
    "yield, sleep: processor time of the call that yields, or that goes to sleep",
)
.sometimes();
/// The time of the call that wakes.
pub static WAKE_CALL: Key = Key::new(
    "wake",
    Kind::Span("0 us", "1 ms"),
    Need::Default("1 us", "about the time of a system call that wakes a thread; measure your own"),
    "sleep: processor time of the call that wakes, at each release after a wait",
)
.sometimes();
/// The nice level of the holder.
pub static LIFT: Key = Key::new(
    "lift",
    Kind::Number(-20.0, 19.0),
    Need::Optional("a holder keeps its own"),
    "nice level of a thread while it holds the lock, so that its scheduler prefers it",
);

/// A lock of threads.
pub static THREAD_LOCK: Table = Table {
    name: "thread_lock",
    doc: "a lock that threads share: one has it, and the others spin, yield their processor or sleep",
    keys: &[&NAME, &WAITS_BY, &TURNS, &ATTEMPT, &TRIES_BEFORE, &CALL, &WAKE_CALL, &LIFT],
    choices: &[],
    notes: true,
};
