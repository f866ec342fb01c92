//! A front-end processor (4705): messages wait in it and ride together on one I/O of its device, in and out by turns.

use super::Guests;
use super::requester::Activity;
use crate::effect::Outbox;
use crate::ids::{FrontEnd, Partition, Requester};
use crate::io::{Io, Transfer};
use crate::plan::Way;
use crate::signal::{Carriage, Probe, Signal};
use units::Tod;

impl Guests {
    /// A requester has a message to be carried, and waits until it is through.
    pub(super) fn send(
        &mut self,
        requester: Requester,
        (front_end, way): (FrontEnd, Way),
        now: Tod,
        (effects, probe): (&mut impl Outbox, &mut impl Probe),
    ) {
        let sender = &mut self.requesters[requester.index()];
        (sender.activity, sender.since) = (Activity::Messaging(front_end, way), now);
        let state = &mut self.front_ends[front_end.index()];
        state.queues[way.index()].push_back(requester);
        probe.signal(now, Signal::Message(front_end, Carriage::Queued(way, requester)));
        if state.carries.is_none() {
            let driver = state.driver;
            self.join(driver, now, probe);
            self.drive(front_end, now, effects, probe);
        }
    }

    /// The device is free: the next I/O takes along what waits, or there is none.
    fn drive(&mut self, front_end: FrontEnd, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &mut self.front_ends[front_end.index()];
        let driver = state.driver;
        let Some(way) = state.next_way() else {
            state.carries = None;
            return self.leave(driver, now, probe);
        };
        let queue = &state.queues[way.index()];
        let fresh = std::mem::take(&mut state.fresh);
        let messages = state.first.filter(|_| fresh).unwrap_or(state.messages);
        let taken = (messages.draw(&mut state.draw) as usize).min(queue.len());
        for sender in queue.iter().take(taken) {
            let sender = &self.requesters[sender.index()];
            probe.signal(now, Signal::Message(front_end, Carriage::Started(way, now - sender.since)));
        }
        (state.carries, state.turn) = (Some((way, taken as u32)), way.other());
        let io = Io { volume: state.volume, transfer: Transfer::new(way.access(), 0) };
        let driving = &mut self.requesters[driver.index()];
        (driving.activity, driving.since) = (Activity::Waiting(io.volume), now);
        effects.request(driver, io);
    }

    /// The I/O of a front end is done: its next message is through, or all are and it is driven again.
    pub fn deliver(&mut self, front_end: FrontEnd, now: Tod, effects: &mut impl Outbox, probe: &mut impl Probe) {
        let state = &mut self.front_ends[front_end.index()];
        let (way, left) = state.carries.expect("messages are delivered that were carried");
        if left == 0 {
            return self.drive(front_end, now, effects, probe);
        }
        state.carries = Some((way, left - 1));
        let sender = state.queues[way.index()].pop_front().expect("a carried message is the first");
        // One at a time: what each brings about is done before the next.
        effects.deliver(front_end);
        let state = &self.requesters[sender.index()];
        probe.signal(now, Signal::Message(front_end, Carriage::Through(state.group, sender, now - state.since)));
        self.go_on(sender, now, effects, probe);
    }

    /// A partition is dispatched: what its front ends have gathered meanwhile may ride on their first I/O.
    pub(super) fn dispatched_to_front_ends(&mut self, partition: Partition) {
        for front_end in self.front_ends.iter_mut().filter(|front_end| front_end.partition == Some(partition)) {
            front_end.fresh = true;
        }
    }

    /// The front end that a requester drives, if it represents one.
    pub(super) fn drives(&self, requester: Requester) -> Option<FrontEnd> {
        let number = requester.index().checked_sub(self.closed)?;
        (number < self.front_ends.len()).then_some(FrontEnd(number as u32))
    }
}
