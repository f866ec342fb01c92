//! The measurement program inside a partition (RMF): its timer pops every cycle, and a sample is taken when it gets to it.
//!
//! "If the timer pop based on cycle time occurs while a 580/MDF domain is not in its time slice (not dispatched), the
//! best case is a delay in taking the sample.  The worst case is a missed sample" (Partitioning Large Processors, 2.0):
//! a pop that finds the sample before it not taken is lost.

use super::requester::Activity;
use super::{Guests, RunsIn};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Partition, Requester};
use crate::signal::{Probe, Sample, Signal};
use units::Tod;

impl Guests {
    /// The first pop of the timer of a partition, if it measures itself.
    pub fn first_pop(&mut self, partition: Partition, effects: &mut impl Outbox) {
        if let Some(sampler) = &mut self.samplers[partition.index()] {
            effects.at(Event::Timer(partition), sampler.next_pop());
        }
    }

    /// The timer of a partition pops; its interrupt is handled at once where the partition is dispatched.
    pub fn pop(
        &mut self,
        (partition, dispatched): (Partition, bool),
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let Some(sampler) = &mut self.samplers[partition.index()] else { unreachable!("only a sampler has a timer") };
        effects.at(Event::Timer(partition), sampler.next_pop());
        if sampler.due.is_some() {
            return probe.signal(now, Signal::Sample(partition, Sample::Lost));
        }
        sampler.due = Some(now);
        if let Some(task) = &mut sampler.task {
            let (requester, needs) = (task.requester, task.takes.draw(&mut task.draw));
            let state = &mut self.requesters[requester.index()];
            (state.activity, state.since, state.needs) = (Activity::Sampling(partition), now, needs);
            self.join(requester, now, probe);
            effects.ready(requester);
        } else if dispatched {
            self.take_sample(partition, now, probe);
        }
    }

    /// A partition is dispatched: the interrupt of its timer is handled before those of its devices.
    pub(super) fn dispatched_to_sampler(&mut self, partition: Partition, now: Tod, probe: &mut impl Probe) {
        let sampler = self.samplers[partition.index()].as_ref();
        if sampler.is_some_and(|sampler| sampler.due.is_some() && sampler.task.is_none()) {
            self.take_sample(partition, now, probe);
        }
    }

    /// A sample that is due is taken.
    pub(super) fn take_sample(&mut self, partition: Partition, now: Tod, probe: &mut impl Probe) {
        let sampler = self.samplers[partition.index()].as_mut().expect("only a sampler takes samples");
        let due = sampler.due.take().expect("only a sample that is due is taken");
        probe.signal(now, Signal::Sample(partition, Sample::Taken(now - due)));
    }

    /// The place of a requester that is the measurement program of a partition.
    pub(super) fn sampler_runs_in(&self, requester: Requester) -> Option<RunsIn> {
        let Activity::Sampling(partition) = self.requesters[requester.index()].activity else { return None };
        self.samplers[partition.index()].as_ref().and_then(|sampler| sampler.task.as_ref()).map(|task| task.runs_in)
    }
}
