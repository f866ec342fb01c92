//! The choice of a processor for a thread, and of a thread for an idle processor.

use super::{Cfs, GroupState, Running};
use crate::effect::Outbox;
use crate::ids::{Partition, Requester};
use crate::signal::{Probe, Signal, Threading};
use units::Tod;

impl Cfs {
    /// A thread that wakes goes to its last processor if that is idle, else to an idle one, else to its last.  A new
    /// thread goes to the processor with the fewest.
    pub(super) fn place(&self, requester: Requester) -> usize {
        let thread = &self.threads[requester.index()];
        if let Some(pinned) = thread.plan.processor {
            return pinned.index();
        }
        let idle = |place: &usize| self.processors[*place].runs.is_none();
        let all = 0..self.processors.len();
        let last = thread.last.filter(|last| idle(last));
        let fewest = || all.clone().min_by_key(|place| self.crowd(*place)).expect("there is a processor");
        last.or_else(|| all.clone().find(idle)).or(thread.last).unwrap_or_else(fewest)
    }

    /// How many run or want to run on a processor.
    pub(super) fn crowd(&self, place: usize) -> usize {
        self.groups.iter().map(|group| group.queues[place].threads.len()).sum()
    }

    /// A processor with nothing to do takes a thread that waits on another, from where most wait (new idle balancing;
    /// Linux, sched-domains).  Says whether there was one.
    pub(super) fn pull(&mut self, to: usize, now: Tod, (effects, probe): (&mut impl Outbox, &mut impl Probe)) -> bool {
        let from = (0..self.processors.len()).filter(|from| *from != to && self.movable(*from, to).is_some());
        // Of equals the first.
        let Some(from) = from.min_by_key(|from| std::cmp::Reverse(self.crowd(*from))) else { return false };
        let requester = self.movable(from, to).expect("it has one");
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
        let open = self.groups.iter().filter(|group| {
            let limited =
                |group: &&GroupState| group.bandwidth.as_ref().is_some_and(|own| !own.may_run(to) && own.is_empty());
            group.queues[from].competes() && !group.queues[to].stopped && !limited(group)
        });
        open.flat_map(|group| &group.queues[from].threads).copied().find(waits)
    }
}
