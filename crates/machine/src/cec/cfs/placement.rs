//! The choice of a processor for a thread, and of a thread for an idle processor.

use super::bandwidth::Bandwidth;
use super::{Cfs, Running};
use crate::effect::Outbox;
use crate::ids::{Partition, Requester};
use crate::signal::{Probe, Signal, Threading};
use std::cmp::Reverse;
use units::Tod;

impl Cfs {
    /// A thread that wakes goes to its last processor if that is idle, else to an idle one, else to its last.  A new
    /// thread goes to the processor with the fewest.
    pub(super) fn place(&self, requester: Requester) -> usize {
        let thread = &self.threads[requester.index()];
        if let Some(pinned) = thread.plan.processor {
            return pinned.index();
        }
        let last = thread.last.filter(|last| self.processors[*last].runs.is_none());
        let fewest = || {
            let all = 0..self.processors.len();
            all.min_by_key(|place| self.processors[*place].crowd).expect("there is a processor")
        };
        last.or_else(|| self.idle.first()).or(thread.last).unwrap_or_else(fewest)
    }

    /// A processor with nothing to do takes a thread that waits on another, from where most wait (new idle balancing;
    /// Linux, sched-domains).  Says whether there was one.
    pub(super) fn pull(&mut self, to: usize, now: Tod, (effects, probe): (&mut impl Outbox, &mut impl Probe)) -> bool {
        // A thread that is alone on a processor waits only where that is idle.
        let alone = |from: &usize| self.processors[*from].open == 1;
        let mut best = None;
        for from in self.crowded.iter().chain(self.idle.iter().filter(alone)).filter(|from| *from != to) {
            // Of equals the first.
            let order = (Reverse(self.processors[from].crowd), from);
            if best.is_none_or(|(least, _)| order < least)
                && let Some(requester) = self.movable(from, to)
            {
                best = Some((order, requester));
            }
        }
        let Some(((_, from), requester)) = best else { return false };
        self.charge(from, now);
        let group = self.group_of(requester);
        let queues = &self.groups[group].queues;
        let lag = self.threads[requester.index()].rank.at - queues[from].mean(&self.threads);
        let at = queues[to].mean(&self.threads) + lag;
        self.dequeue(requester, (group, from), now, effects);
        self.tell((group, from), now, probe);
        self.set_look(from, now, effects);
        self.enqueue(requester, (group, to), at);
        let migrated = Threading::Migrated(self.threads[requester.index()].guest);
        probe.signal(now, Signal::Threading(Partition(group as u32), migrated));
        self.tell((group, to), now, probe);
        true
    }

    /// The first thread that waits on one processor and may run on the other.
    fn movable(&self, from: usize, to: usize) -> Option<Requester> {
        let runs = self.processors[from].runs;
        let waits = |requester: &Requester| {
            runs.is_none_or(|runs: Running| runs.requester != *requester)
                && self.threads[requester.index()].plan.processor.is_none()
        };
        let open = self.competing(from).map(|group| &self.groups[group]).filter(|group| {
            let limited = |own: &Bandwidth| !own.may_run(to) && own.is_empty();
            !group.queues[to].stopped && !group.bandwidth.as_ref().is_some_and(limited)
        });
        open.flat_map(|group| &group.queues[from].threads).copied().find(waits)
    }
}
