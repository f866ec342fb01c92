//! What Linux's fair scheduler and its bandwidth controller are built from: the settings of a kernel, groups, and threads.

use super::topology::Sizes;
use crate::ids::{Partition, Physical};
use units::Span;

/// The settings of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CfsPlan {
    /// The runtime that a processor takes from a group's pool at a time (`sched_cfs_bandwidth_slice_us`).
    pub bandwidth_slice: Span,
    /// How long a thread, or a group, is meant to run before others are looked at (`base_slice_ns`).
    pub base_slice: Span,
    /// How far apart timer ticks are, at which it is noticed that a quota or a slice is used up; zero: at once.
    pub tick: Span,
    /// Whether a thread that wakes may preempt the running one.
    pub wakeup_preemption: bool,
    /// The effect of `sched_yield` on its caller.
    pub yields: YieldRule,
    /// Whether the end of a program's step notices that a slice is over, where there are ticks.
    pub steps_notice: bool,
}

/// The effect of `sched_yield` on its caller.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum YieldRule {
    /// The rest of its virtual slice: it has run up to its deadline, and has the next one.
    #[default]
    Forfeit,
    /// Its deadline alone is a slice later.
    Deadline,
}

impl Default for CfsPlan {
    fn default() -> Self {
        CfsPlan {
            bandwidth_slice: Span::from_ms(5),
            base_slice: Span::from_ms(3),
            tick: Span::ZERO,
            wakeup_preemption: true,
            yields: YieldRule::Forfeit,
            steps_notice: true,
        }
    }
}

/// The weight of a group, and its limits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CgroupPlan {
    /// How much it may run in each period (`cpu.max`); without it there is no limit.
    pub limit: Option<LimitPlan>,
    /// `cpu.weight`, 1 to 10,000.
    pub weight: u32,
    /// The cost of its shared data; without it, there is none.
    pub shared: Option<SharedPlan>,
}

/// The cost of data that the threads of a group write: for each other thread of it that runs, in millionths of the work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedPlan {
    /// For one on the same chip.
    pub near: u64,
    /// For one on another chip.
    pub far: u64,
    /// Which processors are on one chip.
    pub sizes: Sizes,
}

impl CgroupPlan {
    /// It has no limit, and the usual weight.
    pub const UNLIMITED: CgroupPlan = CgroupPlan { limit: None, weight: 100, shared: None };

    /// This much in each period, without savings.
    pub const fn limited(quota: Span, period: Span) -> CgroupPlan {
        CgroupPlan { limit: Some(LimitPlan { quota, period, burst: Span::ZERO }), ..CgroupPlan::UNLIMITED }
    }
}

/// How much a group may run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LimitPlan {
    /// In each period, all processors together.
    pub quota: Span,
    /// How long that is.
    pub period: Span,
    /// How much of what it did not use it may use later, at most (`cpu.max.burst`).
    pub burst: Span,
}

/// How the threads of a guest run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ThreadPlan {
    /// The group.
    pub group: Partition,
    /// -20 to 19.
    pub nice: i8,
    /// The one processor on which they may run; without it, all.
    pub processor: Option<Physical>,
}

impl ThreadPlan {
    /// Its weight: 1024 at nice 0, and a factor of 1.25 for each step (Linux, sched-nice-design: nice levels are
    /// multiplicative; the kernel's own table differs from this by at most a hundredth).
    pub fn weight(self) -> u64 {
        weight_of(self.nice)
    }
}

/// The weight of a nice level.
pub fn weight_of(nice: i8) -> u64 {
    let steps = (0..nice.unsigned_abs()).fold(1.0, |factor, _| factor * 1.25);
    let weight = if nice < 0 { 1024.0 * steps } else { 1024.0 / steps };
    (weight + 0.5) as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_of_nice_levels_are_those_that_everybody_knows() {
        let weight = |nice| ThreadPlan { group: Partition(0), nice, processor: None }.weight();
        assert_eq!([0, 1, 5, 10, 19].map(weight), [1024, 819, 336, 110, 15]);
        assert!(weight(-20).abs_diff(88_761) < 100);
    }
}
