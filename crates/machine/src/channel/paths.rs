//! A path group as a processor-sharing station: connected I/Os slow each other evenly.
//!
//! With n connected, each progresses at 1 / (1 + sharing (n - 1)) of its speed alone: a share `sharing` of its transfer
//! goes over something that all share (link, adapter), the rest does not.  Sharing 1 is M/G/1 processor sharing.

use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Exposure, Paths};
use crate::plan::ControlUnitPlan;
use kernel::calendar::{Calendar, Slot, TreeCalendar};
use units::{Span, Tod};

/// A path group.  Work is counted in time alone: each connected I/O leaves when the common progress reaches its mark,
/// so that joining and leaving cost one match series each, however many are connected.
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
    marks: TreeMarks,
}

/// The progress at which each exposure leaves; kept in a calendar, because the bits of a positive float are in order.
struct TreeMarks(TreeCalendar);

impl std::fmt::Debug for TreeMarks {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "marks, the first {:?}", self.first())
    }
}

impl TreeMarks {
    fn first(&self) -> (f64, Exposure) {
        let (mark, slot) = self.0.first();
        (f64::from_bits(mark.units()), Exposure(slot))
    }
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
            marks: TreeMarks(TreeCalendar::with_slots(exposures)),
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
        self.marks.0.set(exposure.0 as Slot, Tod::from_units(mark.to_bits()));
    }

    /// The I/O whose mark is first has transferred everything and leaves.
    pub(super) fn leave_first(&mut self, now: Tod) -> Exposure {
        self.catch_up(now);
        let (_, exposure) = self.marks.first();
        self.marks.0.begin();
        self.marks.0.end();
        self.connected -= 1;
        exposure
    }

    /// Returns when the next leaves, if none joins before.
    pub(super) fn announce(&self, paths: Paths, now: Tod, effects: &mut impl Outbox) {
        if self.connected == 0 {
            return effects.never(Event::Transferred(paths));
        }
        let left = (self.marks.first().0 - self.progress).max(0.0) * self.slowdown();
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
