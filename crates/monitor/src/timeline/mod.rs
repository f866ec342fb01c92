//! A stretch of simulated time as a picture needs it: who held which exposure and ran on which
//! processor, how virtual processors stood, who waited where and why, what changed.
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

/// What happened in a window of simulated time.  Names are those of the plan.
#[derive(Clone, Debug, PartialEq)]
pub struct Timeline<'a> {
    /// When the first interval starts, from which stated times count.
    pub origin: Tod,
    /// The start of the window.
    pub from: Tod,
    /// The end of the window.
    pub until: Tod,
    /// What can be held, in the order in which it is drawn.
    pub lanes: Vec<Lane>,
    /// Who held it, by lane and then by time; those of a lane do not overlap.
    pub spans: Vec<Occupation<'a>>,
    /// Who waited, by time.
    pub waits: Vec<Wait<'a>>,
    /// Who holds and waits: "IO3390-BWPVS0 #2"; of virtual processors "LIGHT 7 VP 2".
    pub holders: Vec<String>,
    /// What somebody changed, by time.
    pub changes: Vec<(Tod, String)>,
    /// What came of the yields of virtual processors that spin, by time.
    pub yields: Vec<Yield>,
}

/// A virtual processor that spins for a lock of its own yielded, or looked whether to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Yield {
    /// When it was known what came of it.
    pub at: Tod,
    /// Which, index into [`Timeline::lanes`].
    pub lane: usize,
    /// On which logical processor, index into [`Timeline::lanes`].
    pub on: usize,
    /// What came of it.
    pub what: &'static str,
}

/// A lane that was occupied for some time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Occupation<'a> {
    /// Index into [`Timeline::lanes`].
    pub lane: usize,
    /// By whom, index into [`Timeline::holders`]; nobody holds an exposure that is offline, or a processor without work.
    pub holder: Option<usize>,
    /// Since when, which may be before the window.
    pub from: Tod,
    /// Until when; nobody knows when it lasts beyond the window.
    pub to: Option<Tod>,
    /// For what: the volume of the I/O, if there is one.
    pub what: &'a str,
    /// Where, index into [`Timeline::lanes`]: the logical processor that runs a virtual one, or has taken a lock.
    pub on: Option<usize>,
    /// In which state.
    pub state: State,
}

/// What occupies a lane.
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
    /// A processor is carried and in the control program, on nobody's behalf.
    ControlProgram,
    /// A processor is parked and has nothing to do.
    Parked,
    /// A virtual processor has something to do, and the control program has not handled the interrupt that says so.
    Waking,
    /// A virtual processor waits for a logical one.
    CpuWait,
    /// A virtual processor has a logical one.
    Running,
    /// A virtual processor has a logical one, which handles an interrupt for somebody else or is not carried.
    Interrupted,
    /// A virtual processor has had all that its limit grants.
    Limited,
    /// A lock is held by who works alone on lists.
    Locked,
    /// A spin lock, or the ENQ/DEQ lock of a system, has been taken.
    Taken,
    /// Somebody has a name for himself.
    Owned,
    /// Somebody shares a name, or several do, who are then nobody in particular.
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

/// Somebody who waited.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wait<'a> {
    /// Who, index into [`Timeline::holders`].
    pub holder: usize,
    /// Since when, which may be before the window.
    pub from: Tod,
    /// Until when; nobody knows when it lasts beyond the window.
    pub to: Option<Tod>,
    /// What for.
    pub kind: WaitKind,
    /// What it is about, index into [`Timeline::lanes`]: the base exposure of a volume, the exposure whose interrupt is
    /// pending, the processor that is not dispatched, the last one of the partition, the one in whose vector it waits,
    /// the virtual processor itself, the lock or the name.
    pub lane: usize,
    /// Where: a volume, a minidisk, a partition, a spin lock or a resource.
    pub place: &'a str,
    /// Why, in the words of the trade.
    pub why: String,
}

/// What somebody waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WaitKind {
    /// An exposure: the request stands in the queue at the base.
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
    /// Its own processor, which handles an interrupt for somebody else.
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
