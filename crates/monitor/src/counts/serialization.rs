//! The counts of the service of ENQ and DEQ in a partition, in whole numbers: requests, their pieces, the lock, exits.

use kernel::statistics::{Tally, TimeAverage};
use machine::ids::Requester;
use machine::serialization::{Calls, PIECES, POINTS};
use machine::signal::{LockUse, Request, Serializing};
use units::Tod;

/// Of the service in one partition.
#[derive(Clone, Debug, Default)]
pub struct ServiceCounts {
    /// Requests that are under way.
    pub under_way: TimeAverage,
    /// From call to end: ENQs, DEQs.
    pub over: [Tally; 2],
    /// The cost of the paths of requests that began, in TOD-clock units.
    pub priced: u128,
    /// Requests whose system left, from call to then, and what of their price was left.
    pub lost: Tally,
    pub unspent: u128,
    /// The time spent on each piece.
    pub spent: [u128; PIECES],
    /// How often each exit was called.
    pub calls: [u64; POINTS],
    /// How many exits have failed and were removed since the machine started.
    pub removed: u64,
    /// How long global requests were on their way.
    pub delays: Tally,
    /// Takes that found the lock free.
    pub at_once: u64,
    /// Waits of the others.
    pub waits: Tally,
    /// Waits of those whose system left.
    pub withdrawn: Tally,
    pub holds: Tally,
    pub held: TimeAverage,
    pub waiting: TimeAverage,
    holder: Option<(Requester, Tod)>,
    /// Times that a held lock was taken, or released by a task that did not hold it; a law requires zero.
    pub broken: u64,
}

/// Which of two counts.
const fn place(request: Request) -> usize {
    match request {
        Request::Enq => 0,
        Request::Deq => 1,
    }
}

impl ServiceCounts {
    /// Takes notice of something in the service.
    pub fn signal(&mut self, now: Tod, what: Serializing) {
        match what {
            Serializing::Called(_, _, cost) => {
                self.under_way.change(now, 1);
                self.priced += u128::from(cost.units());
            }
            Serializing::Added(_, cost) => self.priced += u128::from(cost.units()),
            Serializing::Spent(_, piece, span) => self.spent[piece as usize] += u128::from(span.units()),
            Serializing::Exits(_, calls) => self.count(calls),
            Serializing::Removed(_, exits) => self.removed += u64::from(exits),
            Serializing::Delayed(_, span) => self.delays.add(span),
            Serializing::Over(_, request, span) => {
                self.under_way.change(now, -1);
                self.over[place(request)].add(span);
            }
            Serializing::Lost(_, left, span) => {
                self.under_way.change(now, -1);
                self.lost.add(span);
                self.unspent += u128::from(left.units());
            }
            Serializing::Lock(_, what) => self.lock(now, what),
            Serializing::Queue(..) => {}
        }
    }

    fn count(&mut self, calls: Calls) {
        for (sum, calls) in self.calls.iter_mut().zip(calls) {
            *sum += u64::from(calls);
        }
    }

    fn lock(&mut self, now: Tod, what: LockUse) {
        match what {
            LockUse::Awaited(_) => self.waiting.change(now, 1),
            LockUse::Withdrawn(_, waited) => {
                self.waiting.change(now, -1);
                self.withdrawn.add(waited);
            }
            LockUse::Taken(requester, waited) => {
                self.broken += u64::from(self.holder.replace((requester, now)).is_some());
                self.held.change(now, 1);
                match waited {
                    Some(waited) => {
                        self.waiting.change(now, -1);
                        self.waits.add(waited);
                    }
                    None => self.at_once += 1,
                }
            }
            LockUse::Given(requester, span) => {
                let had = self.holder.take().is_some_and(|(holder, since)| holder == requester && now - since == span);
                self.broken += u64::from(!had);
                self.held.change(now, -1);
                self.holds.add(span);
            }
        }
    }

    /// Starts an interval.
    pub fn reset(&mut self, now: Tod) {
        for level in [&mut self.under_way, &mut self.held, &mut self.waiting] {
            level.reset(now);
        }
        self.over = Default::default();
        (self.priced, self.spent, self.calls) = (0, [0; PIECES], [0; POINTS]);
        (self.delays, self.waits, self.holds) = (Tally::default(), Tally::default(), Tally::default());
        (self.lost, self.withdrawn) = (Tally::default(), Tally::default());
        (self.at_once, self.broken, self.unspent) = (0, 0, 0);
    }

    /// How often the lock was taken.
    pub fn takes(&self) -> u64 {
        self.at_once + self.waits.count()
    }

    /// The time spent on all pieces.
    pub fn spent(&self) -> u128 {
        self.spent.iter().sum()
    }

    /// A kind of request, from call to end.
    pub fn over(&self, request: Request) -> &Tally {
        &self.over[place(request)]
    }
}
