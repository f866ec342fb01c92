//! A lock of threads: its holder, the threads that wait for it, and those of them that sleep.

use crate::ids::Requester;
use crate::plan::{ThreadLockPlan, Turns, Waiting};
use std::collections::VecDeque;
use units::{Span, Tod};

/// A lock of threads.
#[derive(Clone, Debug)]
pub struct ThreadLockState {
    pub(in crate::guest) order: Turns,
    pub(in crate::guest) waiting: Waiting,
    pub(in crate::guest) attempt: Span,
    pub(in crate::guest) round: Span,
    pub(in crate::guest) lift: Option<i8>,
    /// The thread that has it, and since when.
    pub holder: Option<(Requester, Tod)>,
    /// The threads that wait for it, in the order in which they came.
    pub(in crate::guest) waiters: VecDeque<Requester>,
    /// Those of them that sleep, in the order in which they went to sleep.
    pub(in crate::guest) asleep: VecDeque<Requester>,
    /// Whether its release makes the call that wakes one.
    pub(in crate::guest) contended: bool,
}

/// Which try of a thread it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trial {
    /// Its first.
    First,
    /// A later one.
    Again,
    /// None: it sleeps.
    Asleep,
}

impl ThreadLockState {
    pub(in crate::guest) fn new(plan: &ThreadLockPlan) -> Self {
        ThreadLockState {
            order: plan.order,
            waiting: plan.waiting,
            attempt: plan.attempt,
            round: plan.round(),
            lift: plan.lift,
            holder: None,
            waiters: VecDeque::with_capacity(ROOM),
            asleep: VecDeque::with_capacity(ROOM),
            contended: false,
        }
    }

    /// Whether a thread that tries now has it.
    pub(in crate::guest) fn is_for(&self, requester: Requester) -> bool {
        let turn = match self.order {
            Turns::Unordered => true,
            Turns::Ticket => self.waiters.front().is_none_or(|first| *first == requester),
        };
        self.holder.is_none() && turn
    }
}

/// More waiters than the language allows: nothing is allocated while they come and go.
const ROOM: usize = 256;
