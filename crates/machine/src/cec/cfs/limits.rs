//! Groups whose quota is used up are stopped, processor by processor, and go on when there is some again.

use super::Cfs;
use super::bandwidth::{Bandwidth, Period};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::Partition;
use crate::signal::{Probe, Signal, Threading};
use units::Tod;

impl Cfs {
    /// A period of a group is over: its quota comes back, and stopped processors go on, the first first.
    pub(in crate::cec) fn period_over(
        &mut self,
        partition: Partition,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let group = partition.index();
        self.charge_all(group, now);
        let bandwidth = self.groups[group].bandwidth.as_mut().expect("a group with periods is limited");
        let Period { throttled, over, next } = bandwidth.period_over(now);
        probe.signal(now, Signal::Threading(partition, Threading::Period { throttled, over }));
        if let Some(next) = next {
            effects.at(Event::Period(partition), next);
        }
        self.release(group, now, (effects, probe));
    }

    /// Runtime that a processor of a group gave back goes to stopped ones.
    pub(in crate::cec) fn slack(
        &mut self,
        partition: Partition,
        now: Tod,
        effects: &mut impl Outbox,
        probe: &mut impl Probe,
    ) {
        let bandwidth = self.groups[partition.index()].bandwidth.as_mut().expect("a group that gives back is limited");
        if bandwidth.slack_over() {
            self.release(partition.index(), now, (effects, probe));
        }
    }

    /// Stopped processors go on, as far as there is runtime for them.
    fn release(&mut self, group: usize, now: Tod, (effects, probe): (&mut impl Outbox, &mut impl Probe)) {
        let mut released = false;
        while let Some(place) = self.groups[group].bandwidth.as_mut().and_then(Bandwidth::release) {
            let place = place as usize;
            released = true;
            self.charge(place, now);
            let queue = &mut self.groups[group].queues[place];
            queue.stopped = false;
            let waits = queue.threads.len() as i32;
            self.opens(place, waits as isize);
            probe.signal(
                now,
                Signal::Threading(Partition(group as u32), Threading::Stopped { queues: -1, threads: -waits }),
            );
            if !self.groups[group].queues[place].threads.is_empty() {
                self.joins((group, place));
            }
            if self.processors[place].runs.is_some() {
                self.set_look(place, now, effects);
            }
        }
        if released {
            self.idle_look(now, (effects, probe));
        }
    }

    /// A group that competes for a processor has runtime there, or takes some, or is stopped there; a running one stays.
    pub(super) fn is_to_have_runtime(
        &mut self,
        (group, place): (usize, usize),
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let runs = self.processors[place].runs.is_some_and(|runs| runs.group == group);
        if self.groups[group].queues[place].stopped {
            probe.signal(now, Signal::Threading(Partition(group as u32), Threading::Stopped { queues: 0, threads: 1 }));
        } else if !runs && !self.has_runtime((group, place), now, effects) {
            self.stop((group, place), now, probe);
        }
    }

    /// Whether a group has runtime on a processor, perhaps since it takes some now.
    pub(super) fn has_runtime(&mut self, (group, place): (usize, usize), now: Tod, effects: &mut impl Outbox) -> bool {
        let Some(bandwidth) = &mut self.groups[group].bandwidth else { return true };
        if bandwidth.may_run(place) {
            return true;
        }
        let (has, started) = bandwidth.take(place, now);
        if let Some(end) = started {
            effects.at(Event::Period(Partition(group as u32)), end);
        }
        has
    }

    /// A group is stopped on a processor.
    pub(super) fn stop(&mut self, (group, place): (usize, usize), now: Tod, probe: &mut impl Probe) {
        let state = &mut self.groups[group];
        state.bandwidth.as_mut().expect("a stopped group is limited").stop(place as u32);
        let queue = &mut state.queues[place];
        queue.stopped = true;
        let threads = queue.threads.len() as i32;
        self.opens(place, -(threads as isize));
        probe.signal(now, Signal::Threading(Partition(group as u32), Threading::Stopped { queues: 1, threads }));
    }
}
