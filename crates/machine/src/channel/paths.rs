//! A path group as a processor-sharing station: connected I/Os slow each other evenly.
//!
//! With n connected, each progresses at 1 / (1 + sharing (n - 1)) of its speed alone: a share `sharing` of its transfer
//! goes over something that all share (link, adapter), the rest does not.  Sharing 1 is M/G/1 processor sharing.

use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Exposure, Paths};
use crate::plan::ControlUnitPlan;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use units::{Span, Tod};

/// A path group.  Work is counted in time alone: each connected I/O leaves when the common progress reaches its mark.
/// Marks are in a heap, so that joining and leaving are fast however many are connected.
#[derive(Debug)]
pub struct PathGroup {
    /// How much connected I/Os slow each other with all paths online.
    built_sharing: f64,
    /// How much they do now.
    sharing: f64,
    built: u32,
    online: u32,
    connected: u32,
    /// How far an I/O that has been connected since the station was last empty has come, in TOD-clock units alone.
    /// Only +, x and / are used, which are the same on every machine.
    progress: f64,
    updated: Tod,
    /// The progress at which each connected exposure leaves, the first on top.  The bits of a positive float are in order.
    marks: BinaryHeap<Reverse<(u64, Exposure)>>,
}

impl PathGroup {
    /// An idle path group for at most this many exposures, all its paths online.
    pub(super) fn new(plan: &ControlUnitPlan, exposures: usize) -> Self {
        PathGroup {
            built_sharing: plan.sharing,
            sharing: plan.sharing,
            built: plan.paths,
            online: plan.paths,
            connected: 0,
            progress: 0.0,
            updated: Tod::START,
            marks: BinaryHeap::with_capacity(exposures),
        }
    }

    /// An I/O connects.
    pub(super) fn join(&mut self, exposure: Exposure, alone: Span, now: Tod) {
        if self.connected == 0 {
            self.progress = 0.0;
        }
        self.catch_up(now);
        self.connected += 1;
        let mark = self.progress + alone.units() as f64;
        self.marks.push(Reverse((mark.to_bits(), exposure)));
    }

    /// The I/O whose mark is first has transferred everything and leaves.
    pub(super) fn leave_first(&mut self, now: Tod) -> Exposure {
        self.catch_up(now);
        let Reverse((_, exposure)) = self.marks.pop().expect("an I/O that leaves is connected");
        self.connected -= 1;
        exposure
    }

    /// Returns when the next leaves, if none joins before.
    pub(super) fn announce(&self, paths: Paths, now: Tod, effects: &mut impl Outbox) {
        let Some(Reverse((first, _))) = self.marks.peek() else {
            return effects.never(Event::Transferred(paths));
        };
        let left = (f64::from_bits(*first) - self.progress).max(0.0) * self.slowdown();
        effects.at(Event::Transferred(paths), now + Span::from_units((left + 0.5) as u64));
    }

    /// From now on this many paths are online.  Without any, connected I/Os go on as they did.
    pub(super) fn vary(&mut self, online: u32, now: Tod) {
        self.catch_up(now);
        self.online = online;
        if online > 0 {
            self.sharing = (self.built_sharing * f64::from(self.built) / f64::from(online)).min(1.0);
        }
    }

    /// How many paths are online.
    pub fn online(&self) -> u32 {
        self.online
    }

    /// How many are connected.
    pub fn connected(&self) -> u32 {
        self.connected
    }

    fn slowdown(&self) -> f64 {
        1.0 + self.sharing * (f64::from(self.connected) - 1.0)
    }

    fn catch_up(&mut self, now: Tod) {
        if self.connected > 0 {
            self.progress += (now - self.updated).units() as f64 / self.slowdown();
        }
        self.updated = now;
    }
}
