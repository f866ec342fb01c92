//! What occupies a lane, and what somebody waits for.

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
