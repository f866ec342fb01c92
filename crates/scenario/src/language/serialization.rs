//! The service of ENQ and DEQ: which exits are hung on it, what its pieces cost, name lists, and how systems are connected.

use super::{Key, Kind, Need, OWN_EXIT, Table};
use serialization::exits::Structure;

/// Not connected.
pub const NOT_CONNECTED: &str = "none";
/// A message goes round.
pub const RING: &str = "ring";
/// A lock structure answers.
pub const STAR: &str = "star";
/// The supervisor call.
pub const SVC_LINKAGE: &str = "svc";
/// The program call.
pub const SYSTEM_LINKAGE: &str = "system";
/// The exits.
pub static EXITS: Key = Key::new(
    "exits",
    Kind::Word(&Structure::WORDS),
    Need::Default(Structure::None.word(), "without a multi-image manager nobody needs exits"),
    "interface of a multi-image manager to requests: none, in front of the SVC, or by slow exits at every request (batch). \
     The others have fast exits that select requests for the slow one, with pooled storage or a single area",
);
/// The names that it shares.
pub static MANAGED: Key = Key::new(
    "managed",
    Kind::TextOr(&TEXT_FILE),
    Need::Optional("every name that is asked for with scope systems"),
    "the names that the manager shares with other systems, as RNLDEF statements of an inclusion list",
);
/// Its answer.
pub static ANSWER: Key = Key::new(
    "answer",
    Kind::Span("0 us", "10 s"),
    Need::Default("0 ms", "how long a manager's control file or link takes is the installation's affair"),
    "response time of the manager to a message, during which the task waits",
);
/// How systems are connected.
pub static CONNECTED: Key = Key::new(
    "systems",
    Kind::Word(&[NOT_CONNECTED, RING, STAR]),
    Need::Default(
        NOT_CONNECTED,
        "a name reaches beyond its system only where systems are connected, or a manager shares it",
    ),
    "exchange of global requests between systems: none, by a ring message, by a lock structure",
);
/// How long the message stays.
pub static RESIDENCY: Key = Key::new(
    "residency",
    Kind::Span("0 us", "10 s"),
    Need::Default("1 ms", "RESMIL(1): the least that planning books advise for a ring"),
    "ring: how long each system holds the message; a request waits for it and then for its way round",
);
/// How long the message takes between systems.
pub static TRANSMISSION: Key = Key::new(
    "transmission",
    Kind::Span("0 us", "1 s"),
    Need::Optional("the message takes no time between systems"),
    "ring: time of the message from one system to the next, and of the signal of ring acceleration",
);
/// Ring acceleration.
pub static ACCELSYS: Key = Key::new(
    "accelsys",
    Kind::Count(2, 99),
    Need::Optional("no ring acceleration: a request waits until the message is back"),
    "ring acceleration (ACCELSYS): number of systems that have to see a request, its own among them, before \
     it is granted; a ring of fewer systems is not accelerated",
);
/// How long the structure takes.
pub static STRUCTURE_SERVICE: Key = Key::new(
    "structure_service",
    Kind::Span("0 us", "10 s"),
    Need::Default("50 us", "ASSUME: a synchronous request to a lock structure of the time"),
    "star: how long the lock structure takes for a request",
);
/// The door.
pub static LINKAGE: Key = Key::new(
    "linkage",
    Kind::Word(&[SVC_LINKAGE, SYSTEM_LINKAGE]),
    Need::Default(SVC_LINKAGE, "LINKAGE=SVC is what ENQ assembles to"),
    "the door through which programs call: the supervisor call, or the program call (LINKAGE=SYSTEM), which no front end of the \
     supervisor call sees",
);
/// Name lists.
pub static NAME_LISTS: Key = Key::new(
    "name_lists",
    Kind::TextOr(&TEXT_FILE),
    Need::Optional("there are none: names reach as far as they are asked for"),
    "resource name lists, the same in all systems: the text of a GRSRNLxx member",
);
/// The file of a text.
pub static TEXT_FILE_NAME: Key = Key::new(
    "file",
    Kind::File,
    Need::Required("a text is in quotes or in a file"),
    "the file; a run keeps what was in it in its own scenario",
);
/// A file in place of a text.
pub static TEXT_FILE: Table =
    Table { name: "text_file", doc: "a file in place of a text", keys: &[&TEXT_FILE_NAME], choices: &[], notes: false };
/// Exits of an installation's own.
pub static OWN_EXITS: Key = Key::new(
    "exit",
    Kind::Named(&OWN_EXIT),
    Need::Optional("there are those of the manager alone"),
    "exits of the installation's own, called behind those of the manager",
);
/// Prices.
pub static COST: Key =
    Key::new("cost", Kind::Table(&SERIALIZATION_COST), Need::Defaults, "the processor time of the pieces of a request");

/// The service.
pub static SERIALIZATION: Table = Table {
    name: "serialization",
    doc: "the service of ENQ and DEQ, the same in all partitions",
    keys: &[
        &EXITS,
        &MANAGED,
        &ANSWER,
        &CONNECTED,
        &RESIDENCY,
        &TRANSMISSION,
        &ACCELSYS,
        &STRUCTURE_SERVICE,
        &LINKAGE,
        &NAME_LISTS,
        &COST,
        &OWN_EXITS,
    ],
    choices: &[],
    notes: true,
};

const DERIVED: &str = "GRS/MIM Installation Exit Performance, Results: worked out of rows 1, 2, 4 and 5";
const UNDIVIDED: &str = "GRS/MIM Installation Exit Performance: in row 2 it cannot be told from the state that is kept";

macro_rules! price {
    ($(#[$doc:meta])* $name:ident = $key:literal, $default:literal, $why:expr, $meaning:literal) => {
        $(#[$doc])*
        pub static $name: Key = Key::new($key, Kind::Span("0 us", "1 s"), Need::Default($default, $why), $meaning);
    };
}

price! {
    /// ENQ.
    COST_ENQ = "enq", "9.5 us", DERIVED, "an ENQ or RESERVE by itself"
}
price! {
    /// CHNG.
    COST_CHNG = "chng", "9.5 us", "ASSUME: what an ENQ costs, which searches for the same resource", "an ENQ that changes a shared hold to exclusive, by itself"
}
price! {
    /// DEQ.
    COST_DEQ = "deq", "9.5 us", DERIVED, "a DEQ by itself"
}
price! {
    /// Front end.
    COST_FRONT_END = "front_end", "0 us", "in row 1 it cannot be told from the service itself", "the front end of the supervisor call"
}
price! {
    /// Parameter list.
    COST_LIST = "list", "0.1 us", DERIVED, "building the parameter list of an exit, per call"
}
price! {
    /// Entry.
    COST_ENTRY = "entry", "0.1 us", DERIVED, "calling an exit and coming back, per call"
}
price! {
    /// Storage obtained.
    COST_OBTAINED = "obtained", "0 us", UNDIVIDED, "obtaining storage for a call and giving it back"
}
price! {
    /// Storage from a pool.
    COST_POOLED = "pooled", "2.6 us", DERIVED, "storage for a call from a pool, and back to it"
}
price! {
    /// A single area.
    COST_SINGLE = "single", "0 us", DERIVED, "storage for a call that is always the same area"
}
price! {
    /// State.
    COST_STATE = "state", "111.4 us", DERIVED, "saving the state of the request for a slow exit, per call: one free parameter for all of a slow call"
}
price! {
    /// Copy.
    COST_COPY = "copy_per_kib", "0 us", UNDIVIDED, "copying state for a slow exit, per KiB"
}
price! {
    /// Page faults.
    COST_FAULT = "fault", "0 us", UNDIVIDED, "a page fault while state is copied"
}
price! {
    /// Recovery.
    COST_RECOVERY = "recovery", "0 us", UNDIVIDED, "setting up recovery for a slow exit, per call"
}
price! {
    /// Lock dropped and retaken.
    COST_RELOCK = "relock", "0 us", UNDIVIDED, "dropping the lock for a slow exit and taking it again"
}
price! {
    /// Message.
    COST_MESSAGE = "message", "100 us", "ASSUME: what an I/O to a control file costs", "sending the manager's message, beside its answer"
}

/// Prices.
pub static SERIALIZATION_COST: Table = Table {
    name: "cost",
    doc: "the processor time of the pieces of a request",
    keys: &[
        &COST_ENQ,
        &COST_CHNG,
        &COST_DEQ,
        &COST_FRONT_END,
        &COST_LIST,
        &COST_ENTRY,
        &COST_OBTAINED,
        &COST_POOLED,
        &COST_SINGLE,
        &COST_STATE,
        &COST_COPY,
        &COST_FAULT,
        &COST_RECOVERY,
        &COST_RELOCK,
        &COST_MESSAGE,
    ],
    choices: &[],
    notes: true,
};
