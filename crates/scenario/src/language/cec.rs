//! The processors of the machine, and how partitions or threads share them: in fixed slices, by weight, or by limits.

use super::{Choice, Key, Kind, Need, Table};

/// The most processors, physical ones of a machine and logical ones of a partition.
pub const MOST_PROCESSORS: u32 = 256;

/// All shared processors go to one partition at a time.
pub const TOGETHER: &str = "together";
/// Each is a turn ahead of the one before it.
pub const APART: &str = "apart";

/// Fixed slices in turn.
pub const SLICES: &str = "slices";
/// Logical processors by weight.
pub const PRSM: &str = "prsm";
/// Threads in groups.
pub const CFS: &str = "cfs";

/// It is so.
pub const YES: &str = "yes";
/// It is not so.
pub const NO: &str = "no";

/// An interrupt waits for its turn.
pub const NEVER: &str = "never";
/// It preempts one that has had more of its share.
pub const BY_SHARE: &str = "share";
/// It preempts any.
pub const ALWAYS: &str = "always";

/// The machines that ship with slicewright.
pub const SHIPPED: [&str; 11] = ["z990", "z9", "z10", "z196", "zEC12", "z13", "z14", "z15", "z16", "z17", "generic"];

const OTHER: Need = Need::Optional("the other says how long a slice is, or there are no slices");

/// Physical processors.
pub static PROCESSORS: Key = Key::new(
    "processors",
    Kind::Count(1, MOST_PROCESSORS),
    Need::Required("partitions share a number of them"),
    "physical processors, including those of dedicated partitions",
);
/// Which machine it is.
pub static MACHINE: Key = Key::new(
    "machine",
    Kind::Word(&SHIPPED),
    Need::Optional("how cores lie and which caches they share is in [topology], or does not matter"),
    "arrangement of its cores and the caches that they share: a description that ships with slicewright; those of dedicated \
     partitions come first",
);
/// By which rules they go round.
pub static DISPATCHER: Key = Key::new(
    "dispatcher",
    Kind::Word(&[SLICES, PRSM, CFS]),
    Need::WorkedOut(
        "slices, as in both domains of the study; prsm where no partition shares processors and no slice is given; cfs where \
         there are cgroups",
    ),
    "the scheduler of shared processors: fixed slices in turn (580/MDF), each logical processor by weight (PR/SM), \
     or threads in groups with limits (Linux's fair scheduler)",
)
.always();
/// The scheduling parameter.
pub static SCHEDULING_PARAMETER: Key = Key::new(
    "scheduling_parameter",
    Kind::Count(1, 5),
    OTHER,
    "SCHEDULING PARAMETER of the System Scheduling screen (figure 3): the slice of an equal share is 35 - 5 x this ms, \
     30 at 1 and 10 at 5 (Partitioning Large Processors, 7.0)",
);
/// The slice.
pub static SLICE: Key = Key::new(
    "slice",
    Kind::Span("10 us", "1 h"),
    OTHER,
    "the slice of an equal share, where no scheduling parameter gives it",
);
/// Whether processors are given together.
pub static DISPATCHING: Key = Key::new(
    "dispatching",
    Kind::Word(&[TOGETHER, APART]),
    Need::Default(TOGETHER, "without it slices would make no difference: some processor would always be there"),
    "assignment of shared processors: all to one partition at a time, or each a turn ahead of the one before it",
)
.sometimes();
/// How long a logical processor runs.
pub static RUN_TIME: Key = Key::new(
    "run_time",
    Kind::Span("1 ms", "100 ms"),
    Need::Optional(
        "25 ms x shared physical / logical processors that share them, from 12.5 to 25 ms, and 100 ms for a vertical high \
         (PR/SM Planning Guide)",
    ),
    "PR/SM: longest run of a logical processor before others are looked at, in place of the formula; a vertical high \
     has 100 ms",
);
/// Whether a wait ends a run.
pub static WAIT_COMPLETION: Key = Key::new(
    "wait_completion",
    Kind::Word(&[NO, YES]),
    Need::Default(NO, "PR/SM's own default: a logical processor in wait gives its physical one up"),
    "PR/SM, Wait Completion: whether a logical processor keeps its physical one through waits until its run is over",
)
.sometimes();
/// Whether interrupts take processors.
pub static PREEMPTION: Key = Key::new(
    "preemption",
    Kind::Word(&[NEVER, BY_SHARE, ALWAYS]),
    Need::Default(BY_SHARE, "an I/O interrupt may pre-empt who has had more of its share (PR/SM Planning Guide)"),
    "PR/SM: whether an I/O interrupt takes a physical processor from a logical one of another partition",
)
.sometimes();
/// The runtime that a processor takes from a quota at a time.
pub static BANDWIDTH_SLICE: Key = Key::new(
    "bandwidth_slice",
    Kind::Span("10 us", "1 s"),
    Need::Default("5 ms", "the kernel's own default (Linux, sched-bwc)"),
    "cfs, sched_cfs_bandwidth_slice_us: what a processor takes from the quota of a group at a time",
)
.sometimes();
/// How long a thread is meant to run.
pub static BASE_SLICE: Key = Key::new(
    "base_slice",
    Kind::Span("100 us", "1 s"),
    Need::Default(
        "3 ms",
        "0.75 ms x (1 + log2 of the processors, 8 at most), the kernel's own default from 8 processors on",
    ),
    "cfs, base_slice_ns: how long a thread is meant to run before others of its group are looked at, and a group before others",
)
.sometimes();
/// How far apart ticks are.
pub static TICK: Key = Key::new(
    "tick",
    Kind::Span("0 us", "100 ms"),
    Need::Default("0 ms", "nothing is late: that a quota or a slice is used up is noticed at once"),
    "cfs: time between ticks of a processor (1 / CONFIG_HZ), which detect a used-up quota or slice; \
     use above the quota is owed",
)
.sometimes();
/// Whether a thread that wakes may preempt.
pub static WAKEUP_PREEMPTION: Key = Key::new(
    "wakeup_preemption",
    Kind::Word(&[YES, NO]),
    Need::Default(YES, "tasks can preempt others if their virtual deadline is earlier (Linux, sched-eevdf)"),
    "cfs: whether a thread that wakes with the earliest deadline preempts the running thread, or waits until that one has had \
     its base slice",
)
.sometimes();
/// At ticks and at the ends of steps.
pub const AT_STEPS: &str = "steps";
/// At ticks only.
pub const AT_TICKS: &str = "ticks";

/// The places where the end of a slice is noticed.
pub static SLICE_ENDS: Key = Key::new(
    "slice_ends",
    Kind::Word(&[AT_STEPS, AT_TICKS]),
    Need::Default(AT_STEPS, "most steps of a program end in a call of the kernel"),
    "cfs with ticks: where the end of a base slice is noticed. steps: at ticks and at the ends of steps of a program. \
     ticks: at ticks and calls of the scheduler only, for programs that compute in several steps",
)
.sometimes();
/// The caller's virtual time is at its deadline.
pub const FORFEIT: &str = "forfeit";
/// The caller's deadline is later.
pub const DEADLINE: &str = "deadline";

/// The effect of a yield.
pub static SCHED_YIELD: Key = Key::new(
    "sched_yield",
    Kind::Word(&[FORFEIT, DEADLINE]),
    Need::Default(FORFEIT, "kernels since 2025: the caller forfeits the rest of its virtual slice"),
    "cfs: what sched_yield takes from its caller. forfeit: the rest of its base slice, in virtual time. deadline: its \
     virtual deadline alone is a base slice later, as from 6.6 on",
)
.sometimes();
/// The time of a switch.
pub static SWITCH: Key = Key::new(
    "switch",
    Kind::Span("0 us", "1 s"),
    Need::Default("0 ms", "the source says that switches cost, not how much"),
    "time to switch a processor to a partition, taken from the beginning of that partition's slice or run; cfs: time of a \
     thread that a processor begins to run",
)
.sometimes();

/// The processors.
pub static CEC: Table = Table {
    name: "cec",
    doc: "the central electronic complex: the processors that partitions share, in slices of fixed length or by weight, or threads",
    keys: &[
        &PROCESSORS,
        &MACHINE,
        &DISPATCHER,
        &SCHEDULING_PARAMETER,
        &SLICE,
        &DISPATCHING,
        &RUN_TIME,
        &WAIT_COMPLETION,
        &PREEMPTION,
        &BANDWIDTH_SLICE,
        &BASE_SLICE,
        &TICK,
        &WAKEUP_PREEMPTION,
        &SLICE_ENDS,
        &SCHED_YIELD,
        &SWITCH,
    ],
    choices: &[Choice {
        keys: &[&SCHEDULING_PARAMETER, &SLICE],
        needed: false,
        why: "the length of a slice comes from the scheduling parameter or is given, not both",
    }],
    notes: true,
};
