//! The steps of programs: think, compute, do I/O, send messages, exchange, spawn others, repeat, choose, hold, lock, enqueue.

use super::{
    Choice, DISTRIBUTION, ENQUEUE, FRONT_END, GUEST, IO_TABLE, Key, Kind, NETWORK, Need, RESOURCE, SPIN_LOCK,
    THREAD_LOCK, Table, WEIGHTS,
};

/// The least that a guest paces itself to, in percent of a processor.
pub const LEAST_PACE: f64 = 0.1;
/// The most that a guest paces itself to, in percent of a processor.
pub const MOST_PACE: f64 = 99.9;

/// The largest request or reply.
const MOST_EXCHANGED: &str = "1024 MiB";

const OTHER_STEP: Need = Need::Optional("it is another kind of step");

/// Let time pass.
pub static THINK: Key =
    Key::new("think", Kind::Distribution(&DISTRIBUTION), OTHER_STEP, "let time pass without using anything");
/// Use the processor.
pub static COMPUTE: Key = Key::new(
    "compute",
    Kind::Distribution(&DISTRIBUTION),
    OTHER_STEP,
    "use a processor: the guest's own, or those of its partition",
);
/// Use a processor as much as is meant.
pub static PACE: Key = Key::new(
    "pace",
    Kind::Percent(MOST_PACE),
    OTHER_STEP,
    "in a virtual machine: use a processor until what has been charged is this share of the time since the guest began; \
     nothing where it is already",
);
/// Issue an instruction that is intercepted.
pub static INTERCEPT: Key = Key::new(
    "intercept",
    Kind::Span("0 us", "10 ms"),
    OTHER_STEP,
    "in a virtual machine: issue an instruction that the control program simulates for this long. The virtual processor then \
     goes on if its dispatch vector is empty, else it goes back there, with any locks that it has",
);
/// Do an I/O.
pub static IO: Key = Key::new("io", Kind::Table(&IO_TABLE), OTHER_STEP, "do one I/O and wait for its end");
/// Have a message come in.
pub static MESSAGE_IN: Key = Key::new(
    "message_in",
    Kind::Refer(&FRONT_END),
    OTHER_STEP,
    "have a message carried in through this front end, and go on when its I/O is over and the interrupt handled",
);
/// Have a message go out.
pub static MESSAGE_OUT: Key = Key::new(
    "message_out",
    Kind::Refer(&FRONT_END),
    OTHER_STEP,
    "have a message carried out through this front end, and go on when its I/O is over and the interrupt handled",
);
/// Start another guest.
pub static SPAWN: Key = Key::new(
    "spawn",
    Kind::Refer(&GUEST),
    OTHER_STEP,
    "have one more of this guest, which arrives = \"spawned\", run its program once, and go on at once",
);
/// Call another guest and wait for its reply.
pub static EXCHANGE: Key = Key::new(
    "exchange",
    Kind::Refer(&GUEST),
    OTHER_STEP,
    "between virtual machines: send a request to this guest, which arrives = \"spawned\". One of it runs its program once, and \
     this one goes on when the reply is there. A guest of a fixed population (`count`) always has the same server, by turns",
);
/// The link of an exchange.
pub static OVER: Key = Key::new(
    "network",
    Kind::Refer(&NETWORK),
    Need::Optional("request and reply take no time on their way"),
    "the network that request and reply go over",
)
.beside(&["exchange"]);
/// How large the request is.
pub static REQUEST: Key = Key::new(
    "request",
    Kind::Bytes("0 B", MOST_EXCHANGED),
    Need::Default("0 B", "nothing but the latency of the network"),
    "size of the request",
)
.beside(&["exchange"]);
/// How large the reply is.
pub static REPLY: Key = Key::new(
    "reply",
    Kind::Bytes("0 B", MOST_EXCHANGED),
    Need::Default("0 B", "nothing but the latency of the network"),
    "size of the reply",
)
.beside(&["exchange"]);
/// Repeat steps.
pub static REPEAT: Key = Key::new("repeat", Kind::Count(1, 1_000_000), OTHER_STEP, "do the steps this many times");
/// Repeat steps this many times on average.
pub static REPEAT_MEAN: Key = Key::new(
    "repeat_mean",
    Kind::Number(0.001, 1_000_000.0),
    OTHER_STEP,
    "do the steps this many times on average: one of the two neighbouring whole numbers each time, so that the mean is exact",
);
/// Hold a resource.
pub static HOLD: Key = Key::new(
    "hold",
    Kind::Refer(&RESOURCE),
    OTHER_STEP,
    "wait for a unit of this resource and hold it while doing the steps; holds nest three deep at most",
);
/// Hold a spin lock.
pub static LOCKED: Key = Key::new(
    "lock",
    Kind::Refer(&SPIN_LOCK),
    OTHER_STEP,
    "in a virtual machine: take this spin lock of it, spin while it is held, and release it after the steps. They only compute, intercept, repeat, choose and lock; locks nest two deep at most",
);
/// Hold a lock of threads.
pub static LOCKED_BY_THREAD: Key = Key::new(
    "thread_lock",
    Kind::Refer(&THREAD_LOCK),
    OTHER_STEP,
    "in a cgroup: take this lock, wait for it in its way while it is held, and release it after the steps. They only compute, repeat and choose",
);
/// Shared.
pub const SHARED_ACCESS: &str = "shared";
/// Exclusive.
pub const EXCLUSIVE_ACCESS: &str = "exclusive";
/// Wait for it.
pub const WAITS: &str = "none";
/// Do not wait for it.
pub const USE: &str = "use";
/// Wait for it unless it is there.
pub const HAVE: &str = "have";
/// Ask whether it could be had.
pub const TEST: &str = "test";
/// Make what is shared exclusive.
pub const CHANGE_CONTROL: &str = "chng";

/// Enqueue on a resource.
pub static ENQ: Key = Key::new(
    "enq",
    Kind::Refer(&ENQUEUE),
    OTHER_STEP,
    "in a partition: enqueue on this resource by name, wait for it, and dequeue after the steps. Without steps it is kept \
     until a `deq` or the end of the program. At most four nest, and four are kept",
);
/// Dequeue.
pub static DEQ: Key =
    Key::new("deq", Kind::Refer(&ENQUEUE), OTHER_STEP, "dequeue from a resource that is kept; nothing where it is not");
/// How it is used.
pub static ENQ_ACCESS: Key = Key::new(
    "access",
    Kind::Word(&[EXCLUSIVE_ACCESS, SHARED_ACCESS]),
    Need::Default(EXCLUSIVE_ACCESS, "ENQ without S or E is exclusive"),
    "mode in which the resource is held: exclusive or shared",
)
.beside(&["enq"]);
/// The action if it is not available.
pub static RET: Key = Key::new(
    "ret",
    Kind::Word(&[WAITS, USE, HAVE, TEST, CHANGE_CONTROL]),
    Need::Default(WAITS, "ENQ without RET waits"),
    "the action when it is not available at once. none: wait. have: wait, and accept a resource that is kept already. \
     use: skip the steps. test: only ask. chng: make a shared hold exclusive until it is dequeued. The last two never \
     wait, and skip the steps if the answer is no",
)
.beside(&["enq"]);
/// Through which door.
pub static ENQ_LINKAGE: Key = Key::new(
    "linkage",
    Kind::Word(&[super::SVC_LINKAGE, super::SYSTEM_LINKAGE]),
    Need::Optional("`serialization.linkage`"),
    "the door that the request comes through, and that of its dequeue",
)
.beside(&["enq"]);
/// Do one of several.
pub static CHOOSE: Key = Key::new(
    "choose",
    Kind::Alternatives(&ALTERNATIVE),
    OTHER_STEP,
    "do the steps of one of these, each with its weight",
);
/// The steps that are repeated, or done while a resource is held.
pub static STEPS: Key = Key::new(
    "steps",
    Kind::Steps(&STEP),
    Need::Required("something has to be repeated, or done meanwhile"),
    "steps that are repeated, or run while the resource or lock is held; repeats nest at most three deep",
)
.beside(&["repeat", "repeat_mean", "hold", "lock", "thread_lock"]);
/// The steps that are done while a resource is held by ENQ.
pub static ENQ_STEPS: Key = Key::new(
    "do",
    Kind::Steps(&STEP),
    Need::Optional("it is kept until a `deq` or the end of the program"),
    "steps until it is dequeued; after a test or a chng, steps where the answer is yes",
)
.beside(&["enq"]);

/// A step of a program.
pub static STEP: Table = Table {
    name: "step",
    doc: "one step of a program",
    keys: &[
        &THINK,
        &COMPUTE,
        &PACE,
        &INTERCEPT,
        &IO,
        &MESSAGE_IN,
        &MESSAGE_OUT,
        &SPAWN,
        &EXCHANGE,
        &OVER,
        &REQUEST,
        &REPLY,
        &REPEAT,
        &REPEAT_MEAN,
        &HOLD,
        &LOCKED,
        &LOCKED_BY_THREAD,
        &ENQ,
        &ENQ_ACCESS,
        &RET,
        &ENQ_LINKAGE,
        &ENQ_STEPS,
        &DEQ,
        &CHOOSE,
        &STEPS,
    ],
    choices: &[Choice {
        keys: &[
            &THINK,
            &COMPUTE,
            &PACE,
            &INTERCEPT,
            &IO,
            &MESSAGE_IN,
            &MESSAGE_OUT,
            &SPAWN,
            &EXCHANGE,
            &REPEAT,
            &REPEAT_MEAN,
            &HOLD,
            &LOCKED,
            &LOCKED_BY_THREAD,
            &ENQ,
            &DEQ,
            &CHOOSE,
        ],
        needed: true,
        why: "a step does one thing",
    }],
    notes: true,
};

/// How likely an alternative is.
pub static ALTERNATIVE_WEIGHT: Key = Key::new(
    "weight",
    Kind::Number(WEIGHTS.0, WEIGHTS.1),
    Need::Required("how often it is chosen is what a choice is about"),
    "relative frequency of the choice, in proportion to the weights of the others",
);
/// The steps of an alternative.
pub static ALTERNATIVE_STEPS: Key = Key::new(
    "steps",
    Kind::Steps(&STEP),
    Need::Required("an alternative does something, if only { think = \"0 ms\" }"),
    "steps of the choice",
);

/// One of several.
pub static ALTERNATIVE: Table = Table {
    name: "alternative",
    doc: "one of the alternatives of `choose`",
    keys: &[&ALTERNATIVE_WEIGHT, &ALTERNATIVE_STEPS],
    choices: &[],
    notes: true,
};
