//! What a lock that threads share is built from: the order of grants, and what a thread does while it waits.

use units::Span;

/// A lock of threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadLockPlan {
    /// Its name in the scenario.
    pub name: String,
    /// The order of grants.
    pub order: Turns,
    /// The behaviour of a thread that finds it held.
    pub waiting: Waiting,
    /// How long one try takes.
    pub attempt: Span,
    /// The nice level of a thread while it holds the lock; without it, its own.
    pub lift: Option<i8>,
}

/// The order in which a lock is granted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// The first to try once it is free, newcomers too.
    Unordered,
    /// First come, first served: no other thread has it while the next in turn does not run.
    Ticket,
}

/// The behaviour of a thread that finds a lock held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waiting {
    /// It tries again and again.
    Spin,
    /// It tries this often, and then yields its processor.
    Yield {
        /// How often.
        tries: u32,
        /// The time of the call.
        cost: Span,
    },
    /// It sleeps until a release wakes it (futex).
    Sleep {
        /// The time of the call that sleeps.
        cost: Span,
        /// The time of the call that wakes, at the release.
        wake: Span,
    },
}

impl ThreadLockPlan {
    /// How long a thread tries before it does something else.
    pub fn round(&self) -> Span {
        match self.waiting {
            Waiting::Spin => FOREVER,
            Waiting::Yield { tries, cost } => self.attempt * u64::from(tries) + cost,
            Waiting::Sleep { cost, .. } => cost,
        }
    }
}

/// Longer than any run: nothing but a release ends it.
const FOREVER: Span = Span::from_units(u64::MAX >> 4);
