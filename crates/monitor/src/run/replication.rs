//! One replication: a machine run through its warm-up and its intervals, each checked against the laws.

use crate::counts::monitor::Monitor;
use crate::laws::{self, UnderWay, Violation};
use crate::totals::contention;
use crate::totals::interval::Interval;
use kernel::calendar::TreeCalendar;
use kernel::draw::Streams;
use kernel::stops::{Stop, Stops};
use machine::plan::Plan;
use machine::world::{Overrun, World};
use measures::IntervalTotals;
use units::{Span, Tod};

/// The measurement and its length.
#[derive(Clone, Copy, Debug)]
pub struct Measurement {
    /// The cut before counting starts.
    pub warm_up: Span,
    /// Length of an interval.
    pub interval: Span,
    /// How many intervals.
    pub intervals: u32,
    /// Distance of the samples.
    pub sample: Span,
}

impl Measurement {
    /// Its stops.
    pub fn stops(&self) -> Stops {
        Stops::new(self.warm_up, self.interval, self.intervals, self.sample)
    }
}

/// Why a replication ended early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The load from outside outgrew the machine.
    Overrun(Overrun),
    /// A conservation law does not hold.
    Violation(Violation),
    /// There was a request to stop.
    Stopped,
}

/// Simulates one replication; `go_on` gets the simulated time now and then, and returns whether to go on.
///
/// # Errors
/// See [`Failure`].
pub fn replicate(
    plan: &Plan,
    streams: &Streams,
    measurement: &Measurement,
    name: &str,
    go_on: impl FnMut(Tod) -> bool,
) -> Result<Vec<IntervalTotals>, Failure> {
    observe(plan, streams, measurement, |interval| interval.totals(name), go_on)
}

/// Simulates one replication as [`replicate`] does, and keeps the result of a function for each interval.
///
/// # Errors
/// See [`Failure`].
pub(crate) fn observe<T>(
    plan: &Plan,
    streams: &Streams,
    measurement: &Measurement,
    made: impl Fn(&Interval) -> T,
    mut go_on: impl FnMut(Tod) -> bool,
) -> Result<Vec<T>, Failure> {
    let origin = Tod::START + measurement.warm_up;
    let mut world: World<TreeCalendar, Monitor> = World::new(plan, streams, Monitor::new(plan));
    world.count_from(origin);
    let mut intervals = Vec::new();
    let mut start = UnderWay::at(&world, plan);
    let mut events = 0;
    for (at, stop) in measurement.stops() {
        advance(&mut world, at, &mut go_on)?;
        match stop {
            Stop::WarmUpEnd => {}
            Stop::Sample => {
                world.probe.sample(&world.channel);
                continue;
            }
            Stop::IntervalEnd => {
                let end = UnderWay::at(&world, plan);
                laws::check(plan, &world.probe, at, (&start, &end)).map_err(Failure::Violation)?;
                let interval = Interval {
                    plan,
                    exposures: &world.channel.exposures,
                    counts: &world.probe,
                    origin,
                    end: at,
                    length: measurement.interval,
                    events: world.events() - events,
                    under_way: (&start, &end),
                    contention: contention::rows(&world, plan, origin),
                };
                intervals.push(made(&interval));
                world.probe.control.decisions.clear();
            }
        }
        world.probe.reset(at);
        start = UnderWay::at(&world, plan);
        events = world.events();
    }
    Ok(intervals)
}

/// Events between two questions whether to go on: a few hundredths of a second of work.
const BREATH: u32 = 1 << 18;

fn advance(
    world: &mut World<TreeCalendar, Monitor>,
    at: Tod,
    go_on: &mut impl FnMut(Tod) -> bool,
) -> Result<(), Failure> {
    loop {
        let done = world.run_some(at, BREATH).map_err(Failure::Overrun)?;
        if !go_on(world.now()) {
            return Err(Failure::Stopped);
        }
        if done {
            return Ok(());
        }
    }
}
