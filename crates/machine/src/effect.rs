//! What a transition wants to happen elsewhere: later, or in another mechanism.

use crate::call::Call;
use crate::event::Event;
use crate::ids::{Exposure, FrontEnd, Logical, Requester, SpinLock};
use crate::io::Io;
use kernel::effects;
use units::{Span, Tod};

/// One thing to be done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Let this happen at an instant, in place of when it was to happen before.
    At(Event, Tod),
    /// It is not to happen any more.
    Never(Event),
    /// A requester asks the control program for an I/O.
    Request(Requester, Io),
    /// The I/O of a requester is done.
    Done(Requester),
    /// A requester has the resource that it waited for.
    Granted(Requester),
    /// The next message that a front end has carried is through.
    Deliver(FrontEnd),
    /// A requester calls the service of ENQ and DEQ, or what it waited for there is over.
    Serialize(Requester, Option<Call>),
    /// A requester needs a processor of its partition.
    Ready(Requester),
    /// A requester has had the processor for as long as it needed it.
    Served(Requester, Logical),
    /// A requester has had a virtual processor, on this logical one, for as long as it needed it, and was charged this much.
    Used(Requester, Logical, Span),
    /// A thread calls its scheduler, or another thread's lock does it for that one.
    Calls(Requester, ThreadCall),
    /// A requester that spins on this logical processor is at the end of a round.
    Yields(Requester, Logical),
    /// A requester has given a spin lock back for which others spin; where they go by turns, this one is next.
    Freed(Requester, SpinLock, Option<Requester>),
    /// The virtual processor on this logical one has kicked halted ones, and goes on.
    HasKicked(Logical),
    /// A logical processor gives its physical one up for another: for this one, if it names one.
    GivesWay(Logical, Option<Logical>),
    /// The I/O of an exposure has ended with an interrupt.
    Interrupt(Exposure),
    /// The interrupt of an exposure has been handled by this logical processor.
    Clear(Exposure, Logical),
    /// A physical processor carries a logical one from now on.
    Dispatched(Logical),
    /// No physical processor carries it any more.
    Undispatched(Logical),
    /// A logical processor that is carried has nothing to do.
    Waits(Logical),
    /// A logical processor that is not carried has this to do.
    Wants(Logical, Wanted),
}

/// A request to the scheduler of threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThreadCall {
    /// The thread yields its processor (`sched_yield`).
    Yield,
    /// What the thread tries for is to be had: its next try is over after this much of its time.
    Try(Span),
    /// The thread spends this much more before it goes on.
    Spend(Span),
    /// The thread has this nice level from now on.
    Lift(i8),
    /// The thread has its own nice level again.
    Restore,
}

/// The purpose for which an undispatched logical processor is wanted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// Work of a program.
    Work,
    /// An I/O interrupt, which it would take.
    Interrupt,
}

/// The receiver of a transition's effects.  The wiring sets instants at once and keeps the rest for after the
/// transition; a list keeps everything, for inspection.
pub trait Outbox {
    /// Let this happen at an instant, in place of when it was to happen before.
    fn at(&mut self, event: Event, at: Tod);
    /// It is not to happen any more.
    fn never(&mut self, event: Event);
    /// A requester asks the control program for an I/O.
    fn request(&mut self, requester: Requester, io: Io);
    /// The I/O of a requester is done.
    fn done(&mut self, requester: Requester);
    /// A requester has the resource that it waited for.
    fn granted(&mut self, requester: Requester);
    /// The next message that a front end has carried is through.
    fn deliver(&mut self, front_end: FrontEnd);
    /// A requester calls the service of ENQ and DEQ; without a call a stretch or a wait of its request is over.
    fn serialize(&mut self, requester: Requester, call: Option<Call>);
    /// A requester needs a processor of its partition.
    fn ready(&mut self, requester: Requester);
    /// A requester has had the processor for as long as it needed it.
    fn served(&mut self, requester: Requester, logical: Logical);
    /// A requester has had a virtual processor, on this logical one, for as long as it needed it, and was charged this much.
    fn used(&mut self, requester: Requester, logical: Logical, charged: Span);
    /// A thread calls its scheduler, or another thread's lock does it for that one.
    fn calls(&mut self, requester: Requester, call: ThreadCall);
    /// A requester that spins on this logical processor is at the end of a round.
    fn yields(&mut self, requester: Requester, logical: Logical);
    /// A requester has given a spin lock back for which others spin; where they go by turns, this one is next.
    fn freed(&mut self, requester: Requester, lock: SpinLock, next: Option<Requester>);
    /// The virtual processor on this logical one has kicked halted ones, and goes on.
    fn has_kicked(&mut self, logical: Logical);
    /// A logical processor gives its physical one up for another: for this one, if it names one.
    fn gives_way(&mut self, logical: Logical, to: Option<Logical>);
    /// The I/O of an exposure has ended with an interrupt.
    fn interrupt(&mut self, exposure: Exposure);
    /// The interrupt of an exposure has been handled by this logical processor.
    fn clear(&mut self, exposure: Exposure, logical: Logical);
    /// A physical processor carries a logical one from now on.
    fn dispatched(&mut self, logical: Logical);
    /// No physical processor carries it any more.
    fn undispatched(&mut self, logical: Logical);
    /// A logical processor that is carried has nothing to do.
    fn waits(&mut self, logical: Logical);
    /// A logical processor that is not carried has this to do.
    fn wants(&mut self, logical: Logical, wanted: Wanted);
}

/// A list of what one event may leave.
pub type Effects = effects::Effects<Effect, 8>;

/// An empty list of effects.
pub fn none() -> Effects {
    Effects::new(Effect::Done(Requester(u32::MAX)))
}

impl Outbox for Effects {
    #[inline]
    fn at(&mut self, event: Event, at: Tod) {
        self.push(|| Effect::At(event, at));
    }

    #[inline]
    fn never(&mut self, event: Event) {
        self.push(|| Effect::Never(event));
    }

    #[inline]
    fn request(&mut self, requester: Requester, io: Io) {
        self.push(|| Effect::Request(requester, io));
    }

    #[inline]
    fn done(&mut self, requester: Requester) {
        self.push(|| Effect::Done(requester));
    }

    fn granted(&mut self, requester: Requester) {
        self.push(|| Effect::Granted(requester));
    }

    fn deliver(&mut self, front_end: FrontEnd) {
        self.push(|| Effect::Deliver(front_end));
    }

    fn serialize(&mut self, requester: Requester, call: Option<Call>) {
        self.push(|| Effect::Serialize(requester, call));
    }

    fn ready(&mut self, requester: Requester) {
        self.push(|| Effect::Ready(requester));
    }

    fn served(&mut self, requester: Requester, logical: Logical) {
        self.push(|| Effect::Served(requester, logical));
    }

    fn used(&mut self, requester: Requester, logical: Logical, charged: Span) {
        self.push(|| Effect::Used(requester, logical, charged));
    }

    fn calls(&mut self, requester: Requester, call: ThreadCall) {
        self.push(|| Effect::Calls(requester, call));
    }

    fn yields(&mut self, requester: Requester, logical: Logical) {
        self.push(|| Effect::Yields(requester, logical));
    }

    fn freed(&mut self, requester: Requester, lock: SpinLock, next: Option<Requester>) {
        self.push(|| Effect::Freed(requester, lock, next));
    }

    fn has_kicked(&mut self, logical: Logical) {
        self.push(|| Effect::HasKicked(logical));
    }

    fn gives_way(&mut self, logical: Logical, to: Option<Logical>) {
        self.push(|| Effect::GivesWay(logical, to));
    }

    fn interrupt(&mut self, exposure: Exposure) {
        self.push(|| Effect::Interrupt(exposure));
    }

    fn clear(&mut self, exposure: Exposure, logical: Logical) {
        self.push(|| Effect::Clear(exposure, logical));
    }

    fn dispatched(&mut self, logical: Logical) {
        self.push(|| Effect::Dispatched(logical));
    }

    fn undispatched(&mut self, logical: Logical) {
        self.push(|| Effect::Undispatched(logical));
    }

    fn waits(&mut self, logical: Logical) {
        self.push(|| Effect::Waits(logical));
    }

    fn wants(&mut self, logical: Logical, wanted: Wanted) {
        self.push(|| Effect::Wants(logical, wanted));
    }
}
