//! The counts of the current interval and, beside them, of all intervals as one.

use super::monitor::Monitor;
use machine::channel::Channel;
use machine::plan::Plan;
use machine::signal::{Probe, Signal};
use units::Tod;

/// The counts of a run.
///
/// A span that crosses the end of an interval is whole only in counts over all of the time, and so is a histogram.
#[derive(Clone, Debug)]
pub struct Counting {
    /// Of the current interval.
    pub(crate) interval: Monitor,
    /// Of all intervals so far; none in a run of one interval.
    pub(crate) all: Option<Box<Monitor>>,
}

impl Counting {
    /// Counts for the machine of a plan, interval by interval.
    pub fn of_intervals(plan: &Plan) -> Self {
        Counting { interval: Monitor::new(plan), all: None }
    }

    /// The same, and over all intervals as one.
    pub fn of_all(plan: &Plan) -> Self {
        Counting { all: Some(Box::new(Monitor::new(plan))), ..Self::of_intervals(plan) }
    }

    /// Starts the first interval.
    pub fn reset(&mut self, now: Tod) {
        self.interval.reset(now);
        self.all.iter_mut().for_each(|all| all.reset(now));
    }

    /// Starts the next interval; the log of decisions is kept by interval.
    pub fn next(&mut self, now: Tod) {
        self.interval.control.decisions.clear();
        self.all.iter_mut().for_each(|all| all.control.decisions.clear());
        self.interval.reset(now);
    }

    /// Looks at the queues.
    pub fn sample(&mut self, channel: &Channel) {
        self.interval.sample(channel);
        self.all.iter_mut().for_each(|all| all.sample(channel));
    }
}

impl Probe for Counting {
    #[inline(always)]
    fn signal(&mut self, now: Tod, signal: Signal) {
        self.interval.signal(now, signal);
        if let Some(all) = &mut self.all {
            all.too(now, signal);
        }
    }
}

impl Monitor {
    /// Counts a signal that another monitor counts first; a call, so that runs of one interval pay for no second copy.
    #[inline(never)]
    fn too(&mut self, now: Tod, signal: Signal) {
        self.signal(now, signal);
    }
}
