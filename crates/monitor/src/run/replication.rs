//! One replication: a machine run through its warm-up and its intervals, each checked against the laws.
//!
//! All intervals together are counted as one, beside them: no mean of theirs is the mean of the whole time.

use crate::counts::counting::Counting;
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

/// The results of a replication.
#[derive(Clone, Debug, PartialEq)]
pub struct Replicated<T> {
    /// Of each interval.
    pub intervals: Vec<T>,
    /// Of all of them as one, from the start of the first to the end of the last; nothing where there is one alone.
    pub pooled: Option<T>,
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
    let monitor = Counting::of_intervals(plan);
    observe(plan, (streams, monitor), measurement, |interval| interval.totals(name), go_on).map(|made| made.intervals)
}

/// Simulates one replication as [`replicate`] does, and has the totals of all its intervals as one, too.
///
/// # Errors
/// See [`Failure`].
pub fn replicate_pooled(
    plan: &Plan,
    streams: &Streams,
    measurement: &Measurement,
    name: &str,
    go_on: impl FnMut(Tod) -> bool,
) -> Result<Replicated<IntervalTotals>, Failure> {
    let several = measurement.intervals > 1;
    let monitor = if several { Counting::of_all(plan) } else { Counting::of_intervals(plan) };
    observe(plan, (streams, monitor), measurement, |interval| interval.totals(name), go_on)
}

/// A time that was counted: when it started, what was under way then, and how many events there had been.
struct Start {
    under_way: UnderWay,
    events: u64,
}

impl Start {
    fn at(world: &Machine, plan: &Plan) -> Self {
        Start { under_way: UnderWay::at(world, plan), events: world.events() }
    }
}

type Machine = World<TreeCalendar, Counting>;

/// Simulates one replication with the counts of a monitor, and keeps the result of a function for each interval.
///
/// # Errors
/// See [`Failure`].
pub(crate) fn observe<T>(
    plan: &Plan,
    (streams, monitor): (&Streams, Counting),
    measurement: &Measurement,
    made: impl Fn(&Interval) -> T,
    mut go_on: impl FnMut(Tod) -> bool,
) -> Result<Replicated<T>, Failure> {
    let origin = Tod::START + measurement.warm_up;
    let mut world: Machine = World::new(plan, streams, monitor);
    world.count_from(origin);
    let mut result = Replicated { intervals: Vec::new(), pooled: None };
    let mut start = Start::at(&world, plan);
    let mut first = None;
    let all = measurement.interval * u64::from(measurement.intervals);
    for (at, stop) in measurement.stops() {
        advance(&mut world, at, &mut go_on)?;
        match stop {
            Stop::WarmUpEnd => world.probe.reset(at),
            Stop::Sample => {
                world.probe.sample(&world.channel);
                continue;
            }
            Stop::IntervalEnd => {
                let end = UnderWay::at(&world, plan);
                let over = |counts: &Monitor, start: &Start, length: Span| {
                    laws::check(plan, counts, at, (&start.under_way, &end)).map_err(Failure::Violation)?;
                    Ok(made(&Interval {
                        plan,
                        exposures: &world.channel.exposures,
                        counts,
                        origin,
                        end: at,
                        length,
                        events: world.events() - start.events,
                        under_way: (&start.under_way, &end),
                        contention: contention::rows(&world, plan, origin),
                    }))
                };
                result.intervals.push(over(&world.probe.interval, &start, measurement.interval)?);
                if at == origin + all
                    && let Some(counts) = &world.probe.all
                {
                    result.pooled = Some(over(counts, first.as_ref().unwrap_or(&start), all)?);
                }
                world.probe.next(at);
            }
        }
        let next = Start::at(&world, plan);
        let before = std::mem::replace(&mut start, next);
        if stop == Stop::IntervalEnd && first.is_none() {
            first = Some(before);
        }
    }
    Ok(result)
}

/// Events between two questions whether to go on: a few hundredths of a second of work.
const BREATH: u32 = 1 << 18;

fn advance(world: &mut Machine, at: Tod, go_on: &mut impl FnMut(Tod) -> bool) -> Result<(), Failure> {
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
