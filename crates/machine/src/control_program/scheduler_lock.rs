//! The scheduler lock (SRMSLOCK) of a control program: spin times and holding times.

use crate::plan::control_program::{Handover, LockPlan};
use crate::signal::control_program::ListWork;
use std::collections::VecDeque;
use units::{Span, Tod};

/// A lock for readers and writers, first come, first served.
///
/// An exclusive operation waits for all earlier ones, a shared one for the earlier exclusive ones.  It is documented
/// that reads and writes of others in the cache lines of the lock make managing it less efficient (APAR VM65696).
/// ASSUME: first come, first served; an operation takes longer in proportion to those that held it or waited for it
/// when its processor came.
#[derive(Clone, Debug)]
pub struct SchedulerLock {
    plan: LockPlan,
    /// The release times of holders and waiters, the first first; room for one of each processor.
    ends: VecDeque<Tod>,
    /// The release time of the last exclusive one.
    exclusive_until: Tod,
    /// When the last of those before gives it back.
    taken_until: Tod,
    /// The time of the last arrival.
    now: Tod,
    processors: usize,
}

impl SchedulerLock {
    /// A free lock for this many processors.
    pub fn new(plan: &LockPlan, processors: u32) -> Self {
        SchedulerLock {
            plan: *plan,
            ends: VecDeque::with_capacity(processors as usize + 1),
            exclusive_until: Tod::START,
            taken_until: Tod::START,
            now: Tod::START,
            processors: processors as usize,
        }
    }

    /// A processor takes it for a list operation: how long it spins and then holds it.
    ///
    /// Calls come in the order of time, those of one instant in order of arrival.  A processor that holds it or waits
    /// for it does not come again.  With every improvement there were fewer situations in which it is held exclusive
    /// (z/VM Performance Report: 5.3, Diagnose X'9C' Support, Table 3; z13, System Scaling Improvements).
    pub fn take(&mut self, exclusive: bool, now: Tod) -> ListWork {
        let exclusive = self.plan.is_exclusive(exclusive);
        if self.plan.hold.is_zero() {
            return ListWork { exclusive, spin: Span::ZERO, hold: Span::ZERO };
        }
        let hold = self.plan.hold + self.plan.per_waiter * self.there(now) as u64;
        let free = if exclusive { self.taken_until } else { self.exclusive_until };
        let from = free.max(now);
        let until = from + hold;
        self.taken_until = self.taken_until.max(until);
        if exclusive {
            self.exclusive_until = until;
        }
        self.come(until);
        ListWork { exclusive, spin: from.since(now), hold }
    }

    /// How many have it or wait for it at an instant.
    pub fn there(&mut self, now: Tod) -> usize {
        assert!(self.now <= now, "arrivals are in order of time");
        self.now = now;
        while self.ends.front().is_some_and(|end| *end <= now) {
            self.ends.pop_front();
        }
        self.ends.len()
    }

    /// Shared holders may end in another order than they came in, by little: the place is near the end.
    fn come(&mut self, until: Tod) {
        assert!(self.ends.len() < self.processors, "a processor takes the lock once at a time");
        if self.ends.back().is_none_or(|last| *last <= until) {
            return self.ends.push_back(until);
        }
        let later = self.ends.iter().rev().take_while(|end| **end > until).count();
        self.ends.insert(self.ends.len() - later, until);
    }
}

/// The lock of a control program.
#[derive(Clone, Debug)]
pub(super) enum Lock {
    /// Its processors are always dispatched: the end is known on arrival.
    Foreseen(SchedulerLock),
    /// They may be taken away.
    Queued(QueuedLock),
}

impl Lock {
    /// A free lock for this many processors, which are shared with others or are not.
    pub fn new(plan: &LockPlan, processors: u32, shared: bool) -> Lock {
        if shared {
            Lock::Queued(QueuedLock::new(plan, processors))
        } else {
            Lock::Foreseen(SchedulerLock::new(plan, processors))
        }
    }
}

/// The same lock where holders may lose their processor: a queue of processors.
#[derive(Clone, Debug)]
pub(super) struct QueuedLock {
    plan: LockPlan,
    /// Holders, the first the longest, and waiters; each with whether it is exclusive.
    holders: VecDeque<(usize, bool)>,
    waiting: VecDeque<(usize, bool)>,
}

impl QueuedLock {
    /// A free lock for this many processors.
    pub fn new(plan: &LockPlan, processors: u32) -> Self {
        let room = || VecDeque::with_capacity(processors as usize);
        QueuedLock { plan: *plan, holders: room(), waiting: room() }
    }

    /// A processor comes for it, as the last one: how long it will hold it.
    pub fn come(&mut self, own: usize, joins: bool) -> Span {
        let there = self.holders.len() + self.waiting.len();
        self.waiting.push_back((own, self.plan.is_exclusive(joins)));
        self.plan.hold + self.plan.per_waiter * there as u64
    }

    /// A processor gives it back.
    pub fn give(&mut self, own: usize) {
        self.holders.retain(|(holder, _)| *holder != own);
    }

    /// The next that has it from now on, if there is one; shared ones, one after the other.
    pub fn next(&mut self, is_dispatched: impl Fn(usize) -> bool) -> Option<usize> {
        let place = match self.plan.handover {
            Handover::Fifo => 0,
            Handover::DispatchedFirst => self.waiting.iter().position(|(waiter, _)| is_dispatched(*waiter))?,
        };
        let (own, exclusive) = *self.waiting.get(place)?;
        let is_free = self.holders.iter().all(|(_, held)| !exclusive && !held);
        if !is_free {
            return None;
        }
        self.waiting.remove(place);
        self.holders.push_back((own, exclusive));
        Some(own)
    }

    /// The oldest holder.
    pub fn holder(&self) -> usize {
        self.holders.front().expect("a lock that others wait for has a holder").0
    }
}
