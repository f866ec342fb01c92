//! What a group may still run: a pool for each period, and what each processor has taken from it.
//!
//! A quota is added to the pool at the end of each period, and processors take it in slices on demand.  Runtime that a processor has taken does not expire; all but 1 ms goes back when the group has nothing to run there (Linux, sched-bwc).

use crate::plan::cfs::LimitPlan;
use units::{Span, Tod};

/// The runtime that a processor keeps when it gives back (`min_cfs_rq_runtime`; Linux, sched-bwc).
pub const KEPT: Span = Span::from_ms(1);
/// How long after it came back others get what was given back (ASSUME: the kernel's `cfs_bandwidth_slack_period`, not documented).
pub const SLACK: Span = Span::from_ms(5);
/// If a period ends in less than this when runtime comes back, no processor gets it before.  ASSUME: as the kernel,
/// which wants 2 ms to be left when they get it; not documented.
pub const SOON: Span = Span::from_ms(7);

/// The pool of a group, and what processors have of it.
#[derive(Clone, Debug)]
pub struct Bandwidth {
    limit: LimitPlan,
    /// The slice that a processor takes at a time.
    slice: Span,
    /// The rest of the pool, in units.
    pool: i64,
    /// The pool at the beginning of the period.
    began: i64,
    /// The runtime of each processor, in units; below zero: it owes that.
    silos: Vec<i64>,
    /// When the first period ends.
    origin: Tod,
    timer: Timer,
    slack: Slack,
    /// Processors that are stopped, in the order in which they were.
    stopped: Vec<u32>,
}

/// The timer that ends periods.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Timer {
    /// It does not run: no processor has taken runtime for a whole period.
    Off,
    /// It runs until this instant.
    Until {
        /// When the period ends.
        end: Tod,
        /// Whether a processor has taken runtime since it began.
        taken: bool,
    },
}

/// Whether returned runtime is to go to stopped processors.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Slack {
    /// Too little came back.
    None,
    /// Something did, and they get it at an instant that is fixed: what comes back meanwhile goes with it.
    Comes,
}

/// A period that is over.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Period {
    /// Whether a processor was stopped at its end.
    pub throttled: bool,
    /// How much more than the quota was used in it.
    pub over: Span,
    /// When the next one ends, if there is a next one.
    pub next: Option<Tod>,
}

impl Bandwidth {
    /// The bandwidth of a group on this many processors; its first period ends then.
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
            slack: Slack::None,
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
        debug_assert!(!self.stopped.contains(&processor), "a stopped processor is not stopped again");
        self.stopped.push(processor);
    }

    /// The group has nothing to run on a processor: all but what it keeps goes back.  Returns when others may have it.
    /// A processor has to wait for it, enough has to have come back, and the period must not end before.  The time is
    /// returned once.
    pub fn give_back(&mut self, processor: usize, now: Tod) -> Option<Tod> {
        let back = self.silos[processor] - units(KEPT);
        if back <= 0 {
            return None;
        }
        self.silos[processor] -= back;
        self.pool += back;
        let soon = match self.timer {
            Timer::Off => true,
            Timer::Until { end, .. } => end - now < SOON,
        };
        if soon || self.slack == Slack::Comes || !self.is_wanted() {
            return None;
        }
        self.slack = Slack::Comes;
        Some(now + SLACK)
    }

    /// Returned runtime may go to stopped processors; returns whether it is still wanted.
    pub fn slack_over(&mut self) -> bool {
        self.slack = Slack::None;
        self.is_wanted()
    }

    /// Whether a processor is stopped and the pool has more than a slice for it.
    fn is_wanted(&self) -> bool {
        self.pool > units(self.slice) && !self.stopped.is_empty()
    }

    /// A period ends: the quota is added to the pool, which keeps no more than quota and burst.  The timer stops after
    /// a period in which no processor took runtime.
    pub fn period_over(&mut self, now: Tod) -> Period {
        let Timer::Until { taken, .. } = self.timer else { unreachable!("only a timer that runs ends") };
        let throttled = !self.stopped.is_empty();
        self.pool += units(self.limit.quota);
        let over = Span::from_units((self.began - self.pool).max(0) as u64);
        self.pool = self.pool.min(units(self.limit.quota + self.limit.burst));
        self.began = self.pool;
        let next = (taken || throttled).then(|| self.next_end(now));
        self.timer = match next {
            // A processor that was stopped will take runtime.
            Some(end) => Timer::Until { end, taken: throttled },
            None => Timer::Off,
        };
        Period { throttled, over, next }
    }

    /// The next stopped processor that can go on: the pool has paid its debt, and it has a unit.
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

#[cfg(test)]
mod tests {
    use super::*;

    const PERIOD: u64 = 100;

    fn at(ms: u64) -> Tod {
        Tod::START + Span::from_ms(ms)
    }

    /// A quota of this much every 100 ms on four processors, slices of 5 ms, a first period that ends at 100 ms.
    fn bursting(quota: u64, burst: u64) -> Bandwidth {
        let (quota, period, burst) = (Span::from_ms(quota), Span::from_ms(PERIOD), Span::from_ms(burst));
        Bandwidth::new(LimitPlan { quota, period, burst }, Span::from_ms(5), (4, at(PERIOD)))
    }

    fn limited(quota: u64) -> Bandwidth {
        bursting(quota, 0)
    }

    fn ran(bandwidth: &mut Bandwidth, processor: usize, ms: u64) {
        bandwidth.ran(processor, Span::from_ms(ms));
    }

    /// The runtime of the processors and of the pool, in ms.
    fn left(bandwidth: &Bandwidth) -> [i64; 5] {
        let ms = units(Span::from_ms(1));
        let silo = |processor: usize| bandwidth.silos[processor] / ms;
        [silo(0), silo(1), silo(2), silo(3), bandwidth.pool / ms]
    }

    #[test]
    fn a_processor_takes_a_slice_on_demand() {
        let mut own = limited(20);
        assert!(!own.may_run(0), "there is no runtime before a processor asks");
        assert!(own.take(0, at(0)).0);
        assert_eq!(left(&own), [5, 0, 0, 0, 15]);
        assert!(own.take(1, at(0)).0);
        assert_eq!(left(&own), [5, 5, 0, 0, 10]);
    }

    #[test]
    fn it_takes_no_more_than_there_is() {
        let mut own = limited(7);
        assert!(own.take(0, at(0)).0 && own.take(1, at(0)).0);
        assert_eq!(left(&own), [5, 2, 0, 0, 0]);
        assert_eq!((own.take(2, at(0)).0, own.is_empty()), (false, true));
    }

    #[test]
    fn with_the_slice_it_takes_what_it_owes() {
        let mut own = limited(20);
        own.take(0, at(0));
        ran(&mut own, 0, 8);
        assert_eq!((own.left(0), own.may_run(0)), (Span::ZERO, false));
        assert!(own.take(0, at(8)).0);
        assert_eq!(left(&own), [5, 0, 0, 0, 7], "3 that it owes and 5");
    }

    #[test]
    fn what_it_owes_may_be_more_than_there_is() {
        let mut own = limited(6);
        own.take(0, at(0));
        ran(&mut own, 0, 8);
        assert!(!own.take(0, at(8)).0);
        assert_eq!(left(&own), [-2, 0, 0, 0, 0]);
    }

    #[test]
    fn what_it_took_does_not_expire() {
        let mut own = limited(20);
        own.take(0, at(0));
        ran(&mut own, 0, 2);
        own.period_over(at(PERIOD));
        assert_eq!(left(&own), [3, 0, 0, 0, 20]);
    }

    #[test]
    fn with_nothing_to_run_all_but_a_millisecond_goes_back() {
        let mut own = limited(20);
        own.take(0, at(0));
        ran(&mut own, 0, 2);
        assert_eq!(own.give_back(0, at(2)), None, "nobody is stopped");
        assert_eq!(left(&own), [1, 0, 0, 0, 17]);
        own.give_back(0, at(3));
        assert_eq!(left(&own), [1, 0, 0, 0, 17], "what it keeps it keeps");
    }

    #[test]
    fn who_owes_gives_nothing_back() {
        let mut own = limited(20);
        own.take(0, at(0));
        ran(&mut own, 0, 7);
        own.give_back(0, at(7));
        assert_eq!(left(&own), [-2, 0, 0, 0, 15]);
    }

    /// The third processor is stopped, the first two have a slice each of which they have used nothing.
    fn stopped() -> Bandwidth {
        let mut own = limited(11);
        for processor in [0, 1, 2] {
            own.take(processor, at(0));
        }
        ran(&mut own, 2, 1);
        assert!(!own.take(2, at(1)).0);
        own.stop(2);
        own
    }

    #[test]
    fn what_came_back_goes_on_after_five_milliseconds_when_it_is_more_than_a_slice() {
        let mut own = stopped();
        assert_eq!(own.give_back(0, at(10)), None, "4 ms are less than a slice");
        assert_eq!(own.give_back(1, at(12)), Some(at(17)));
        assert!(own.slack_over());
        assert_eq!(own.release(), Some(2));
        assert_eq!(own.release(), None, "no other is stopped");
    }

    #[test]
    fn what_comes_back_meanwhile_does_not_put_it_off() {
        let mut own = stopped();
        own.give_back(0, at(10));
        assert_eq!(own.give_back(1, at(12)), Some(at(17)));
        own.take(3, at(13));
        assert_eq!(own.give_back(3, at(15)), None, "it comes at 17");
        assert!(own.slack_over());
        own.take(3, at(18));
        assert_eq!(own.give_back(3, at(19)), Some(at(24)), "and then again");
    }

    #[test]
    fn it_is_not_wanted_when_others_have_taken_it_meanwhile() {
        let mut own = stopped();
        own.give_back(0, at(10));
        own.give_back(1, at(12));
        own.take(3, at(13));
        assert!(!own.slack_over(), "3 ms are left");
    }

    #[test]
    fn just_before_the_end_of_a_period_it_waits_for_that() {
        for (ms, expected) in [(93, Some(at(98))), (94, None)] {
            let mut own = stopped();
            own.give_back(0, at(10));
            assert_eq!(own.give_back(1, at(ms)), expected, "{ms}");
            assert!(own.slack_over(), "what is there is there");
        }
    }

    #[test]
    fn at_the_end_of_a_period_the_quota_comes_and_no_more_is_kept() {
        let mut own = limited(20);
        own.take(0, at(0));
        own.period_over(at(PERIOD));
        assert_eq!(left(&own), [5, 0, 0, 0, 20]);
    }

    #[test]
    fn what_was_not_used_is_kept_up_to_the_burst() {
        let mut own = bursting(20, 12);
        own.take(0, at(0));
        own.period_over(at(PERIOD));
        assert_eq!(left(&own)[4], 32);
        own.take(1, at(PERIOD));
        own.period_over(at(2 * PERIOD));
        assert_eq!(left(&own)[4], 32, "and no more");
    }

    #[test]
    fn what_was_used_above_the_quota_is_said() {
        let mut own = bursting(20, 12);
        own.take(0, at(0));
        assert_eq!(own.period_over(at(PERIOD)).over, Span::ZERO, "5 of 20");
        (0..6).for_each(|_| {
            ran(&mut own, 0, 5);
            own.take(0, at(PERIOD));
        });
        assert_eq!(own.period_over(at(2 * PERIOD)).over, Span::from_ms(10), "30 of 20");
    }

    #[test]
    fn a_period_is_throttled_when_somebody_is_stopped_at_its_end() {
        let mut own = stopped();
        assert!(own.period_over(at(PERIOD)).throttled);
        assert_eq!(own.release(), Some(2));
        assert!(!own.period_over(at(2 * PERIOD)).throttled);
    }

    #[test]
    fn who_is_stopped_first_goes_on_first() {
        let mut own = limited(5);
        own.take(0, at(0));
        for processor in [3, 1, 2] {
            assert!(!own.take(processor, at(0)).0);
            own.stop(processor as u32);
        }
        own.period_over(at(PERIOD));
        let order: Vec<u32> = std::iter::from_fn(|| own.release()).collect();
        assert_eq!(order, [3, 1, 2]);
    }

    #[test]
    fn who_goes_on_has_what_he_owed_paid_and_a_unit() {
        let mut own = limited(10);
        own.take(0, at(0));
        own.take(0, at(5));
        ran(&mut own, 0, 13);
        assert!(!own.take(0, at(13)).0);
        own.stop(0);
        own.period_over(at(PERIOD));
        assert_eq!((own.release(), own.left(0)), (Some(0), Span::from_units(1)));
        assert_eq!(own.pool, units(Span::from_ms(10)) - units(Span::from_ms(3)) - 1);
    }

    #[test]
    fn who_owes_more_than_the_quota_waits_longer_and_those_behind_him_too() {
        let mut own = limited(5);
        own.take(0, at(0));
        ran(&mut own, 0, 12);
        [0, 1].iter().for_each(|processor| own.stop(*processor));
        own.period_over(at(PERIOD));
        assert_eq!((own.release(), left(&own)[0]), (None, -2));
        own.period_over(at(2 * PERIOD));
        let order: Vec<u32> = std::iter::from_fn(|| own.release()).collect();
        assert_eq!(order, [0, 1]);
    }

    #[test]
    fn the_timer_starts_with_the_first_slice_and_stops_after_a_period_without_one() {
        let mut own = limited(20);
        assert_eq!(own.take(0, at(30)).1, Some(at(100)));
        assert_eq!(own.take(1, at(31)).1, None, "it runs");
        assert_eq!(own.period_over(at(100)).next, Some(at(200)));
        assert_eq!(own.period_over(at(200)).next, None, "nobody took anything");
        assert_eq!(own.take(0, at(777)).1, Some(at(800)), "it keeps its beat");
        assert_eq!(own.take(1, at(800)).1, None);
    }

    #[test]
    fn the_timer_runs_on_while_somebody_is_stopped() {
        let mut own = limited(5);
        own.take(0, at(0));
        ran(&mut own, 0, 50);
        own.stop(0);
        for period in 1..=9 {
            assert_eq!(own.period_over(at(period * PERIOD)).next, Some(at((period + 1) * PERIOD)), "{period}");
            assert_eq!(own.release().is_some(), period == 9 + 1, "it owes 45 and a unit");
        }
        own.period_over(at(10 * PERIOD));
        assert_eq!(own.release(), Some(0));
    }
}
