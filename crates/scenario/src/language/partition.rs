//! Partitions, or domains: operating systems with logical processors, under the names of the screens that set them.

use super::{
    ARCHITECTURE_MODE, CONSOLE_ADDRESS, CONTROL_PROGRAM_TABLE, Choice, DISTRIBUTION, Key, Kind, LPAR_GROUP,
    MOST_PROCESSORS, NAME, NO, Need, RMF, STORAGE_LOCATION, STORAGE_SIZE, Table, YES,
};

/// Shared processors.
pub const SHARED: &str = "MP";
/// Processors of its own.
pub const DEDICATED: &str = "UP";

/// Evenly.
pub const HORIZONTAL: &str = "horizontal";
/// On as few as possible.
pub const VERTICAL: &str = "vertical";

/// Logical processors.
pub static LOGICAL_PROCESSORS: Key = Key::new(
    "logical_processors",
    Kind::Count(1, MOST_PROCESSORS),
    Need::Required("programs and interrupts run on them"),
    "NUMBER OF LP'S of the Configuration Attributes screen (figure 2): number of logical processors",
);
/// Logical processors online.
pub static ONLINE: Key = Key::new(
    "online",
    Kind::Count(1, MOST_PROCESSORS),
    Need::Optional("all of its logical processors are online"),
    "PR/SM, initial processors: number of its logical processors online at the start, the first ones; the others are \
     reserved, and a change configures them online",
)
.beside(&["weight"]);
/// Shared or dedicated.
pub static MODE: Key = Key::new(
    "mode",
    Kind::Word(&[SHARED, DEDICATED]),
    Need::Default(SHARED, "partitions share the processors, as in both domains of the study"),
    "MP: it shares processors with others, in slices; UP: each logical processor has a physical one for itself \
     (Partitioning Large Processors, 5.0)",
);
/// The share that is aimed at.
pub static TARGET: Key = Key::new(
    "target",
    Kind::Percent(100.0),
    Need::Optional("mode is UP: it shares nothing, or PR/SM goes by weights; else it has to be given"),
    "TARGET CPU PERCENTAGE (figures 2 and 3): its share, of the sum of all targets, is its part of a frame of slices",
);
/// The most that it gets.
pub static MAXIMUM: Key = Key::new(
    "maximum",
    Kind::Percent(100.0),
    Need::Default("100 %", "nothing is cut off its share"),
    "MAXIMUM CPU PERCENTAGE (figures 2 and 3): the most of a frame that it gets; the rest of its share stays idle",
)
.beside(&["target"]);
/// Its weight.
pub static WEIGHT: Key = Key::new(
    "weight",
    Kind::Count(1, 999),
    Need::Optional("mode is UP: it shares nothing, or slices go by targets; else it has to be given"),
    "PR/SM, initial processing weight: its share of the shared processors, over the sum of all weights, while others want \
     theirs too",
);
/// Whether its share is the most that it gets.
pub static CAPPED: Key = Key::new(
    "capped",
    Kind::Word(&[NO, YES]),
    Need::Default(NO, "PR/SM's own default: what others leave may be had"),
    "PR/SM, Initial Capping: whether each of its logical processors gets no more than its part of the share",
)
.beside(&["weight"]);
/// The most that it gets.
pub static CAP: Key = Key::new(
    "cap",
    Kind::Number(0.01, MOST_PROCESSORS as f64),
    Need::Optional("nothing but its logical processors, and its share where that is a cap"),
    "PR/SM, absolute capping: what it gets at most, in processors' worth, evenly over its logical processors",
)
.beside(&["weight"]);
/// The group whose cap holds for it too.
pub static OF_GROUP: Key = Key::new(
    "lpar_group",
    Kind::Refer(&LPAR_GROUP),
    Need::Optional("it shares a cap with no other"),
    "PR/SM, Group Name: the group whose absolute cap it shares with the other partitions of the group",
)
.beside(&["weight"]);
/// How its share lies on its logical processors.
pub static POLARIZATION: Key = Key::new(
    "polarization",
    Kind::Word(&[HORIZONTAL, VERTICAL]),
    Need::Default(HORIZONTAL, "the share lies evenly on all logical processors"),
    "PR/SM: whether the share lies evenly on its logical processors, or on as few as possible: high, medium and low ones",
)
.beside(&["weight"]);
/// Whether it is there.
pub static ACTIVE: Key = Key::new(
    "active",
    Kind::Word(&[YES, NO]),
    Need::Optional("it is there from the start"),
    "no: it is not there until a change adds it (A on the Configuration Attributes screen, figure 2)",
);
/// The second-level interrupt handler.
pub static SLIH: Key = Key::new(
    "slih",
    Kind::Distribution(&DISTRIBUTION),
    Need::Default("0.15 ms", "not published; assumed, some two thousand instructions of a processor of those years"),
    "time of the second-level interrupt handler per I/O interrupt",
)
.sometimes();
/// The start of an I/O.
pub static SSCH: Key = Key::new(
    "ssch",
    Kind::Distribution(&DISTRIBUTION),
    Need::Optional("the channel subsystem has an I/O as soon as a program asks for it"),
    "processor time of the program to start an I/O, before the channel subsystem has it (SSCH)",
);
/// The loss at the beginning of a slice.
pub static RELOAD: Key = Key::new(
    "reload",
    Kind::Span("0 us", "1 s"),
    Need::Default("0 ms", "whoever comes finds its storage in the caches as it left it"),
    "time that each logical processor loses at the beginning of a slice to reload its caches",
)
.sometimes();
/// The measurement program.
pub static MEASURED_BY: Key = Key::new(
    "rmf",
    Kind::Table(&RMF),
    Need::Optional("nothing inside it samples; what RMF would have seen is not known"),
    "the measurement program inside it, which samples queues when the partition lets it",
);
/// The control program.
pub static CONTROL_PROGRAM: Key = Key::new(
    "control_program",
    Kind::Table(&CONTROL_PROGRAM_TABLE),
    Need::Optional("an operating system runs its guests itself"),
    "the control program in it (z/VM), which dispatches virtual machines on its logical processors",
);
/// Processors that take interrupts.
pub static ENABLED: Key = Key::new(
    "enabled",
    Kind::Count(1, MOST_PROCESSORS),
    Need::Default(
        "1",
        "the supervisor keeps the fewest enabled, to save CPU time (Partitioning Large Processors, 5.0)",
    ),
    "number of its logical processors that take I/O interrupts while they have work; those in wait always do",
)
.sometimes();

/// Thresholds for enabling.
pub static CPENABLE: Key = Key::new(
    "cpenable",
    Kind::Table(&CPENABLE_TABLE),
    Need::Optional("as many stay enabled as `enabled` says"),
    "CPENABLE(LO,HI): enables one more or one fewer by the share of interrupts that a handler finds by testing (TPI); \
     (0,0) enables all from the start",
);
/// Below it.
pub static LOW: Key = Key::new(
    "low",
    Kind::Percent(100.0),
    Need::Default("10 %", "IEAOPT's own default is CPENABLE=(10,30)"),
    "LO: below this share of TPI one processor fewer is enabled, down to one",
);
/// Above it.
pub static HIGH: Key = Key::new(
    "high",
    Kind::Percent(100.0),
    Need::Default("30 %", "IEAOPT's own default is CPENABLE=(10,30)"),
    "HI: above this share of TPI one more is enabled, up to all",
);
/// How often.
pub static EVERY: Key = Key::new(
    "every",
    Kind::Span("1 ms", "1 d"),
    Need::Default("1 s", "assumed: how often the resources manager looks is not published"),
    "interval between decisions",
);

/// Thresholds for enabling.
pub static CPENABLE_TABLE: Table = Table {
    name: "cpenable",
    doc: "when one more processor is enabled for I/O interrupts, and when one fewer",
    keys: &[&LOW, &HIGH, &EVERY],
    choices: &[],
    notes: true,
};

/// A partition.
pub static PARTITION: Table = Table {
    name: "partition",
    doc: "a partition or domain: an operating system with logical processors of its own",
    keys: &[
        &NAME,
        &LOGICAL_PROCESSORS,
        &MODE,
        &TARGET,
        &MAXIMUM,
        &WEIGHT,
        &CAPPED,
        &CAP,
        &OF_GROUP,
        &ONLINE,
        &POLARIZATION,
        &ACTIVE,
        &SLIH,
        &SSCH,
        &RELOAD,
        &ENABLED,
        &CPENABLE,
        &MEASURED_BY,
        &CONTROL_PROGRAM,
        &ARCHITECTURE_MODE,
        &STORAGE_SIZE,
        &STORAGE_LOCATION,
        &CONSOLE_ADDRESS,
    ],
    choices: &[Choice { keys: &[&TARGET, &WEIGHT], needed: false, why: "slices go by targets, PR/SM by weights" }],
    notes: true,
};
