//! Logical processors that are configured online and offline while the machine runs (CF CPU).
//!
//! One that goes offline gives its guest back to the queue, before all of the same priority.  A handler of an interrupt runs
//! to its end first (ASSUME: z/OS moves work off a processor before PR/SM has it; how is not published).

use super::{Supervisors, Work};
use crate::effect::{Outbox, Wanted};
use crate::ids::{Logical, Partition};
use crate::signal::{Probe, Signal};
use units::Tod;

impl Supervisors {
    /// The first logical processors of a partition are online from now on, this many.
    pub fn configure(
        &mut self,
        (partition, online): (Partition, u32),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let processors = self.partitions[partition.index()].logical.clone().map(Logical);
        for (number, logical) in processors.clone().enumerate() {
            let state = &mut self.logical[logical.index()];
            if (number as u32) < online {
                state.online = true;
                continue;
            }
            let job = state.goes_offline(logical, now, effects);
            state.tell(logical, now, probe);
            if let Some(job) = job {
                probe.signal(now, Signal::Ready(partition, job.requester));
                self.put_back(partition, job);
            }
        }
        // Each may have been the one that was called for what is waiting.
        for _ in processors {
            self.offer(partition, now, effects, probe);
        }
    }

    /// Whether a logical processor that takes no more work still has some.
    pub fn is_busy(&self, logical: Logical) -> bool {
        !matches!(self.logical[logical.index()].work, Work::None)
    }

    /// A logical processor that takes no more work is through with what it had.
    pub(super) fn leaves(&mut self, logical: Logical, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let partition = self.logical[logical.index()].partition;
        self.logical[logical.index()].tell(logical, now, probe);
        effects.waits(logical);
        self.offer(partition, now, effects, probe);
    }

    /// Waiting work of a partition goes to a processor in wait, or an undispatched one is called.
    fn offer(&mut self, partition: Partition, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &self.partitions[partition.index()];
        let (interrupts, ready) = (!state.pending.is_empty(), state.ready.iter().any(|jobs| !jobs.is_empty()));
        if !interrupts && !ready {
            return;
        }
        let mut own = state.logical.clone().map(Logical);
        if let Some(waiting) = own.find(|logical| self.is_in_wait(*logical)) {
            return self.find_work(waiting, now, effects, probe);
        }
        self.call((partition, if interrupts { Wanted::Interrupt } else { Wanted::Work }), effects);
    }
}
