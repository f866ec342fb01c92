//! Running a machine up to the end of a window, which is stated or ends when enough has happened to look at.

use super::Timeline;
use super::recorder::Recorder;
use crate::run::Failure;
use kernel::calendar::TreeCalendar;
use kernel::draw::Streams;
use machine::plan::Plan;
use machine::world::World;
use units::{Span, Tod};

/// A window of simulated time, counted from the start of the first interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The cut before the first interval.
    pub warm_up: Span,
    /// Where the window starts.
    pub from: Span,
    /// How long it is; without it, long enough for some forty I/Os to start.
    pub length: Option<Span>,
    /// Where the measurement ends; no window goes beyond.
    pub end: Span,
}

/// Why there is no timeline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Untraceable {
    /// The machine could not be run so far.
    Failure(Failure),
    /// More happened than is kept: this many spans, waits and changes by this long after the start of the window.
    TooMuch(usize, Span),
}

/// The most spans, waits and changes that are kept: more than a picture can show, less than fills memory.
const MOST: usize = 200_000;
/// The most of all parts together: a timeline in parts ends there.
const MOST_IN_PARTS: usize = 10_000_000;
/// About how many of them a part has.
const PART: usize = 100_000;
/// I/Os that start in a window that is as long as it takes.
pub(super) const ENOUGH: usize = 40;
/// Events between two questions whether to go on, and two looks at whether too much was kept.
const BREATH: u32 = 1 << 16;

/// Runs one replication of a seed to the end of a window, and returns its events.  `go_on` gets the simulated time now
/// and then, and returns whether to go on.
///
/// # Errors
/// See [`Untraceable`].
pub fn trace<'a>(
    plan: &'a Plan,
    which: (u64, u64),
    window: &Window,
    go_on: impl FnMut(Tod) -> bool,
) -> Result<Timeline<'a>, Untraceable> {
    traced(plan, which, window, None, go_on)
}

/// As [`trace`], of a window of any length: `take` gets what is complete, part by part, and the result has the rest.
/// The lanes of parts are places, see [`Timeline::places`].  The window ends early when it has ten million rows.
///
/// # Errors
/// See [`Untraceable`].
pub fn trace_in_parts<'a>(
    plan: &'a Plan,
    which: (u64, u64),
    window: &Window,
    mut take: impl FnMut(Timeline<'a>),
    go_on: impl FnMut(Tod) -> bool,
) -> Result<Timeline<'a>, Untraceable> {
    traced(plan, which, window, Some(&mut take), go_on)
}

fn traced<'a>(
    plan: &'a Plan,
    (seed, replication): (u64, u64),
    window: &Window,
    mut take: Option<&mut dyn FnMut(Timeline<'a>)>,
    mut go_on: impl FnMut(Tod) -> bool,
) -> Result<Timeline<'a>, Untraceable> {
    let origin = Tod::START + window.warm_up;
    let from = origin + window.from;
    let last = origin + window.end;
    let most = if take.is_some() { usize::MAX } else { MOST };
    let mut world: World<TreeCalendar, Recorder> =
        World::new(plan, &Streams::new(seed, replication), Recorder::new(plan, from, most));
    world.count_from(origin);
    let mut taken = 0;
    let mut advance = |world: &mut World<TreeCalendar, Recorder<'a>>, at: Tod, most: u32| {
        let done = world.run_some(at, most).map_err(|overrun| Untraceable::Failure(Failure::Overrun(overrun)))?;
        if world.probe.is_full() {
            return Err(Untraceable::TooMuch(MOST, world.now().max(from) - from));
        }
        if !go_on(world.now()) {
            return Err(Untraceable::Failure(Failure::Stopped));
        }
        if let Some(take) = &mut take
            && world.probe.kept() >= PART
        {
            taken += world.probe.kept();
            take(world.probe.part(origin, last));
        }
        Ok(done || taken >= MOST_IN_PARTS)
    };
    while !advance(&mut world, from, BREATH)? {}
    let until = match window.length {
        Some(length) => last.min(from + length),
        // One event at a time, so that nothing happens beyond the window.
        None => loop {
            let done = advance(&mut world, last, 1)?;
            if let Some(start) = world.probe.start(ENOUGH) {
                break last.min(from + round(start - from));
            }
            if done {
                break last;
            }
        },
    };
    while !advance(&mut world, until, BREATH)? {}
    let until = if taken >= MOST_IN_PARTS { world.now().min(until) } else { until };
    Ok(world.probe.timeline(origin, until))
}

/// The next longer span whose us have at most two digits before zeros.
fn round(span: Span) -> Span {
    let mut unit = Span::from_us(1);
    loop {
        for steps in [1, 2, 3, 4, 5, 6, 8, 10, 12, 15] {
            if unit * steps > span {
                return unit * steps;
            }
        }
        unit = unit * 10;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_length_that_nobody_stated_is_a_round_one() {
        for (span, rounded) in [(0, 1), (1, 2), (6, 8), (14, 15), (1_234, 1_500), (1_500, 2_000), (4_999, 5_000)] {
            assert_eq!(round(Span::from_us(span)), Span::from_us(rounded));
        }
    }
}
