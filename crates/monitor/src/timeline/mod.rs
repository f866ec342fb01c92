//! A stretch of simulated time for a picture: holders of exposures, guests on processors, states of virtual processors,
//! waits with their reasons, changes.
//!
//! A recorder is a probe like any other: the machine does the same with and without it.

mod control;
mod lanes;
mod listed;
mod processors;
mod recorder;
mod serializing;
mod spinning;
mod trace;
mod why;

pub use lanes::{Lane, LaneKind};
pub use recorder::Recorder;
pub use trace::{Untraceable, Window, trace};

use units::Tod;

/// The events in a window of simulated time.  Names are those of the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline<'a> {
    /// When the first interval starts, from which stated times count.
    pub origin: Tod,
    /// The start of the window.
    pub from: Tod,
    /// The end of the window.
    pub until: Tod,
    /// The lanes, in the order in which they are drawn.
    pub lanes: Vec<Lane>,
    /// The holders of lanes, by lane and then by time; those of a lane do not overlap.
    pub spans: Vec<Occupation<'a>>,
    /// The waits, by time.
    pub waits: Vec<Wait<'a>>,
    /// Holders and waiters: "IO3390-BWPVS0 #2"; of virtual processors "LIGHT 7 VP 2".
    pub holders: Vec<String>,
    /// The changes, by time.
    pub changes: Vec<(Tod, String)>,
    /// The outcomes of yields by virtual processors that spin, by time.
    pub yields: Vec<Yield>,
}

/// A virtual processor that spins for a lock of its own yielded, or looked whether to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Yield {
    /// When its outcome was known.
    pub at: Tod,
    /// Which, index into [`Timeline::lanes`].
    pub lane: usize,
    /// On which logical processor, index into [`Timeline::lanes`].
    pub on: usize,
    /// Its outcome.
    pub what: &'static str,
}

/// A lane that was occupied for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupation<'a> {
    /// Index into [`Timeline::lanes`].
    pub lane: usize,
    /// The holder, index into [`Timeline::holders`]; none for an exposure that is offline, or a processor without work.
    pub holder: Option<usize>,
    /// Since when, which may be before the window.
    pub from: Tod,
    /// The end; none when it lasts beyond the window.
    pub to: Option<Tod>,
    /// For what: the volume of the I/O, if there is one.
    pub what: &'a str,
    /// Where, index into [`Timeline::lanes`]: the logical processor that runs a virtual one, or has taken a lock.
    pub on: Option<usize>,
    /// In which state.
    pub state: State,
}

/// The state of a lane.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// An I/O is in progress.
    Busy,
    /// An I/O has started and stays pending.
    Held,
    /// The control program is between the end of an I/O and the next start.
    Gap,
    /// Its I/O has ended, and the interrupt has not been handled.
    InterruptPending,
    /// It is varied offline.
    Offline,
    /// A processor is carried and runs what programs need.
    Working,
    /// A processor is carried and handles the interrupt of an I/O, whose requester holds it.
    Handling,
    /// A processor is carried and has nothing to do.
    InWait,
    /// A processor is not carried and has nothing to do.
    NotDispatched,
    /// A processor is not carried and has work, whose requester holds it.
    WorkNotDispatched,
    /// A processor is dispatched and in the control program, without a guest.
    ControlProgram,
    /// A processor is parked and has nothing to do.
    Parked,
    /// A virtual processor has something to do, and the control program has not handled the interrupt that says so.
    Waking,
    /// A virtual processor waits for a logical one.
    CpuWait,
    /// A virtual processor has a logical one.
    Running,
    /// A virtual processor has a logical one, which handles an interrupt for another or is undispatched.
    Interrupted,
    /// A virtual processor has had all that its limit grants.
    Limited,
    /// A lock is held exclusively, for list work.
    Locked,
    /// A spin lock, or the ENQ/DEQ lock of a system, has been taken.
    Taken,
    /// A name is held exclusively.
    Owned,
    /// A name is shared by one, or by several, which then have no letter.
    Shared,
}

impl State {
    /// As pictures and tables call it.
    pub const fn word(self) -> &'static str {
        match self {
            State::Busy => "busy",
            State::Held => "held",
            State::Gap => "gap",
            State::InterruptPending => "interrupt-pending",
            State::Offline => "offline",
            State::Working => "working",
            State::Handling => "handling-interrupt",
            State::InWait => "in-wait",
            State::NotDispatched => "not-dispatched",
            State::WorkNotDispatched => "work-not-dispatched",
            State::ControlProgram => "control-program",
            State::Parked => "parked",
            State::Waking => "waking",
            State::CpuWait => "cpu-wait",
            State::Running => "running",
            State::Interrupted => "interrupted",
            State::Limited => "limited",
            State::Locked => "locked",
            State::Taken => "taken",
            State::Owned => "owned",
            State::Shared => "shared",
        }
    }
}

/// A wait.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait<'a> {
    /// The waiter, index into [`Timeline::holders`].
    pub holder: usize,
    /// Since when, which may be before the window.
    pub from: Tod,
    /// The end; none when it lasts beyond the window.
    pub to: Option<Tod>,
    /// The purpose.
    pub kind: WaitKind,
    /// Its subject, index into [`Timeline::lanes`]: the base exposure of a volume, the exposure whose interrupt is
    /// pending, or the undispatched processor.  Or the last one of the partition, the one in whose vector it waits, the
    /// virtual processor itself, the lock or the name.
    pub lane: usize,
    /// Where: a volume, a minidisk, a partition, a spin lock or a resource.
    pub place: &'a str,
    /// Why, in the words of the trade.
    pub why: String,
}

/// The purpose of a wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitKind {
    /// An exposure: the request is in the queue at the base.
    Queued,
    /// A turn at a minidisk.
    Turn,
    /// A message with a front end, until it is through.
    Message,
    /// The device: the I/O has an exposure and stays pending.
    Held,
    /// The handler: the I/O has ended, and no processor handles its interrupt.
    Interrupt,
    /// A processor.
    Ready,
    /// The control program: it has not handled the interrupt that wakes a virtual processor.
    Waking,
    /// Its own processor, which handles an interrupt for another.
    Interrupted,
    /// The limit of its virtual machine.
    Limited,
    /// A spin lock.
    Spinning,
    /// The ENQ/DEQ lock of its system.
    Suspended,
    /// A name.
    Enqueued,
}

impl WaitKind {
    /// As pictures and tables call it.
    pub const fn word(self) -> &'static str {
        match self {
            WaitKind::Queued => "queued",
            WaitKind::Turn => "turn",
            WaitKind::Message => "message",
            WaitKind::Held => "held",
            WaitKind::Interrupt => "interrupt",
            WaitKind::Ready => "ready",
            WaitKind::Waking => "waking",
            WaitKind::Interrupted => "interrupted",
            WaitKind::Limited => "limited",
            WaitKind::Spinning => "spinning",
            WaitKind::Suspended => "suspended",
            WaitKind::Enqueued => "enqueued",
        }
    }
}
