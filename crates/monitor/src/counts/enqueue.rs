//! The counts of resources that guests enqueue on by name, in whole numbers: requests, waits, holds, contention.
//!
//! All queues of a name are counted together.  Each has a state of its own, so that a time in contention is that of one
//! queue.

use kernel::statistics::{Tally, TimeAverage};
use machine::plan::{EnqueueAccess, EnqueuePlan, Plan};
use machine::serialization::queues;
use machine::signal::Queueing;
use units::{Span, Tod};

/// The classes of numbers of waiters: one, two, three, four or more.
pub const LENGTHS: usize = 4;

/// Of one resource.
#[derive(Clone, Debug)]
pub struct EnqueueCounts {
    queues: Vec<QueueState>,
    pub owners: TimeAverage,
    pub waiters: TimeAverage,
    /// Requests that had it at once, and that were refused.
    pub at_once: u64,
    pub refused: u64,
    /// Changes of control, and questions whether it could be had.
    pub changed: u64,
    pub tested: u64,
    /// Requests that began to wait, and their waits when granted.
    pub awaited: u64,
    pub waits: Tally,
    /// The waits of those whose system left.
    pub withdrawn: Tally,
    pub longest_wait: Span,
    /// From having it to its release.
    pub holds: Tally,
    /// Times that a first task began to wait.
    pub contentions: u64,
    /// Those that ended, with the shortest and the longest.
    pub ended: Tally,
    pub shortest: Option<Span>,
    pub longest: Span,
    /// The time with this many waiters, summed over all queues.
    lengths: [u128; LENGTHS],
    /// The most that waited at once in a queue: for exclusive use, for shared use.
    pub most: [u32; 2],
    /// How often a queue was what it cannot be; a law says never.
    pub broken: u64,
    /// Owners and waiters at the start of the interval.
    pub before: [u32; 2],
}

/// A queue.
#[derive(Clone, Copy, Debug, Default)]
struct QueueState {
    owners: u32,
    exclusive_owners: u32,
    /// For exclusive use, for shared use.
    waiters: [u32; 2],
    /// Since when it is so long.
    since: Tod,
    /// Since when a task waits.
    contended: Tod,
}

impl QueueState {
    fn waiting(&self) -> u32 {
        self.waiters[0] + self.waiters[1]
    }
}

/// Which of the two counts of waiters.
const fn kind(access: EnqueueAccess) -> usize {
    match access {
        EnqueueAccess::Exclusive => 0,
        EnqueueAccess::Shared => 1,
    }
}

impl EnqueueCounts {
    /// Counts for a resource of a plan.
    pub fn new(plan: &Plan, enqueue: &EnqueuePlan) -> Self {
        EnqueueCounts {
            queues: vec![QueueState::default(); queues(plan, enqueue)],
            owners: TimeAverage::default(),
            waiters: TimeAverage::default(),
            at_once: 0,
            refused: 0,
            changed: 0,
            tested: 0,
            awaited: 0,
            waits: Tally::default(),
            withdrawn: Tally::default(),
            longest_wait: Span::ZERO,
            holds: Tally::default(),
            contentions: 0,
            ended: Tally::default(),
            shortest: None,
            longest: Span::ZERO,
            lengths: [0; LENGTHS],
            most: [0; 2],
            broken: 0,
            before: [0; 2],
        }
    }

    /// Takes notice of what becomes of a request in a queue.
    pub fn signal(&mut self, now: Tod, queue: u32, what: Queueing) {
        let number = queue as usize;
        match what {
            Queueing::Withdrawn(_, access, waited) => {
                self.passes(number, access, now);
                self.withdrawn.add(waited);
            }
            Queueing::Refused(_) => self.refused += 1,
            Queueing::Tested(..) => self.tested += 1,
            Queueing::Changed(_, access) => self.changes(number, access),
            Queueing::Granted(_, access) => {
                self.at_once += 1;
                self.owns(number, access, now);
            }
            Queueing::Awaited(_, access) => {
                self.awaited += 1;
                self.waits(number, access, now);
            }
            Queueing::Passed(_, access, waited) => {
                self.passes(number, access, now);
                self.waits.add(waited);
                self.longest_wait = self.longest_wait.max(waited);
                self.owns(number, access, now);
            }
            Queueing::Released(_, access, held) => {
                let state = &mut self.queues[number];
                self.broken += u64::from(state.owners == 0);
                state.owners -= 1;
                state.exclusive_owners -= u32::from(access == EnqueueAccess::Exclusive);
                self.owners.change(now, -1);
                self.holds.add(held);
            }
        }
    }

    fn owns(&mut self, number: usize, access: EnqueueAccess, now: Tod) {
        let state = &mut self.queues[number];
        state.owners += 1;
        state.exclusive_owners += u32::from(access == EnqueueAccess::Exclusive);
        self.broken += u64::from(state.exclusive_owners > 0 && state.owners > 1);
        self.owners.change(now, 1);
    }

    /// An owner, so far in this way, becomes exclusive.
    fn changes(&mut self, number: usize, access: EnqueueAccess) {
        self.changed += 1;
        let state = &mut self.queues[number];
        state.exclusive_owners += u32::from(access == EnqueueAccess::Shared);
        self.broken += u64::from(state.exclusive_owners != 1 || state.owners != 1);
    }

    fn waits(&mut self, number: usize, access: EnqueueAccess, now: Tod) {
        self.lasted(number, now);
        let state = &mut self.queues[number];
        self.broken += u64::from(state.owners == 0);
        if state.waiting() == 0 {
            self.contentions += 1;
            state.contended = now;
        }
        state.waiters[kind(access)] += 1;
        self.most[kind(access)] = self.most[kind(access)].max(state.waiters[kind(access)]);
        self.waiters.change(now, 1);
    }

    fn passes(&mut self, number: usize, access: EnqueueAccess, now: Tod) {
        self.lasted(number, now);
        let state = &mut self.queues[number];
        state.waiters[kind(access)] -= 1;
        if state.waiting() == 0 {
            let span = now - state.contended;
            self.ended.add(span);
            self.longest = self.longest.max(span);
            self.shortest = Some(self.shortest.map_or(span, |shortest| shortest.min(span)));
        }
        self.waiters.change(now, -1);
    }

    /// A queue has been as long as it is until now.
    fn lasted(&mut self, number: usize, now: Tod) {
        let state = &mut self.queues[number];
        if let Some(length) = (state.waiting() as usize).checked_sub(1) {
            self.lengths[length.min(LENGTHS - 1)] += u128::from((now - state.since).units());
        }
        state.since = now;
    }

    /// The time with this many waiters until now, summed over all queues.
    pub fn lengths(&self, now: Tod) -> [u128; LENGTHS] {
        let mut lengths = self.lengths;
        for state in &self.queues {
            if let Some(length) = (state.waiting() as usize).checked_sub(1) {
                lengths[length.min(LENGTHS - 1)] += u128::from((now - state.since).units());
            }
        }
        lengths
    }

    /// Starts an interval.
    pub fn reset(&mut self, now: Tod) {
        for state in &mut self.queues {
            state.since = now;
        }
        self.owners.reset(now);
        self.waiters.reset(now);
        (self.at_once, self.refused, self.awaited, self.contentions) = (0, 0, 0, 0);
        (self.changed, self.tested, self.withdrawn) = (0, 0, Tally::default());
        (self.waits, self.holds, self.ended) = (Tally::default(), Tally::default(), Tally::default());
        (self.longest_wait, self.longest, self.shortest) = (Span::ZERO, Span::ZERO, None);
        self.lengths = [0; LENGTHS];
        let now = self.queues.iter().map(|state| state.waiters);
        self.most = now.fold([0; 2], |most, own| [most[0].max(own[0]), most[1].max(own[1])]);
        self.before = [self.owners.level(), self.waiters.level()];
        self.broken = 0;
    }
}
