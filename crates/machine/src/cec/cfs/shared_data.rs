//! Common data that the threads of a group write: work of each is dearer while others run, because lines move between caches.
//!
//! Barroso, Gharachorloo and Bugnion, Memory System Characterization of Commercial Workloads (ISCA 1998): with more
//! processors transactions of a database miss more, on lines that another processor has written.  ASSUME: each other
//! thread that runs adds the same cost.

use crate::plan::SharedPlan;
use units::Span;

/// Times are multiplied and divided by whole numbers of this.
const WHOLE: u64 = 1_000_000;

/// What running threads of a group cost each other.
#[derive(Clone, Debug)]
pub(super) struct SharedData {
    plan: SharedPlan,
    /// How many of them run on each chip.
    on_chip: Vec<u64>,
    all: u64,
}

impl SharedData {
    /// Of a group on this many processors, of which none runs it.
    pub fn new(plan: SharedPlan, processors: usize) -> Self {
        let chips = processors.div_ceil(plan.chip as usize);
        SharedData { plan, on_chip: vec![0; chips], all: 0 }
    }

    /// A processor begins to run a thread of the group.
    pub fn comes(&mut self, place: usize) {
        let chip = self.chip(place);
        self.on_chip[chip] += 1;
        self.all += 1;
    }

    /// A processor runs none any more.
    pub fn goes(&mut self, place: usize) {
        let chip = self.chip(place);
        self.on_chip[chip] -= 1;
        self.all -= 1;
    }

    /// The time that work of a running thread takes, if nothing changes.
    pub fn time(&self, place: usize, work: Span) -> Span {
        if work.is_zero() {
            return work;
        }
        let time = (u128::from(work.units()) * self.dearer(place)).div_ceil(u128::from(WHOLE));
        Span::from_units(time as u64)
    }

    /// The work that a running thread has done in a time; what `time` says of some work is enough for it.
    pub fn work(&self, place: usize, time: Span) -> Span {
        Span::from_units((u128::from(time.units()) * u128::from(WHOLE) / self.dearer(place)) as u64)
    }

    /// How many times as long work takes, in parts of a `WHOLE`.
    fn dearer(&self, place: usize) -> u128 {
        let near = self.on_chip[self.chip(place)];
        u128::from(WHOLE + self.plan.near * (near - 1) + self.plan.far * (self.all - near))
    }

    fn chip(&self, place: usize) -> usize {
        place / self.plan.chip as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Two chips of two processors.
    fn shared() -> SharedData {
        SharedData::new(SharedPlan { near: 100_000, far: 300_000, chip: 2 }, 4)
    }

    #[test]
    fn each_other_running_thread_costs_by_its_distance() {
        let mut shared = shared();
        let ten = Span::from_ms(10);
        for (comes, time) in [(0, 10.0), (1, 11.0), (2, 14.0), (3, 17.0)] {
            shared.comes(comes);
            assert!((shared.time(0, ten).ms() - time).abs() < 1e-6);
        }
        shared.goes(2);
        assert!((shared.time(0, ten).ms() - 14.0).abs() < 1e-6);
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
