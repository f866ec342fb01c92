//! What threads ask of their scheduler while they wait for locks: to yield, to try again, to be lifted.

use super::{Cfs, Running, State, fair};
use crate::effect::{Outbox, ThreadCall};
use crate::ids::Requester;
use crate::plan::YieldRule;
use crate::plan::cfs::weight_of;
use units::{Span, Tod};

impl Cfs {
    /// A thread calls, or a lock does it for a thread that waits.
    pub(in crate::cec) fn calls(
        &mut self,
        requester: Requester,
        call: ThreadCall,
        now: Tod,
        effects: &mut impl Outbox,
    ) {
        let place = self.threads[requester.index()].last.expect("a thread that calls has run");
        match call {
            ThreadCall::Yield => self.yields(requester, place, now),
            ThreadCall::Try(after) => self.tries(requester, (place, after), now, effects),
            ThreadCall::Spend(span) => {
                let thread = &mut self.threads[requester.index()];
                thread.spends += span;
                thread.called = true;
            }
            ThreadCall::Lift(nice) => {
                self.reweigh(requester, (place, weight_of(nice)), now);
                // The call charges its caller, and so the kernel notices that its slice is over.
                let late = self.processors[place].runs.is_some_and(|runs| runs.state == State::LeavingLate);
                self.threads[requester.index()].called |= late;
            }
            ThreadCall::Restore => {
                let own = self.threads[requester.index()].plan.weight();
                self.reweigh(requester, (place, own), now);
                self.threads[requester.index()].called = true;
            }
        }
    }

    /// A running thread yields: its slice is over, and it loses what the kernel's rule takes (Linux,
    /// `yield_task_fair`).  A thread that is alone on its processor goes on, and loses nothing.
    fn yields(&mut self, requester: Requester, place: usize, now: Tod) {
        self.charge(place, now);
        if self.processors[place].crowd == 1 {
            return;
        }
        let group = self.group_of(requester);
        let mean = self.groups[group].queues[place].mean(&self.threads);
        let (slice, thread) = (self.plan.base_slice, &mut self.threads[requester.index()]);
        match self.plan.yields {
            YieldRule::Deadline => thread.rank.delays(thread.weight, slice),
            YieldRule::Forfeit if thread.rank.at <= mean => thread.rank.forfeits(thread.weight, slice),
            YieldRule::Forfeit => {}
        }
        let runs = self.processors[place].runs.as_mut().expect("a thread that yields runs");
        runs.state = State::Yields;
    }

    /// After a call that woke a thread or lowered its caller, a caller that is ahead of the mean gives way: only one that
    /// is not is protected until the end of its slice (Linux, `pick_eevdf`, RUN_TO_PARITY).
    pub(super) fn called(&mut self, place: usize) {
        let Some(runs) = self.processors[place].runs else { return };
        if !std::mem::take(&mut self.threads[runs.requester.index()].called) {
            return;
        }
        let mean = self.groups[runs.group].queues[place].mean(&self.threads);
        if self.threads[runs.requester.index()].rank.at > mean {
            self.processors[place].runs = Some(Running { state: State::Yields, ..runs });
        }
    }

    /// A thread that waits for a lock may have it: its next try is over after so long.
    fn tries(&mut self, requester: Requester, (place, after): (usize, Span), now: Tod, effects: &mut impl Outbox) {
        self.charge(place, now);
        let thread = &mut self.threads[requester.index()];
        thread.left = thread.left.min(after);
        if self.runs_now(requester, place) {
            self.set_look(place, now, effects);
        }
    }

    /// A thread has another weight among those of its group.
    fn reweigh(&mut self, requester: Requester, (place, weight): (usize, u64), now: Tod) {
        self.charge(place, now);
        let group = self.group_of(requester);
        let queue = &self.groups[group].queues[place];
        let mean = queue.mean(&self.threads);
        let rest = || queue.threads.iter().filter(|other| **other != requester);
        let others = rest().map(|other| {
            let thread = &self.threads[other.index()];
            (thread.rank, thread.weight)
        });
        let weights = rest().map(|other| self.threads[other.index()].weight).sum();
        let others = fair::mean(others).map(|mean| (mean, weights));
        let thread = &mut self.threads[requester.index()];
        let before = std::mem::replace(&mut thread.weight, weight);
        thread.rank.reweighs((before, weight), mean, others);
        let state = &mut self.groups[group];
        state.load = state.load - before + weight;
        state.queues[place].load = state.queues[place].load - before + weight;
    }

    fn runs_now(&self, requester: Requester, place: usize) -> bool {
        self.processors[place].runs.is_some_and(|runs: Running| runs.requester == requester)
    }
}
