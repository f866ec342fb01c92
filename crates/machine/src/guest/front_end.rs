//! A front-end processor (4705): messages wait in it and ride together on one I/O of its device, in and out by turns.

use super::Guests;
use super::program::Times;
use super::requester::Activity;
use crate::effect::Outbox;
use crate::ids::{FrontEnd, Partition, Requester, Volume};
use crate::io::{Io, Transfer};
use crate::plan::{FrontEndPlan, Plan, Way};
use crate::signal::{Carriage, Probe, Signal};
use kernel::draw::{Draw, Streams};
use std::collections::VecDeque;
use units::Tod;

/// A front-end processor.
#[derive(Clone, Debug)]
pub struct FrontEndState {
    volume: Volume,
    /// Who asks for its I/Os.
    driver: Requester,
    messages: Times,
    /// The same for the first I/O after its partition was dispatched, where that differs.
    first: Option<Times>,
    partition: Option<Partition>,
    /// Whether its partition was dispatched since the last I/O started.
    fresh: bool,
    draw: Draw,
    /// Whose messages wait or are carried, in and out; those that are carried come first.
    queues: [VecDeque<Requester>; 2],
    /// Which way the I/O in progress goes, and how many messages it still has to deliver.
    carries: Option<(Way, u32)>,
    /// Whose turn it is where messages wait both ways.
    turn: Way,
}

impl FrontEndState {
    pub(super) fn new(plan: &FrontEndPlan, (machine, driver): (&Plan, Requester), streams: &Streams) -> Self {
        FrontEndState {
            volume: Volume(plan.volume as u32),
            driver,
            messages: Times::mean(plan.messages),
            first: plan.first_messages.map(Times::mean),
            partition: machine.volumes.get(plan.volume).and_then(|own| own.partition).map(|own| Partition(own as u32)),
            fresh: false,
            draw: streams.stream(&format!("front_end/{}", plan.name)),
            queues: Default::default(),
            carries: None,
            turn: Way::In,
        }
    }

    /// Whose messages wait, one way, for the I/O that will carry them.
    pub fn waiting(&self, way: Way) -> impl Iterator<Item = Requester> + '_ {
        let carried = self.carries.filter(|(carries, _)| *carries == way).map_or(0, |(_, left)| left as usize);
        self.queues[way.index()].iter().skip(carried).copied()
    }

    /// Which way the next I/O goes; none where nothing waits.
    fn next_way(&self) -> Option<Way> {
        let other = self.turn.other();
        [self.turn, other].into_iter().find(|way| !self.queues[way.index()].is_empty())
    }
}

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
        let sender = state.queues[way.index()].pop_front().expect("what is carried stands first");
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

    /// The front end that a requester drives, if he stands for one.
    pub(super) fn drives(&self, requester: Requester) -> Option<FrontEnd> {
        let number = requester.index().checked_sub(self.closed)?;
        (number < self.front_ends.len()).then_some(FrontEnd(number as u32))
    }
}
