//! A group of partitions under one absolute cap, and the allowance of processor time that its members share.

use super::account::Class;
use crate::plan::GroupPlan;
use units::{Span, Tod};

/// The unused allowance that is kept, in longest runs for each processor of the cap.
///
/// ASSUME: as with the cap of one logical processor.  Manuals only say that a cap may be exceeded very briefly.
pub const KEPT: u32 = 2;
/// The parts of a clock unit that an allowance is counted in: caps are whole millionths of a processor.
const PARTS: i128 = 1_000_000;

/// A group.
///
/// A run is paid for when it begins, and what is left of it is given back when it ends early.  So members together never
/// run longer than the cap allows, what is kept, and a run for each processor.
#[derive(Clone, Debug)]
pub(super) struct Group {
    /// Millionths of a processor that accrue.
    rate: i128,
    /// The allowance at an instant, in parts of a clock unit.
    left: i128,
    at: Tod,
    /// The most that is kept of it.
    most: i128,
    /// How far those members that were dispatched last had come, of each class.
    pub reached: [u128; Class::COUNT],
    /// Whether a member was passed over for want of allowance at the last look.
    pub holds_back: bool,
}

impl Group {
    /// The group without members yet, with nothing used.
    pub fn new(plan: &GroupPlan) -> Group {
        let rate = (plan.cap * PARTS as f64 + 0.5) as i128;
        Group { rate, left: 0, at: Tod::START, most: 0, reached: [0; Class::COUNT], holds_back: false }
    }

    /// Its members run so long at most from now on, and begin without debts to each other.  At first one may begin.
    pub fn divide(&mut self, run: Span, now: Tod) {
        let first = self.most == 0;
        self.most = i128::from(KEPT) * units(run) * self.rate.max(PARTS);
        self.left = if first { units(run) * PARTS } else { self.left_at(now) };
        (self.at, self.reached) = (now, [0; Class::COUNT]);
    }

    /// Whether a run of a member may begin.
    pub fn may_run(&self, run: Span, now: Tod) -> bool {
        self.left_at(now) >= units(run) * PARTS
    }

    /// Whether the member that comes first may begin another run where one of its own just ended.
    ///
    /// It may borrow for that.  Otherwise others would begin in between, and a member that is due a whole processor would
    /// lose a part of it.
    pub fn may_go_on(&self, now: Tod) -> bool {
        self.left_at(now) >= 0
    }

    /// When a run of a member may begin that may not now.
    pub fn may_run_from(&self, run: Span, now: Tod) -> Tod {
        let missing = (units(run) * PARTS - self.left_at(now)).max(0);
        let wait = (missing + self.rate - 1) / self.rate;
        u64::try_from(wait).map_or(Tod::NEVER, |wait| now + Span::from_units(wait))
    }

    /// A member begins a run, or the rest of one.
    pub fn pay(&mut self, run: Span, now: Tod) {
        self.left = self.left_at(now) - units(run) * PARTS;
        self.at = now;
    }

    /// A member is off a processor, on which its run would have ended at this instant; says whether time was left of it.
    pub fn give_back(&mut self, ends: Tod, now: Tod) -> bool {
        let early = i128::from(ends.units()) - i128::from(now.units());
        self.left = self.left_at(now) + early * PARTS;
        self.at = now;
        early > 0
    }

    fn left_at(&self, now: Tod) -> i128 {
        (self.left + units(now - self.at) * self.rate).min(self.most)
    }
}

fn units(span: Span) -> i128 {
    i128::from(span.units())
}
