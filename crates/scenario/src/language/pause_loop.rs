//! Pause-loop exiting: after which window the loop of a guest that spins is intercepted, and what happens then.

use super::{Key, Kind, Need, Table};

/// One of the same machine that waits for a processor.
pub const PREEMPTED: &str = "preempted";
/// The first of the vector.
pub const NEXT: &str = "next";

/// How long a guest may loop at first.
pub static LOOP_WINDOW: Key = Key::new(
    "window",
    WINDOWS,
    Need::Default("1365 ns", "KVM's own default, ple_window: 4096 cycles, here of a processor of 3 GHz"),
    "how long a virtual processor may loop before its processor intercepts that, at first",
);
/// How slow a loop may be.
pub static LOOP_GAP: Key = Key::new(
    "gap",
    Kind::Span("1 ns", "10 us"),
    Need::Default("43 ns", "KVM's own default, ple_gap: 128 cycles, here of a processor of 3 GHz"),
    "longest time between two attempts (`spin_try`) of a loop; a slower one is not recognized",
);
/// How a window grows.
pub static LOOP_GROW: Key = Key::new(
    "grow",
    FACTOR,
    Need::Default("2", "KVM's own default, ple_window_grow"),
    "factor by which each exit multiplies the window of a virtual processor; at 0 it is the first one again",
);
/// How a window shrinks.
pub static LOOP_SHRINK: Key = Key::new(
    "shrink",
    FACTOR,
    Need::Default("0", "KVM's own default, ple_window_shrink"),
    "divisor of the window at each dispatch; at 0 it is the first one again",
);
/// The longest window.
pub static LOOP_MOST: Key = Key::new(
    "most",
    WINDOWS,
    Need::Default(
        "1.43 s",
        "KVM's own default on Intel, ple_window_max: 2^32 - 1 cycles, here of a processor of 3 GHz",
    ),
    "longest window",
);
/// The cost of an exit.
pub static LOOP_EXIT: Key = Key::new(
    "exit",
    Kind::Span("0 us", "10 ms"),
    Need::Default("1 us", "assumed: what an exit costs depends on the machine"),
    "of an exit and the search that follows, charged to the virtual processor",
);
/// The next to run.
pub static LOOP_TARGET: Key = Key::new(
    "target",
    Kind::Word(&[PREEMPTED, NEXT]),
    Need::Default(PREEMPTED, "KVM, kvm_vcpu_on_spin: a virtual processor of the same machine that was preempted"),
    "next to run. preempted: a virtual processor of the same machine that waits for a processor, in turn (KVM). next: \
     the first of the vector, whosever it is (Xen)",
);

const WINDOWS: Kind = Kind::Span("100 ns", "10 s");
const FACTOR: Kind = Kind::Count(0, 1_000);

/// Pause-loop exiting.
pub static PAUSE_LOOP_TABLE: Table = Table {
    name: "pause_loop",
    doc: "pause-loop exiting (PLE): a processor intercepts the loop of a guest that spins, and its control program yields",
    keys: &[&LOOP_WINDOW, &LOOP_GAP, &LOOP_GROW, &LOOP_SHRINK, &LOOP_MOST, &LOOP_EXIT, &LOOP_TARGET],
    choices: &[],
    notes: true,
};
