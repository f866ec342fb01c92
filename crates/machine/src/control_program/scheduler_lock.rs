//! The scheduler lock (SRMSLOCK) of a control program: who has to spin for how long, and how long he holds it then.

use crate::plan::control_program::LockPlan;
use crate::signal::control_program::ListWork;
use std::collections::VecDeque;
use units::{Span, Tod};

/// A lock for readers and writers, first come, first served.
///
/// Who takes it exclusive waits for all who came before him; who takes it shared, for those before him who take it
/// exclusive.  That reads and writes of others in the cache lines of the lock make managing it less efficient is documented
/// (APAR VM65696).  ASSUME: first come, first served; and that an operation takes longer in proportion to those who had it
/// or waited for it when its processor came.
#[derive(Clone, Debug)]
pub struct SchedulerLock {
    plan: LockPlan,
    /// When those give it back who have it or wait for it, the first first; room for one of each processor.
    ends: VecDeque<Tod>,
    /// When the last of those before gives it back who take it exclusive.
    exclusive_until: Tod,
    /// When the last of those before gives it back.
    taken_until: Tod,
    /// When somebody came last.
    now: Tod,
    processors: usize,
}

impl SchedulerLock {
    /// A lock that nobody has, for so many processors.
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
    /// Calls come in the order of time, those of one instant in the order in which they come; a processor that has it or
    /// waits for it does not come again.  With every improvement there were fewer situations in which it is held exclusive
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
        assert!(self.now <= now, "whoever comes, comes in order of time");
        self.now = now;
        while self.ends.front().is_some_and(|end| *end <= now) {
            self.ends.pop_front();
        }
        self.ends.len()
    }

    /// Those who share it may be through in another order than they came in, by little: the place is near the end.
    fn come(&mut self, until: Tod) {
        assert!(self.ends.len() < self.processors, "a processor takes the lock once at a time");
        let later = self.ends.iter().rev().take_while(|end| **end > until).count();
        self.ends.insert(self.ends.len() - later, until);
    }
}

/// The lock of a control program.
#[derive(Clone, Debug)]
pub(super) enum Lock {
    /// Its processors are always carried: whoever comes knows when he is through.
    Foreseen(SchedulerLock),
    /// They may be taken away.
    Queued(QueuedLock),
}

impl Lock {
    /// A lock that nobody has, for so many processors, which are shared with others or are not.
    pub fn new(plan: &LockPlan, processors: u32, shared: bool) -> Lock {
        if shared {
            Lock::Queued(QueuedLock::new(plan, processors))
        } else {
            Lock::Foreseen(SchedulerLock::new(plan, processors))
        }
    }
}

/// The same lock where those who have it may be held up: a queue of processors.
#[derive(Clone, Debug)]
pub(super) struct QueuedLock {
    plan: LockPlan,
    /// Who has it, the first the longest, and who waits; each with whether he takes it exclusive.
    holders: VecDeque<(usize, bool)>,
    waiting: VecDeque<(usize, bool)>,
}

impl QueuedLock {
    /// A lock that nobody has, for so many processors.
    pub fn new(plan: &LockPlan, processors: u32) -> Self {
        let room = || VecDeque::with_capacity(processors as usize);
        QueuedLock { plan: *plan, holders: room(), waiting: room() }
    }

    /// A processor comes for it: how long it will hold it, and whether it has it at once.
    pub fn come(&mut self, own: usize, joins: bool) -> (Span, bool) {
        let there = self.holders.len() + self.waiting.len();
        self.waiting.push_back((own, self.plan.is_exclusive(joins)));
        let has_it = self.next() == Some(own);
        (self.plan.hold + self.plan.per_waiter * there as u64, has_it)
    }

    /// A processor gives it back.
    pub fn give(&mut self, own: usize) {
        self.holders.retain(|(holder, _)| *holder != own);
    }

    /// The next that has it from now on, if that is so for somebody; those who share it, one after the other.
    pub fn next(&mut self) -> Option<usize> {
        let (own, exclusive) = *self.waiting.front()?;
        let is_free = self.holders.iter().all(|(_, held)| !exclusive && !held);
        if !is_free {
            return None;
        }
        self.waiting.pop_front();
        self.holders.push_back((own, exclusive));
        Some(own)
    }

    /// Who has it, the longest.
    pub fn holder(&self) -> usize {
        self.holders.front().expect("somebody has it for whom others wait").0
    }
}
