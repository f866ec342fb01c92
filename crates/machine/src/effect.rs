//! What a transition wants to happen elsewhere: later, or in another mechanism.

use crate::call::Call;
use crate::event::Event;
use crate::ids::{Exposure, FrontEnd, Logical, Requester, SpinLock};
use crate::io::Io;
use crate::pending::Pending;
use kernel::calendar::Calendar;
use kernel::effects;
use units::{Span, Tod};

/// Declares the effects: how a transition leaves each in its outbox, what it carries, and the queue in which it waits.
///
/// For those `at_once` the pending work of the machine has a method of the same name.
macro_rules! effects {
    (
        at_once { $(#[doc = $now_doc:literal] $now:ident: $Now:ident($($now_field:ident: $NowField:ty),+);)+ }
        $($(#[$about:meta])+ $Queue:ident by $push:ident {
            $(#[doc = $doc:literal] $leave:ident: $Effect:ident($($field:ident: $Field:ty),+);)+
        } $(or { $(#[doc = $or_doc:literal] $Or:ident $(($Inner:ty))?,)+ })?)+
    ) => {
        /// One thing to be done.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Effect {
            $(#[doc = $now_doc] $Now($($NowField),+),)+
            $($(#[doc = $doc] $Effect($($Field),+),)+)+
        }

        /// The receiver of a transition's effects.  The machine sets instants at once and keeps the rest for after the
        /// transition; a list keeps everything, for inspection.
        pub trait Outbox {
            /// Takes an effect.
            fn leave(&mut self, effect: Effect);
            $(
                #[doc = $now_doc]
                #[inline(always)]
                fn $now(&mut self, $($now_field: $NowField),+) {
                    self.leave(Effect::$Now($($now_field),+));
                }
            )+
            $($(
                #[doc = $doc]
                #[inline(always)]
                fn $leave(&mut self, $($field: $Field),+) {
                    self.leave(Effect::$Effect($($field),+));
                }
            )+)+
        }

        $(
            $(#[$about])+
            #[derive(Clone, Copy)]
            pub(crate) enum $Queue {
                $(#[doc = $doc] $Effect($($Field),+),)+
                $($(#[doc = $or_doc] $Or $(($Inner))?,)+)?
            }
        )+

        impl<C: Calendar> Outbox for Pending<C> {
            // The effect is known wherever this is inlined, so that nothing is left of the choice.
            #[inline(always)]
            fn leave(&mut self, effect: Effect) {
                match effect {
                    $(Effect::$Now($($now_field),+) => Pending::$now(self, $($now_field),+),)+
                    $($(Effect::$Effect($($field),+) => self.$push(|| $Queue::$Effect($($field),+)),)+)+
                }
            }
        }
    };
}

effects! {
    at_once {
        /// Let this happen at an instant, in place of when it was to happen before.
        at: At(event: Event, at: Tod);
        /// It is not to happen any more.
        never: Never(event: Event);
        /// A requester calls the service of ENQ and DEQ; without a call a stretch or a wait of its request is over.
        serialize: Serialize(requester: Requester, call: Option<Call>);
        /// A requester has had a virtual processor, on this logical one, for as long as it needed it, and was charged this much.
        used: Used(requester: Requester, logical: Logical, charged: Span);
    }
    /// An effect of this instant that waits for its target.  Two words, which pass in registers.
    #[repr(u8)]
    PendingEffect by push {
        /// A requester asks the control program for an I/O.
        request: Request(requester: Requester, io: Io);
        /// The I/O of a requester is done.
        done: Done(requester: Requester);
    } or {
        /// One for guests.
        Guest(GuestEffect),
        /// The next of those for processors.
        Processor,
    }
    /// The same where guests wait for each other.
    GuestEffect by push_for_guests {
        /// A requester has the resource that it waited for.
        granted: Granted(requester: Requester);
        /// The next message that a front end has carried is through.
        deliver: Deliver(front_end: FrontEnd);
    }
    /// The same where processors are shared.
    ProcessorEffect by push_for_processors {
        /// A requester needs a processor of its partition.
        ready: Ready(requester: Requester);
        /// A requester has had the processor for as long as it needed it.
        served: Served(requester: Requester, logical: Logical);
        /// A thread calls its scheduler, or another thread's lock does it for that one.
        calls: Calls(requester: Requester, call: ThreadCall);
        /// A requester that spins on this logical processor is at the end of a round.
        yields: Yields(requester: Requester, logical: Logical);
        /// A requester has given a spin lock back for which others spin; where they go by turns, this one is next.
        freed: Freed(requester: Requester, lock: SpinLock, next: Option<Requester>);
        /// A logical processor looks for work, after all that its last work has brought about.
        find_work: FindWork(logical: Logical);
        /// A logical processor gives its physical one up for another: for this one, if it names one.
        gives_way: GivesWay(logical: Logical, to: Option<Logical>);
        /// The I/O of an exposure has ended with an interrupt.
        interrupt: Interrupt(exposure: Exposure);
        /// The interrupt of an exposure has been handled by this logical processor.
        clear: Clear(exposure: Exposure, logical: Logical);
        /// A physical processor carries a logical one from now on.
        dispatched: Dispatched(logical: Logical);
        /// No physical processor carries it any more.
        undispatched: Undispatched(logical: Logical);
        /// A logical processor that is carried has nothing to do.
        waits: Waits(logical: Logical);
        /// A logical processor that is not carried has this to do.
        wants: Wants(logical: Logical, wanted: Wanted);
    }
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

/// A list of what one event may leave.
pub type Effects = effects::Effects<Effect, 8>;

/// An empty list of effects.
pub fn none() -> Effects {
    Effects::new(Effect::Done(Requester(u32::MAX)))
}

impl Outbox for Effects {
    fn leave(&mut self, effect: Effect) {
        self.push(|| effect);
    }
}
