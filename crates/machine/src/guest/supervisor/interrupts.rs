//! I/O interrupts of a partition: pending until a processor that may take them is carried, then handled one by one.

use super::{Supervisors, Work};
use crate::effect::{Outbox, Wanted};
use crate::event::Event;
use crate::ids::{Exposure, Logical, Partition};
use crate::signal::{Probe, Signal, Taken};
use units::Tod;

impl Supervisors {
    /// An I/O has ended: a processor in wait takes the interrupt, else one that is enabled, else it stays pending.
    pub fn interrupt(
        &mut self,
        (partition, exposure): (Partition, Exposure),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        self.partitions[partition.index()].pending.push_back(exposure);
        let processors = self.partitions[partition.index()].logical.clone().map(Logical);
        let in_wait = processors.clone().find(|lp| self.is_in_wait(*lp));
        let enabled = || processors.clone().find(|lp| self.logical[lp.index()].can_be_interrupted());
        match in_wait.or_else(enabled) {
            Some(logical) => {
                self.takes_pending((logical, Taken::Slih), now, effects, probe);
            }
            None if self.tells => self.call_for_interrupt(partition, effects),
            None => {}
        }
    }

    /// An interrupt finds no processor that is carried and may take it: one in wait is wanted for it, else another that
    /// would take it.
    #[inline(never)]
    fn call_for_interrupt(&mut self, partition: Partition, effects: &mut impl Outbox) {
        if self.call((partition, Wanted::Interrupt), effects) {
            return;
        }
        let mut own = self.partitions[partition.index()].logical.clone().map(Logical);
        let would = |lp: &Logical| {
            let state = &self.logical[lp.index()];
            !state.is_carried() && state.would_be_interrupted()
        };
        if let Some(logical) = own.find(would) {
            effects.wants(logical, Wanted::Interrupt);
        }
    }

    /// Lets a processor that is carried take the oldest pending interrupt, if it may and there is one; says whether.
    pub(super) fn takes_pending(
        &mut self,
        (logical, taken): (Logical, Taken),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) -> bool {
        let state = &self.logical[logical.index()];
        let may = state.can_be_interrupted() || self.is_in_wait(logical);
        let partition = state.partition;
        if !may {
            return false;
        }
        let Some(exposure) = self.partitions[partition.index()].pending.pop_front() else { return false };
        self.partitions[partition.index()].enablement.count(taken);
        probe.signal(now, Signal::Taken(logical, taken));
        let span = self.draw_slih(partition);
        let state = &mut self.logical[logical.index()];
        let interrupted = match state.work {
            Work::Job(_) => Some(state.take_job(logical, now, effects)),
            Work::None => None,
            Work::Interrupt { .. } | Work::Leaving(_) => unreachable!("such a processor may not be interrupted"),
        };
        if let Some(job) = interrupted {
            probe.signal(now, Signal::Ready(partition, job.requester));
        }
        let over = state.begin(Work::Interrupt { exposure, interrupted }, span, now);
        state.tell(logical, now, probe);
        effects.at(Event::Work(logical), over);
        true
    }
}
