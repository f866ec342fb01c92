//! The control program of a partition (z/VM): what SET SRM sets, its scheduler lock, what its path costs, when it parks.

use super::pause_loop::PAUSE_LOOP_TABLE;
use super::virtual_machine::{RETRIES, TRIES, YIELDING};
use super::{HORIZONTAL, Key, Kind, NEVER, Need, Table, VERTICAL};

/// By count.
pub const RESHUFFLE: &str = "reshuffle";
/// By predicted use.
pub const REBALANCE: &str = "rebalance";
/// Not at all, and nothing hoped for.
pub const NONE: &str = "none";

/// Little is hoped for.
pub const LOW_USE: &str = "low";
/// Some is hoped for.
pub const MEDIUM: &str = "medium";
/// All is hoped for.
pub const HIGH_USE: &str = "high";

/// As many as entitlement and hope allow.
pub const LARGE: &str = "large";
/// As many as are needed.
pub const SMALL: &str = "small";

/// One list for all.
pub const GLOBAL: &str = "global";
/// The same, and the processor that has been idle longest handles wake-ups.
pub const FREE: &str = "free";
/// From any other at once.
pub const EAGER: &str = "eager";
/// From the nearest.
pub const NEAR: &str = "near";

/// The scheduler lock is exclusive.
pub const EXCLUSIVE_LOCK: &str = "exclusive";
/// The scheduler lock is shared.
pub const SHARED_LOCK: &str = "shared";

pub(super) const POLARITIES: Kind = Kind::Word(&[HORIZONTAL, VERTICAL]);
pub(super) const METHODS: Kind = Kind::Word(&[RESHUFFLE, REBALANCE, NONE]);
pub(super) const PADS: Kind = Kind::Percent(6_400.0);
pub(super) const EXCESS: Kind = Kind::Word(&[NONE, LOW_USE, MEDIUM, HIGH_USE]);
pub(super) const UNPARKINGS: Kind = Kind::Word(&[LARGE, MEDIUM, SMALL]);
pub(super) const DISPATCH_SLICES: Kind = Kind::Span("1 ms", "100 ms");

/// How its processors are used.
pub static SRM_POLARIZATION: Key = Key::new(
    "polarization",
    POLARITIES,
    Need::Default(VERTICAL, "z/VM's own default from 6.3 on"),
    "SET SRM POLARIZATION: all logical processors alike, or as few as possible: high, medium and low ones, some parked",
);
/// How virtual processors are placed.
pub static METHOD: Key = Key::new(
    "method",
    METHODS,
    Need::Default(RESHUFFLE, "z/VM's own default"),
    "SET SRM DSPWDMETHOD: how virtual processors are placed on dispatch vectors in vertical mode: evenly by count, or the \
     biggest first with siblings together; `none` leaves them where they are, which no product does",
);
/// The padding of the prediction.
pub static CPUPAD: Key = Key::new(
    "cpupad",
    PADS,
    Need::Default("100 %", "z/VM's own default"),
    "SET SRM CPUPAD: processors' worth kept unparked beyond what is predicted to be used; 100 % is one processor",
);
/// The excess share.
pub static EXCESSUSE: Key = Key::new(
    "excessuse",
    EXCESS,
    Need::Default(MEDIUM, "z/VM's own default"),
    "SET SRM EXCESSUSE: how much of what other partitions leave it hopes for",
);
/// How many are used.
pub static UNPARKING: Key = Key::new(
    "unparking",
    UNPARKINGS,
    Need::Default(LARGE, "z/VM's own default"),
    "SET SRM UNPARKING: as many processors as it is entitled to and hopes for, as it is entitled to, or as it needs",
);
/// The dispatch slice.
pub static DSPSLICE: Key = Key::new(
    "slice",
    DISPATCH_SLICES,
    Need::Default("5 ms", "assumed: z/VM sets it by the speed of the processor unless told otherwise"),
    "SET SRM DSPSLICE: how long a virtual processor runs before others are looked at",
);
/// How much slices stray.
pub static SLICE_JITTER: Key = Key::new(
    "slice_jitter",
    Kind::Percent(100.0),
    Need::Default("25 %", "assumed: slices of one length would bring virtual processors back to one place for ever"),
    "largest deviation of a dispatch slice from its length, either way",
);
/// Where virtual processors are at home first.
pub static HOMES: Key = Key::new(
    "homes",
    Kind::Word(&[IN_TURN, DRAWN]),
    Need::Default(IN_TURN, "assumed: as if all had logged on one after the other"),
    "home vectors of virtual processors at the start: one after the other (in-turn), or any (drawn); \
     one that is never idle and never stolen stays there",
);
/// One after the other.
pub const IN_TURN: &str = "in-turn";
/// Any, each equally likely.
pub const DRAWN: &str = "drawn";
/// The order in a vector.
pub static VECTOR_ORDER: Key = Key::new(
    "vector_order",
    Kind::Word(&[SHARE_ORDER, ARRIVAL_ORDER]),
    Need::Default(SHARE_ORDER, "assumed: dispatching priority follows what has been had of the share"),
    "order in a dispatch vector: the least charge over share first, or first come, first served whatever the share",
);
/// The least charge over share.
pub const SHARE_ORDER: &str = "share";
/// First come, first served.
pub const ARRIVAL_ORDER: &str = "arrival";
/// The rule of stealing in horizontal mode.
pub static HORIZONTAL_STEALING: Key = Key::new(
    "horizontal_stealing",
    Kind::Word(&[GLOBAL, FREE, EAGER]),
    Need::Default(GLOBAL, "assumed: whoever is free takes the first in order of priority, from anywhere"),
    "horizontal mode. global: one list of ready virtual processors. free: the same, and the processor that has been idle \
     longest handles wake-ups. eager: a vector each, and a processor with an empty one steals from any other",
);
/// The rule of stealing in vertical mode.
pub static VERTICAL_STEALING: Key = Key::new(
    "vertical_stealing",
    Kind::Word(&[NEAR, EAGER]),
    Need::Default(NEAR, "z/VM HiperDispatch: the nearest by topology first, farther only past a barrier"),
    "vertical mode: a processor with an empty vector steals from the nearest where enough wait, or from any other",
);
/// The number that has to wait before a steal.
pub static BARRIERS: Key = Key::new(
    "barriers",
    Kind::Counts(3, 1, 1_000),
    Need::Default("[1, 2, 4]", "assumed: that there are barriers is documented, how high they are is not"),
    "number that has to wait in a vector before a processor steals from it: one on the same chip, in the same book, farther",
);
/// The scheduler lock.
pub static LOCK: Key = Key::new("lock", Kind::Table(&SCHEDULER_LOCK), Need::Defaults, "the scheduler lock (SRMSLOCK)");
/// The costs of its path.
pub static COSTS: Key =
    Key::new("costs", Kind::Table(&PATH_COSTS), Need::Defaults, "the costs of the control program's path");
/// When it parks.
pub static CONTROLLER: Key =
    Key::new("controller", Kind::Table(&PARKING), Need::Defaults, "when processors are parked and unparked");
/// How long a wait is soft.
pub static SOFT_WAIT: Key = Key::new(
    "soft_wait",
    Kind::Span("0 us", "1 min"),
    Need::Default("300 ms", "assumed: the test idle time of z/VM, after which who waits leaves the dispatch list"),
    "soft wait of an idle virtual processor, which only outcomes of DIAGNOSE X'9C' distinguish from wait",
);
/// How loops are intercepted.
pub static PAUSE_LOOPS: Key = Key::new(
    "pause_loop",
    Kind::Table(&PAUSE_LOOP_TABLE),
    Need::Optional("loops of guests that spin are not intercepted"),
    "pause-loop exiting: how loops of guests with `yields = \"pause-loop\"` are intercepted",
);

/// The control program.
pub static CONTROL_PROGRAM_TABLE: Table = Table {
    name: "control_program",
    doc: "the control program of a partition (z/VM), which dispatches virtual machines on its logical processors",
    keys: &[
        &SRM_POLARIZATION,
        &METHOD,
        &CPUPAD,
        &EXCESSUSE,
        &UNPARKING,
        &DSPSLICE,
        &SLICE_JITTER,
        &HOMES,
        &VECTOR_ORDER,
        &HORIZONTAL_STEALING,
        &VERTICAL_STEALING,
        &BARRIERS,
        &LOCK,
        &COSTS,
        &CONTROLLER,
        &SOFT_WAIT,
        &PAUSE_LOOPS,
    ],
    choices: &[],
    notes: true,
};

const COST: Kind = Kind::Span("0 us", "10 ms");

const fn assumed(text: &'static str) -> Need {
    Need::Default(text, "assumed: of the order of what is published of a z10 (z/VM HiperDispatch, table 1)")
}

const fn assumed_diagnose(text: &'static str) -> Need {
    Need::Default(text, "assumed: what a DIAGNOSE costs is not published")
}

/// How the lock is taken.
pub static LOCK_MODE: Key = Key::new(
    "mode",
    Kind::Word(&[SHARED_LOCK, EXCLUSIVE_LOCK]),
    Need::Default(SHARED_LOCK, "z/VM from 5.3 on: the work of one vector takes it shared"),
    "exclusive for all list work (5.2), or shared for that of one vector and exclusive for joining and leaving (5.3)",
);
/// How long it is held.
pub static LOCK_HOLD: Key = Key::new(
    "hold",
    COST,
    assumed("0.7 us"),
    "time for which an uncontended list operation holds it; with 0 there is no lock",
);
/// The additional time per waiter.
pub static PER_WAITER: Key = Key::new(
    "per_waiter",
    COST,
    assumed("0.4 us"),
    "additional time for each that held it or waited for it when the holder came: its cache line is contended; \
     calibrated with 8 and 16 processors and compared with measurements up to 32",
);
/// The first that came.
pub const FIFO: &str = "fifo";
/// The first dispatched one.
pub const DISPATCHED_FIRST: &str = "dispatched-first";
/// The next holder.
pub static HANDOVER: Key = Key::new(
    "handover",
    Kind::Word(&[FIFO, DISPATCHED_FIRST]),
    Need::Default(
        DISPATCHED_FIRST,
        "a lock that is taken by compare and swap: Linux on Z queues for a lock on dedicated processors alone \
         (arch/s390/lib/spinlock.c); the order in which z/VM hands its locks on is not published",
    ),
    "next holder where the partition shares its processors: the first that came, dispatched or not, or the first \
     dispatched one",
);
/// The most processors of the measurements that `PER_WAITER` was compared with (z/VM HiperDispatch, figures).
pub const MOST_MEASURED: u32 = 32;
/// How often it is tried.
pub static OWN_RETRY: Key = Key::new(
    "spin_retry",
    RETRIES,
    Need::Default("1000", "assumed: as Linux does"),
    "attempts of a processor before it yields, where the partition shares its processors",
);
/// How long a try takes.
pub static OWN_TRY: Key = Key::new(
    "spin_try",
    TRIES,
    Need::Default("8 ns", "assumed: about ten cycles of a z990"),
    "time of one such attempt",
);
/// How it yields.
pub static OWN_YIELDS: Key = Key::new(
    "yields",
    YIELDING,
    Need::Default(NEVER, "PR/SM is told nothing; z/VM from 5.3 on tells it (x9c) on a z9"),
    "yield to PR/SM of a processor that spins for it, where the partition shares its processors; no yield where it does not",
);

/// The scheduler lock.
pub static SCHEDULER_LOCK: Table = Table {
    name: "scheduler_lock",
    doc: "the scheduler lock (SRMSLOCK): the slower the more processors want it",
    keys: &[&LOCK_MODE, &LOCK_HOLD, &PER_WAITER, &HANDOVER, &OWN_RETRY, &OWN_TRY, &OWN_YIELDS],
    choices: &[],
    notes: true,
};

/// Waking.
pub static WAKE: Key = Key::new("wake", COST, assumed("1 us"), "of handling a wake-up, beside the lock; not charged");
/// Dispatching.
pub static DISPATCH: Key =
    Key::new("dispatch", COST, assumed("1 us"), "of dispatching a virtual processor, beside the lock; not charged");
/// Leaving.
pub static WAIT: Key = Key::new(
    "wait",
    COST,
    assumed("1 us"),
    "of taking a virtual processor that waits off its vector, beside the lock; not charged",
);
/// Simulating.
pub static SIMULATE: Key =
    Key::new("simulate", COST, assumed("2.5 us"), "of simulating the wait of a virtual processor, charged to it");
/// Looking.
pub static LOOK: Key = Key::new(
    "look",
    COST,
    assumed("0.3 us"),
    "of looking at one dispatch vector for work when its own has none; not charged",
);
/// Entering.
pub static ENTRY: Key = Key::new(
    "entry",
    COST,
    assumed("3 us"),
    "time to refill, at each entry of a virtual processor, the innermost caches and translations that the control \
     program displaced; charged as its own",
);
/// Parking.
pub static PARK: Key = Key::new("park", COST, assumed("50 us"), "of parking or unparking a processor; not charged");
/// Yielding over an empty vector.
pub static FAST_X44: Key = Key::new(
    "fast_x44",
    COST,
    assumed_diagnose("1 us"),
    "of a DIAGNOSE X'44' over an empty vector (fast path), charged to the virtual processor",
);
/// Yielding to any other.
pub static X44_COST: Key = Key::new(
    "x44",
    COST,
    assumed_diagnose("2 us"),
    "of a DIAGNOSE X'44' that ends the slice of its caller, beside the list operation, charged to it",
);
/// Yielding to a target.
pub static X9C_COST: Key =
    Key::new("x9c", COST, assumed_diagnose("2 us"), "of a DIAGNOSE X'9C', whatever its outcome, charged to its caller");
/// Asking whether the target runs.
pub static SENSE: Key = Key::new(
    "sense",
    COST,
    assumed_diagnose("0.2 us"),
    "of SIGP Sense Running Status, which the virtual processor does itself",
);
/// Waking a halted one.
pub static KICK: Key = Key::new(
    "kick",
    COST,
    Need::WorkedOut("assumed: 2 us, as other calls of the control program; nothing where no virtual machine halts"),
    "of the call by which the release of a lock wakes a halted virtual processor, beside the wake-up, charged to the \
     releaser",
);

/// The costs of its path.
pub static PATH_COSTS: Table = Table {
    name: "costs",
    doc: "the costs of the control program's path",
    keys: &[&WAKE, &DISPATCH, &WAIT, &SIMULATE, &LOOK, &ENTRY, &PARK, &FAST_X44, &X44_COST, &X9C_COST, &SENSE, &KICK],
    choices: &[],
    notes: true,
};

/// How often.
pub static DECIDES_EVERY: Key = Key::new(
    "every",
    Kind::Span("10 ms", "1 h"),
    Need::Default("2 s", "z/VM HiperDispatch: every two seconds"),
    "time between decisions on the number of unparked processors and on placement",
);
/// How far back.
pub static HISTORY: Key = Key::new(
    "history",
    Kind::Count(1, 1_000),
    Need::Default("10", "assumed: how far it looks back is not published"),
    "number of past intervals between decisions that it evaluates",
);
/// Which percentile.
pub static PERCENTILE: Key = Key::new(
    "percentile",
    Kind::Percent(100.0),
    Need::Default("90 %", "assumed: how it predicts is not published"),
    "which percentile of what was used in them is what it predicts",
);
/// The margin of the prediction.
pub static MARGIN: Key = Key::new(
    "margin",
    PADS,
    Need::Default("0 %", "assumed: the prediction is taken as it is"),
    "addition to the prediction: 100 % is one processor",
);
/// From which T/V.
pub static TV_THRESHOLD: Key = Key::new(
    "tv_threshold",
    Kind::Number(1.0, 1_000.0),
    Need::Default("1.5", "assumed: from which ratio on is not published"),
    "from which ratio of total to virtual time (T/V) on it keeps no more unparked than the prediction and CPUPAD",
);

/// How many are unparked at first.
pub static UNPARKED_AT_START: Key = Key::new(
    "start",
    Kind::Count(1, 256),
    Need::Optional("all of them"),
    "logical processors that are unparked before the first decision, in vertical mode",
);

/// When it parks.
pub static PARKING: Table = Table {
    name: "controller",
    doc: "when a control program parks and unparks processors",
    keys: &[&DECIDES_EVERY, &HISTORY, &PERCENTILE, &MARGIN, &TV_THRESHOLD, &UNPARKED_AT_START],
    choices: &[],
    notes: true,
};
