//! One direction of a channel that interleaves the frames of all its I/Os: each progresses evenly (processor sharing).
//!
//! Work is counted as progress: how far an I/O has come that is there since the lane was last empty. Each I/O leaves at
//! its mark, so that an event costs no more than a heap of the I/Os that are there. All of it is in whole numbers: what
//! a lane was busy for is what its I/Os took, to the unit of the clock.

use crate::ids::Exposure;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use units::{Span, Tod};

/// Binary places of a unit of the clock in which progress is counted.
const PLACES: u32 = 40;
const UNIT: u128 = 1 << PLACES;
/// Less than this is the rounding of a progress, not a rest of work.
const ROUNDING: u128 = 1 << 20;

/// The I/Os that a lane carries, and how far they are.
#[derive(Debug)]
pub(super) struct SharedLane {
    /// In `UNIT`s of a TOD-clock unit.
    progress: u128,
    updated: Tod,
    /// The sum of the times that its I/Os take alone.
    alone: Span,
    /// When all of that is over, if no other comes.
    until: Tod,
    /// The progress at which each leaves and what it takes alone, the first on top.
    marks: BinaryHeap<Reverse<(u128, Exposure, Span)>>,
}

impl SharedLane {
    /// An idle lane for at most this many exposures.
    pub(super) fn new(exposures: usize) -> Self {
        SharedLane {
            progress: 0,
            updated: Tod::START,
            alone: Span::ZERO,
            until: Tod::START,
            marks: BinaryHeap::with_capacity(exposures),
        }
    }

    /// How many I/Os it carries.
    pub(super) fn sharers(&self) -> usize {
        self.marks.len()
    }

    /// An I/O that takes so long alone is carried from now on.
    pub(super) fn join(&mut self, exposure: Exposure, alone: Span, now: Tod) {
        if self.marks.is_empty() {
            (self.progress, self.updated, self.until) = (0, now, now);
        }
        self.catch_up(now);
        self.alone += alone;
        self.until = self.until + alone;
        self.marks.push(Reverse((self.progress + u128::from(alone.units()) * UNIT, exposure, alone)));
    }

    /// The I/O with the first mark leaves.
    ///
    /// It leaves at a whole unit, up to one later than its share is done. The others have had the rest of that unit.
    pub(super) fn leave_first(&mut self, now: Tod) -> Exposure {
        self.catch_up(now);
        let sharers = self.sharers() as u128;
        let Reverse((mark, exposure, alone)) = self.marks.pop().expect("an I/O that leaves is carried");
        self.alone = self.alone - alone;
        let over = self.progress.saturating_sub(mark);
        self.progress = mark + if sharers > 1 { over * sharers / (sharers - 1) } else { 0 };
        exposure
    }

    /// When the next leaves, if none joins before.
    pub(super) fn next_end(&self) -> Option<Tod> {
        let Reverse((mark, ..)) = self.marks.peek()?;
        if self.sharers() == 1 {
            return Some(self.until);
        }
        let left = mark.saturating_sub(self.progress) * self.sharers() as u128;
        let units = (left + UNIT - 1).saturating_sub(ROUNDING) >> PLACES;
        Some((self.updated + Span::from_units(units as u64)).min(self.until))
    }

    /// One of the I/Os that it carries, and for how long it has carried all of those.
    pub(super) fn so_far(&self, now: Tod) -> Option<(Exposure, Span)> {
        let Reverse((_, exposure, _)) = self.marks.peek()?;
        Some((*exposure, self.alone - (self.until - now)))
    }

    fn catch_up(&mut self, now: Tod) {
        if !self.marks.is_empty() {
            self.progress += u128::from((now - self.updated).units()) * UNIT / self.sharers() as u128;
        }
        self.updated = now;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at(units: u64) -> Tod {
        Tod::from_units(units)
    }

    /// When each of these I/Os leaves, that come at an instant and take so long alone; the instants in order.
    fn leaves(ios: &[(u64, u64)]) -> Vec<Option<u64>> {
        let (mut lane, mut left) = (SharedLane::new(ios.len()), vec![None; ios.len()]);
        let mut lets_go = |lane: &mut SharedLane, before: Tod| {
            while let Some(end) = lane.next_end().filter(|end| *end <= before) {
                left[lane.leave_first(end).index()] = Some(end.units());
            }
        };
        for (number, (comes, alone)) in ios.iter().enumerate() {
            lets_go(&mut lane, at(*comes));
            lane.join(Exposure(number as u32), Span::from_units(*alone), at(*comes));
        }
        lets_go(&mut lane, Tod::NEVER);
        left
    }

    #[test]
    fn each_has_an_even_share() {
        assert_eq!(leaves(&[(0, 100)]), [Some(100)]);
        assert_eq!(leaves(&[(0, 100), (0, 100), (0, 100)]), [Some(300); 3]);
        assert_eq!(leaves(&[(0, 100), (50, 20)]), [Some(120), Some(90)]);
        // Alone for 30, two for 40 (20 each), three for 60, and then two.
        assert_eq!(leaves(&[(0, 90), (30, 60), (70, 20)]), [Some(170), Some(170), Some(130)]);
    }

    #[test]
    fn a_short_io_does_not_wait_for_a_long_one() {
        assert_eq!(leaves(&[(0, 10_000), (1, 10)]), [Some(10_010), Some(21)]);
    }

    #[test]
    fn an_io_that_takes_no_time_is_through_at_once() {
        assert_eq!(leaves(&[(0, 100), (10, 0)]), [Some(100), Some(10)]);
        assert_eq!(leaves(&[(5, 0)]), [Some(5)]);
    }

    /// Against the shares worked out from event to event in floats, on I/Os without a pattern: each leaves within a unit,
    /// and the last of a busy period when all of them are done, exactly.
    #[test]
    fn any_history_is_as_worked_out_step_by_step() {
        let mut state = 12_345_u64;
        let mut draw = |below: u64| {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) % below
        };
        for load in [60, 90, 130] {
            let mut comes = 0;
            let ios: Vec<(u64, u64)> = (0..400)
                .map(|_| {
                    comes += draw(200);
                    (comes, draw(2 * load))
                })
                .collect();
            let all = leaves(&ios);
            let expected = step_by_step(&ios);
            for (number, (left, expected)) in all.iter().zip(expected).enumerate() {
                let left = left.expect("every I/O leaves") as f64;
                assert!(left - expected > -1e-3 && left - expected < 1.001, "{number}: {left} for {expected}");
            }
            let busy = ios.iter().fold(0, |free: u64, (comes, alone)| free.max(*comes) + alone);
            assert_eq!(all.iter().flatten().max(), Some(&busy), "work is conserved");
        }
    }

    fn step_by_step(ios: &[(u64, u64)]) -> Vec<f64> {
        let (mut now, mut ends) = (0.0, vec![0.0; ios.len()]);
        let (mut there, mut next): (Vec<(usize, f64)>, usize) = (Vec::new(), 0);
        while next < ios.len() || !there.is_empty() {
            let least = there.iter().map(|(_, left)| *left).fold(f64::INFINITY, f64::min);
            let ends_at = if there.is_empty() { f64::INFINITY } else { now + least * there.len() as f64 };
            let comes_at = ios.get(next).map_or(f64::INFINITY, |(comes, _)| *comes as f64);
            let (until, share) = (ends_at.min(comes_at), there.len() as f64);
            there.iter_mut().for_each(|(_, left)| *left -= (until - now) / share);
            now = until;
            there.retain(|(number, left)| {
                let goes_on = *left > 1e-9;
                if !goes_on {
                    ends[*number] = now;
                }
                goes_on
            });
            if comes_at <= now {
                there.push((next, ios[next].1 as f64));
                next += 1;
            }
        }
        ends
    }
}
