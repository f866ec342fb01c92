//! The choice among competitors for a processor: the earliest virtual deadline of those that are not ahead (EEVDF).
//!
//! Virtual time of a competitor advances at its time on the processor over its weight.  Lag is its distance behind the
//! weighted mean of all.  A competitor with lag of zero or more is eligible, and the earliest virtual deadline of those
//! goes first (Linux, sched-eevdf).  A deadline is the competitor's virtual time plus a base slice.  A competitor that
//! waited for something else keeps negative lag, as far as the mean has not caught up, and loses positive lag.  ASSUME:
//! it is documented that lag decays over virtual time, not what happens to positive lag.

use units::Span;

/// A place in virtual time; a unit of the TOD clock at weight 1024 is 2^20.
pub type Virtually = i128;

const SCALE: i128 = 1024 << 20;

/// One that competes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Competitor {
    /// How far it has come.
    pub at: Virtually,
    /// How far it is meant to come before others are looked at.
    pub deadline: Virtually,
}

impl Competitor {
    /// It ran so long; says whether it has come to its deadline, and then it has a new one.
    pub fn ran(&mut self, span: Span, weight: u64, slice: Span) -> bool {
        self.at += virtually(span, weight);
        let over = self.at >= self.deadline;
        if over {
            self.deadline = self.at + virtually(slice, weight);
        }
        over
    }

    /// It competes from here on, with a whole slice.
    pub fn placed(at: Virtually, weight: u64, slice: Span) -> Competitor {
        Competitor { at, deadline: at + virtually(slice, weight) }
    }

    /// It gives up the rest of its slice: it has come to its deadline, and has a new one.
    pub fn forfeits(&mut self, weight: u64, slice: Span) {
        *self = Competitor::placed(self.deadline.max(self.at), weight, slice);
    }

    /// Its deadline is a slice later.
    pub fn delays(&mut self, weight: u64, slice: Span) {
        self.deadline += virtually(slice, weight);
    }

    /// Its weight is another one: lag and distance to the deadline keep their length in time.  The mean of all was
    /// `mean`; the others have `others` as theirs, and this weight together (Linux, `reweight_entity`, `place_entity`).
    pub fn reweighs(&mut self, (before, after): (u64, u64), mean: Virtually, others: Option<(Virtually, u64)>) {
        let scaled = |distance: Virtually| distance * i128::from(before) / i128::from(after);
        let to_deadline = scaled(self.deadline - self.at);
        if let Some((others, weights)) = others {
            let lag = scaled(mean - self.at);
            self.at = others - lag * i128::from(weights + after) / i128::from(weights);
        }
        self.deadline = self.at + to_deadline;
    }

    /// How long it can run before its deadline.
    pub fn left(&self, weight: u64) -> Span {
        let left = (self.deadline - self.at).max(1);
        Span::from_units(((left * i128::from(weight) + SCALE - 1) / SCALE) as u64)
    }
}

/// The virtual time of a competitor with this weight in a span.
fn virtually(span: Span, weight: u64) -> Virtually {
    i128::from(span.units()) * SCALE / i128::from(weight)
}

/// The weighted mean of the competitors; none if there are none.
pub fn mean(competitors: impl Iterator<Item = (Competitor, u64)>) -> Option<Virtually> {
    let mut origin = None;
    let (mut sum, mut weights) = (0, 0);
    for (competitor, weight) in competitors {
        let origin = *origin.get_or_insert(competitor.at);
        sum += (competitor.at - origin) * i128::from(weight);
        weights += i128::from(weight);
    }
    origin.map(|origin| origin + sum.div_euclid(weights))
}

/// The place of the next competitor; the first of equals, none if there are none.
pub fn next(competitors: impl Iterator<Item = (Competitor, u64)> + Clone) -> Option<usize> {
    let mean = mean(competitors.clone())?;
    // The mean is rounded down, so that at least one is at it or below.
    let eligible = competitors.enumerate().filter(|(_, (competitor, _))| competitor.at <= mean);
    eligible.min_by_key(|(_, (competitor, _))| competitor.deadline).map(|(place, _)| place)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SLICE: Span = Span::from_ms(3);

    fn at(us: u64, slice_us: u64) -> (Competitor, u64) {
        (Competitor::placed(virtually(Span::from_us(us), 1024), 1024, Span::from_us(slice_us)), 1024)
    }

    #[test]
    fn the_earliest_deadline_of_those_who_are_not_ahead_goes_first() {
        // The mean is 200: the third is ahead, though its deadline is the earliest.
        let all = [at(100, 400), at(200, 200), at(300, 10)];
        assert_eq!(next(all.into_iter()), Some(1));
    }

    #[test]
    fn somebody_is_always_eligible() {
        for at_us in 0..50 {
            let all = [at(at_us, 3000), at(17, 3000), at(3, 3000)];
            assert!(next(all.into_iter()).is_some());
        }
        assert_eq!(next([].into_iter()), None);
    }

    #[test]
    fn who_weighs_more_comes_less_far_in_the_same_time() {
        let mut light = Competitor::placed(0, 1024, SLICE);
        let mut heavy = Competitor::placed(0, 4096, SLICE);
        assert!(light.ran(SLICE, 1024, SLICE), "a slice is over");
        assert!(!heavy.ran(SLICE, 4096, SLICE) || heavy.at * 4 == light.at);
        assert_eq!(heavy.at * 4, light.at);
    }

    #[test]
    fn a_slice_lasts_as_long_whatever_the_weight() {
        for weight in [2, 15, 1024, 88_761, 102_400] {
            let left = Competitor::placed(12_345, weight, SLICE).left(weight);
            assert!(left.units().abs_diff(SLICE.units()) <= 1, "{weight}: {left}");
        }
    }
}
