//! Data that the threads of a group write: their work is dearer while others of them run, because lines move between caches.
//!
//! The same work takes more processor time with more processors (BS2000 Performance Handbook, Scaling behavior of
//! multiprocessor systems).  ASSUME: each other thread that runs adds the same share of the work.  All processor time of a
//! thread gets longer, that of switches and of tries of locks too.

use super::{Cfs, Running};
use crate::effect::Outbox;
use crate::plan::SharedPlan;
use units::{Span, Tod};

/// The parts of the work in which a plan has its costs.
const WHOLE: u64 = 1_000_000;

/// The costs of a group, and where its threads run.
#[derive(Clone, Debug)]
pub(super) struct SharedData {
    plan: SharedPlan,
    /// How many of them run on each chip.
    on_chip: Vec<u64>,
    /// How many run on all chips.
    run: u64,
}

impl SharedData {
    /// Of a group on this many processors, of which none runs it.
    pub fn new(plan: SharedPlan, processors: usize) -> Self {
        let chips = plan.sizes.chip(processors as u32 - 1) as usize + 1;
        SharedData { plan, on_chip: vec![0; chips], run: 0 }
    }

    /// A processor begins to run a thread of the group.
    fn comes(&mut self, place: usize) {
        let chip = self.chip(place);
        self.on_chip[chip] += 1;
        self.run += 1;
    }

    /// A processor runs none any more.
    fn goes(&mut self, place: usize) {
        let chip = self.chip(place);
        self.on_chip[chip] -= 1;
        self.run -= 1;
    }

    /// The time that work of a running thread takes if the others run on.
    pub fn time(&self, place: usize, work: Span) -> Span {
        let time = (u128::from(work.units()) * self.dearer(place)).div_ceil(u128::from(WHOLE));
        Span::from_units(u64::try_from(time).unwrap_or(u64::MAX))
    }

    /// The work that a running thread did in a time; in the `time` of some work it does at least that.
    pub fn work(&self, place: usize, time: Span) -> Span {
        Span::from_units((u128::from(time.units()) * u128::from(WHOLE) / self.dearer(place)) as u64)
    }

    /// How many times as long work takes, in parts of a `WHOLE`.
    fn dearer(&self, place: usize) -> u128 {
        let near = self.on_chip[self.chip(place)];
        let cost = self.plan.near * (near - 1) + self.plan.far * (self.run - near);
        u128::from(WHOLE + cost)
    }

    fn chip(&self, place: usize) -> usize {
        self.plan.sizes.chip(place as u32) as usize
    }
}

impl Cfs {
    /// A processor has gone from one thread to another.  If that is of another group, other running threads of both groups
    /// are charged at the old cost, and are through at another time.
    pub(super) fn sharers_change(
        &mut self,
        place: usize,
        before: Option<Running>,
        now: Tod,
        effects: &mut impl Outbox,
    ) {
        let group = |runs: Option<Running>| runs.map(|runs| runs.group);
        let (left, joined) = (group(before), group(self.processors[place].runs));
        if left == joined {
            return;
        }
        for group in [left, joined].into_iter().flatten() {
            if self.groups[group].shared.is_none() {
                continue;
            }
            self.charge_all(group, now);
            let shared = self.groups[group].shared.as_mut().expect("it was looked at");
            if left == Some(group) {
                shared.goes(place)
            } else {
                shared.comes(place)
            }
            for other in (0..self.processors.len()).filter(|other| *other != place) {
                if self.processors[other].runs.is_some_and(|runs| runs.group == group) {
                    self.set_look(other, now, effects);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::plan::Sizes;

    /// Chips of two processors, in books of three: one chip of each book has a single one.
    fn shared() -> SharedData {
        SharedData::new(SharedPlan { near: 100_000, far: 300_000, sizes: Sizes { chip: 2, book: 3 } }, 5)
    }

    #[test]
    fn each_other_running_thread_costs_by_its_distance() {
        let mut shared = shared();
        let ten = Span::from_ms(10);
        for (comes, time) in [(0, 10.0), (1, 11.0), (2, 14.0), (3, 17.0), (4, 20.0)] {
            shared.comes(comes);
            assert!((shared.time(0, ten).ms() - time).abs() < 1e-6);
        }
        assert!((shared.time(2, ten).ms() - 22.0).abs() < 1e-6, "all others are on other chips");
        shared.goes(2);
        assert!((shared.time(0, ten).ms() - 17.0).abs() < 1e-6);
    }

    #[test]
    fn the_time_of_some_work_is_enough_for_it() {
        let mut shared = shared();
        (0..3).for_each(|place| shared.comes(place));
        for units in [0, 1, 2, 3, 7, 4_095, 4_096, 1_000_003] {
            let work = Span::from_units(units);
            assert!(shared.work(0, shared.time(0, work)) >= work);
        }
    }
}
