//! What a group may still run: a pool for each period, and what each processor has taken from it.
//!
//! It leaves out who runs and who is stopped: it says only when there is nothing left.
//!
//! A quota comes to the pool at the end of each period; processors take it in slices on demand; what a processor has taken
//! does not expire, and all but 1 ms goes back when the group has nothing to run there (Linux, sched-bwc).

use super::plan::LimitPlan;
use units::{Span, Tod};

/// What a processor keeps when it gives back (`min_cfs_rq_runtime`; Linux, sched-bwc).
pub const KEPT: Span = Span::from_ms(1);
/// How long after it came back others get what was given back (ASSUME: the kernel's `cfs_bandwidth_slack_period`, not documented).
pub const SLACK: Span = Span::from_ms(5);
/// If a period ends in less than this, nobody gets it before (ASSUME: the kernel's, not documented).
pub const SOON: Span = Span::from_ms(7);

/// The pool of a group, and what processors have of it.
#[derive(Clone, Debug)]
pub struct Bandwidth {
    limit: LimitPlan,
    /// What each processor takes at a time.
    slice: Span,
    /// What nobody has taken, in units.
    pool: i64,
    /// What was in the pool after the period began.
    began: i64,
    /// What each processor has, in units; below zero: it owes that.
    silos: Vec<i64>,
    /// When the first period ends.
    origin: Tod,
    timer: Timer,
    /// Processors that are stopped, in the order in which they were.
    stopped: Vec<u32>,
}

/// The timer that ends periods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timer {
    /// It does not run: nobody has taken anything for a whole period.
    Off,
    /// It runs until this instant.
    Until {
        /// When the period ends.
        end: Tod,
        /// Whether somebody has taken something since it began.
        taken: bool,
    },
}

/// A period that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Whether somebody was stopped at its end.
    pub throttled: bool,
    /// How much more than the quota was used in it.
    pub over: Span,
    /// When the next one ends, if there is a next one.
    pub next: Option<Tod>,
}

impl Bandwidth {
    /// The bandwidth of a group on so many processors; its first period ends then.
    pub fn new(limit: LimitPlan, slice: Span, (processors, origin): (usize, Tod)) -> Self {
        let quota = units(limit.quota);
        Bandwidth {
            limit,
            slice,
            pool: quota,
            began: quota,
            silos: vec![0; processors],
            origin,
            timer: Timer::Off,
            stopped: Vec::with_capacity(processors),
        }
    }

    /// The group ran so long on a processor.
    pub fn ran(&mut self, processor: usize, span: Span) {
        self.silos[processor] -= units(span);
    }

    /// How long it can still run there.
    pub fn left(&self, processor: usize) -> Span {
        Span::from_units(self.silos[processor].max(0) as u64)
    }

    /// Whether it can run there at all without being given more.
    pub fn may_run(&self, processor: usize) -> bool {
        self.silos[processor] > 0
    }

    /// Whether there is anything to take.
    pub fn is_empty(&self) -> bool {
        self.pool <= 0
    }

    /// A processor takes a slice, and what it owes; says whether it can run, and when the timer that this starts ends.
    pub fn take(&mut self, processor: usize, now: Tod) -> (bool, Option<Tod>) {
        let started = (self.timer == Timer::Off).then(|| self.next_end(now));
        let wants = units(self.slice) - self.silos[processor];
        let gets = wants.min(self.pool).max(0);
        self.pool -= gets;
        self.silos[processor] += gets;
        self.timer = match self.timer {
            Timer::Off => Timer::Until { end: started.expect("it starts"), taken: gets > 0 },
            Timer::Until { end, taken } => Timer::Until { end, taken: taken || gets > 0 },
        };
        (self.may_run(processor), started)
    }

    /// A processor stops: it has used up what it had, and nothing is left.
    pub fn stop(&mut self, processor: u32) {
        debug_assert!(!self.stopped.contains(&processor), "who is stopped is not stopped again");
        self.stopped.push(processor);
    }

    /// The group has nothing to run on a processor: all but what it keeps goes back.  Says when others may have it, if
    /// somebody waits for it, enough has come back, and it is worth it before the period ends.
    pub fn give_back(&mut self, processor: usize, now: Tod) -> Option<Tod> {
        let back = self.silos[processor] - units(KEPT);
        if back <= 0 {
            return None;
        }
        self.silos[processor] -= back;
        self.pool += back;
        self.worth_it(now).then(|| now + SLACK)
    }

    /// Whether what was given back is to go to those who are stopped, before the period ends.
    pub fn worth_it(&self, now: Tod) -> bool {
        let soon = match self.timer {
            Timer::Off => true,
            Timer::Until { end, .. } => end - now < SOON,
        };
        self.pool > units(self.slice) && !self.stopped.is_empty() && !soon
    }

    /// A period ends: the quota comes to the pool, of which no more than quota and burst stay.  The timer stops when
    /// nobody took anything in it.
    pub fn period_over(&mut self, now: Tod) -> Period {
        let Timer::Until { taken, .. } = self.timer else { unreachable!("only a timer that runs ends") };
        let throttled = !self.stopped.is_empty();
        self.pool += units(self.limit.quota);
        let over = Span::from_units((self.began - self.pool).max(0) as u64);
        self.pool = self.pool.min(units(self.limit.quota + self.limit.burst));
        self.began = self.pool;
        let next = (taken || throttled).then(|| self.next_end(now));
        self.timer = match next {
            // Who was stopped will take something.
            Some(end) => Timer::Until { end, taken: throttled },
            None => Timer::Off,
        };
        Period { throttled, over, next }
    }

    /// The next of those who are stopped that can go on: what it owes has been paid from the pool, and it has a unit.
    pub fn release(&mut self) -> Option<u32> {
        let processor = *self.stopped.first()?;
        let silo = &mut self.silos[processor as usize];
        let gets = (1 - *silo).min(self.pool).max(0);
        self.pool -= gets;
        *silo += gets;
        if *silo <= 0 {
            return None;
        }
        self.stopped.remove(0);
        Some(processor)
    }

    /// The next end of a period; ends keep their distance from the first, also while the timer is off.
    fn next_end(&self, now: Tod) -> Tod {
        if now < self.origin {
            return self.origin;
        }
        let period = self.limit.period.units();
        let gone = (now - self.origin).units() / period;
        self.origin + Span::from_units((gone + 1) * period)
    }
}

fn units(span: Span) -> i64 {
    i64::try_from(span.units()).expect("the language has a bound")
}
