//! A logical processor of a control program: its activity, the use of its time, and the virtual processors that it has
//! to wake.

use super::caches::{Caches, Coldness};
use crate::ids::{Logical, Virtual};
use crate::signal::control_program::Spent;
use units::{Span, Tod};

/// The request of a virtual processor by a DIAGNOSE that the control program simulates.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Diagnose {
    /// X'44' over an empty vector.
    Fast44,
    /// X'44'.
    X44,
    /// X'9C' that names this virtual processor, if there is one to be named.
    X9C(Option<usize>),
    /// None: its loop was intercepted.
    Loop,
}

/// The activity of a logical processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Doing {
    /// Nothing: it waits for an interrupt.
    Idle,
    /// Nothing: it is not used.
    Parked,
    /// It handles the interrupt that says that a virtual processor has something to do.
    Waking(usize),
    /// It runs a virtual processor.
    Running(usize),
    /// A virtual processor is through with its work, and its machine has not said whether there is more.
    Served(usize),
    /// It takes a virtual processor that waits off its vector.
    Leaving(usize),
    /// It puts a virtual processor whose slice is over back.
    Requeueing(usize),
    /// A virtual processor that spins is to yield, and its target is not known yet.
    Yielding(usize),
    /// It simulates an instruction of a virtual processor.
    Simulating(usize),
    /// It simulates a DIAGNOSE of one that spins.
    Diagnosing(usize, Diagnose),
    /// It simulates the calls by which a virtual processor kicks halted ones.
    Kicking(usize),
    /// It spins for the scheduler lock, where that has a queue.
    AwaitingLock,
    /// It has it.
    HoldingLock,
    /// It looks for work in the vectors of others.
    Looking,
    /// It is being parked.
    Parking,
    /// It is being unparked.
    Unparking,
}

impl Doing {
    /// On whose virtual processor's behalf it is.
    #[inline]
    pub fn on(self) -> Option<usize> {
        match self {
            Doing::Running(own)
            | Doing::Served(own)
            | Doing::Leaving(own)
            | Doing::Yielding(own)
            | Doing::Simulating(own)
            | Doing::Kicking(own)
            | Doing::Diagnosing(own, _) => Some(own),
            Doing::Idle
            | Doing::Parked
            | Doing::Waking(_)
            | Doing::Requeueing(_)
            | Doing::AwaitingLock
            | Doing::HoldingLock
            | Doing::Looking
            | Doing::Parking
            | Doing::Unparking => None,
        }
    }
}

/// A stretch of time, in this order: the control program's, then a guest's, then the control program's for that guest.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Stretch {
    /// Spinning for the scheduler lock.
    pub spin: Span,
    /// The rest of the control program's path.
    pub path: Span,
    /// Refilling the innermost caches.
    pub entry: Span,
    /// Running instructions.
    pub guest: Span,
    /// In the control program, charged.
    pub simulate: Span,
    /// How long those instructions take in warm caches, where that was asked for.
    pub work: Option<Span>,
    /// How cold the caches were for them.
    pub cold: Coldness,
    /// Whether those instructions spin for a lock.
    pub spins: bool,
    /// The way it ends.
    pub ends: Ends,
}

/// The way in which a guest's stretch ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Ends {
    /// Its slice, or what its limit allows.
    #[default]
    Slice,
    /// Its need is met; for a guest that spins, a try that may succeed.
    Work,
    /// A round of tries, none of which could succeed.
    Round,
}

impl Stretch {
    #[inline(always)]
    pub fn length(&self) -> Span {
        self.spin + self.path + self.entry + self.guest + self.simulate
    }

    /// How its first part divides; `on` is on whose behalf it is.
    #[inline]
    fn first(&self, part: Span, on: Option<Virtual>, caches: &Caches) -> Spent {
        let mut left = part;
        let mut take = |most: Span| {
            let taken = most.min(left);
            left = left - taken;
            taken
        };
        let (spin, path, entry, guest, chargeable) =
            (take(self.spin), take(self.path), take(self.entry), take(self.guest), take(self.simulate));
        let work = match (on, self.work) {
            _ if self.spins => Span::ZERO,
            (Some(_), Some(work)) if guest == self.guest => work,
            (Some(on), _) if !guest.is_zero() => caches.work(self.cold, on, guest),
            (Some(_) | None, _) => Span::ZERO,
        };
        let spinning = if self.spins { guest } else { Span::ZERO };
        Spent { on, emulation: entry + guest, chargeable, system: spin + path, spin, work, spinning }
    }

    /// How all of it divides.
    #[inline]
    fn all(&self, on: Option<Virtual>, caches: &Caches) -> Spent {
        let work = match (on, self.work) {
            _ if self.spins => Span::ZERO,
            (Some(_), Some(work)) => work,
            (Some(on), None) => caches.work(self.cold, on, self.guest),
            (None, _) => Span::ZERO,
        };
        let (emulation, chargeable, system) = (self.entry + self.guest, self.simulate, self.spin + self.path);
        let spinning = if self.spins { self.guest } else { Span::ZERO };
        Spent { on, emulation, chargeable, system, spin: self.spin, work, spinning }
    }

    /// How much of the guest's own part lies in its first part.
    #[inline]
    fn guest_in(&self, part: Span) -> Span {
        let before = self.spin + self.path + self.entry;
        if part > before { (part - before).min(self.guest) } else { Span::ZERO }
    }
}

/// A virtual processor whose slice ended for the benefit of another, which is to run next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Directed {
    /// The one to run next; it is off its vector.
    pub to: usize,
    /// Off which one.
    pub from: usize,
}

/// A list operation.
#[derive(Clone, Copy, Debug)]
pub(super) struct ListOperation {
    /// The purpose of the processor.
    pub doing: Doing,
    /// Whether a virtual processor joins or leaves.
    pub exclusive: bool,
    /// The rest of the path, after the lock.
    pub path: Span,
    /// The work that follows in the control program for a guest, charged.
    pub simulate: Span,
}

/// The same where the lock has a queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct QueuedOperation {
    pub operation: ListOperation,
    pub hold: Span,
    /// The time of its processor that it has spun.
    pub spun: Span,
}

/// A logical processor.
#[derive(Clone, Debug)]
pub(super) struct Processor {
    pub logical: Logical,
    /// The core it is on.
    pub core: u32,
    /// Whether a physical processor carries it.
    pub carried: bool,
    /// Whether it has been said that it is wanted while it is not carried.
    pub called: bool,
    /// Whether it is to be used.
    pub unparked: bool,
    /// The change that is due so that it is used or not used, if any.
    pub changes: Option<Doing>,
    pub doing: Doing,
    pub stretch: Stretch,
    /// How much of the stretch was over when it went on last, and when that was.
    done: Span,
    since: Tod,
    /// When it is over, if the processor is carried until then.
    ends: Tod,
    /// The virtual processor that it interrupted.
    pub suspended: Option<usize>,
    /// The target of a directed yield: dispatched next on this processor.
    pub directed: Option<Directed>,
    /// The list operation for which it wants the scheduler lock, or has it, where that has a queue.
    pub list: Option<QueuedOperation>,
    /// The first and the last whose interrupts it has to handle.
    pub wakes: Option<(usize, usize)>,
    /// Whether it has looked for work since it last had some.
    pub looked: bool,
    /// Since when it has been idle.
    pub idle_since: Tod,
}

impl Processor {
    pub fn new(logical: Logical, unparked: bool) -> Processor {
        Processor {
            logical,
            core: 0,
            carried: false,
            called: false,
            unparked,
            changes: None,
            doing: if unparked { Doing::Idle } else { Doing::Parked },
            stretch: Stretch::default(),
            done: Span::ZERO,
            since: Tod::START,
            ends: Tod::START,
            suspended: None,
            directed: None,
            list: None,
            wakes: None,
            looked: false,
            idle_since: Tod::START,
        }
    }

    /// Begins a stretch; says when it is over.
    #[inline(always)]
    pub fn begin(&mut self, doing: Doing, stretch: Stretch, now: Tod) -> Tod {
        (self.doing, self.stretch, self.done, self.since) = (doing, stretch, Span::ZERO, now);
        self.ends = now + stretch.length();
        self.ends
    }

    /// How much of the stretch is over.
    #[inline]
    fn progress(&self, now: Tod) -> Span {
        if self.carried { self.done + (now - self.since) } else { self.done }
    }

    /// Whether the stretch is over at this instant.
    #[inline]
    pub fn is_over(&self, now: Tod) -> bool {
        self.carried && now >= self.ends
    }

    /// The first end of a piece of this length of what the guest runs, after an instant.
    fn after(&self, piece: Span, now: Tod) -> Tod {
        let begins = self.since + (self.stretch.spin + self.stretch.path + self.stretch.entry);
        let whole = if now > begins { (now - begins).units() / piece.units() } else { 0 };
        begins + piece * (whole + 1)
    }

    /// When a virtual processor that spins, and ran here last, tries next in the present stretch.  None where it has to
    /// run first.  The spans are those of a try, and of the look at the holder after it.
    #[inline]
    pub fn next_try(&self, number: usize, (one_try, senses): (Span, Span), now: Tod) -> Option<Tod> {
        if self.doing != Doing::Running(number) || self.is_over(now) || !self.carried {
            return None;
        }
        let at = self.after(one_try, now);
        let is_a_try = at + senses <= self.ends || self.stretch.ends != Ends::Round;
        (at <= self.ends && is_a_try).then_some(at)
    }

    /// The stretch, in which a guest spins, is over at this instant, with a try that may succeed.
    pub fn end_sooner(&mut self, at: Tod) {
        self.stretch.guest = self.stretch.guest - (self.ends - at);
        (self.stretch.ends, self.ends) = (Ends::Work, at);
    }

    /// The use of time so far in the stretch.
    #[inline]
    pub fn spent(&self, on: Option<Virtual>, caches: &Caches, now: Tod) -> Spent {
        if self.is_over(now) {
            self.stretch.all(on, caches)
        } else {
            self.stretch.first(self.progress(now), on, caches)
        }
    }

    /// How long the guest of the stretch has run so far.
    #[inline]
    pub fn guest_ran(&self, now: Tod) -> Span {
        if self.is_over(now) { self.stretch.guest } else { self.stretch.guest_in(self.progress(now)) }
    }

    /// Whether a stretch is under way.
    pub fn is_busy(&self) -> bool {
        match self.doing {
            Doing::Idle | Doing::Parked | Doing::Served(_) | Doing::Yielding(_) => false,
            Doing::Diagnosing(..)
            | Doing::Kicking(_)
            | Doing::Simulating(_)
            | Doing::AwaitingLock
            | Doing::HoldingLock
            | Doing::Waking(_)
            | Doing::Running(_)
            | Doing::Leaving(_)
            | Doing::Requeueing(_)
            | Doing::Looking
            | Doing::Parking
            | Doing::Unparking => true,
        }
    }

    /// The stretch stops where it is, because nothing carries the processor any more.
    pub fn stop(&mut self, now: Tod) {
        self.done = if self.is_busy() { self.progress(now) } else { Span::ZERO };
        self.carried = false;
    }

    /// The stretch goes on; returns its end, if it has one.
    pub fn go_on(&mut self, now: Tod) -> Option<Tod> {
        (self.carried, self.since) = (true, now);
        self.ends = now + if self.is_busy() { self.stretch.length() - self.done } else { Span::ZERO };
        self.is_busy().then_some(self.ends)
    }

    /// Whether a try that may succeed is due at this instant, though that has not been noticed.
    pub fn is_about_to_try(&self, now: Tod) -> bool {
        self.stretch.spins && self.stretch.ends == Ends::Work && self.is_over(now)
    }

    /// Whether it simulates an instruction.
    #[inline]
    pub fn is_simulating(&self) -> bool {
        matches!(self.doing, Doing::Diagnosing(..) | Doing::Simulating(_))
    }

    /// On whose virtual processor's behalf the stretch is.
    #[inline]
    pub fn on(&self) -> Option<usize> {
        self.doing.on()
    }

    /// Whether it would look for the next virtual processor at once, in its vector.
    #[inline]
    pub fn goes_on(&self) -> bool {
        self.wakes.is_none() && self.unparked
    }

    /// Whether it would begin something as soon as it were dispatched, and has not asked for that.
    pub fn may_be_called(&self) -> bool {
        !self.carried && !self.called && self.unparked && self.doing == Doing::Idle
    }

    /// Whether it would begin something at once.
    pub fn is_free(&self) -> bool {
        self.carried && self.unparked && self.doing == Doing::Idle
    }
}
