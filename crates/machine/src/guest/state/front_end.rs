//! A front-end processor: whose messages wait in it, and which way its next I/O goes.

use crate::guest::program::Times;
use crate::ids::{Partition, Requester, Volume};
use crate::plan::{FrontEndPlan, Plan, Way};
use kernel::draw::{Draw, Streams};
use std::collections::VecDeque;

/// A front-end processor.
#[derive(Clone, Debug)]
pub struct FrontEndState {
    pub(in crate::guest) volume: Volume,
    /// Who asks for its I/Os.
    pub(in crate::guest) driver: Requester,
    pub(in crate::guest) messages: Times,
    /// The same for the first I/O after its partition was dispatched, where that differs.
    pub(in crate::guest) first: Option<Times>,
    pub(in crate::guest) partition: Option<Partition>,
    /// Whether its partition was dispatched since the last I/O started.
    pub(in crate::guest) fresh: bool,
    pub(in crate::guest) draw: Draw,
    /// Whose messages wait or are carried, in and out; those that are carried come first.
    pub(in crate::guest) queues: [VecDeque<Requester>; 2],
    /// Which way the I/O in progress goes, and how many messages it still has to deliver.
    pub(in crate::guest) carries: Option<(Way, u32)>,
    /// Whose turn it is where messages wait both ways.
    pub(in crate::guest) turn: Way,
}

impl FrontEndState {
    pub(in crate::guest) fn new(plan: &FrontEndPlan, (machine, driver): (&Plan, Requester), streams: &Streams) -> Self {
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
    pub(in crate::guest) fn next_way(&self) -> Option<Way> {
        let other = self.turn.other();
        [self.turn, other].into_iter().find(|way| !self.queues[way.index()].is_empty())
    }
}
