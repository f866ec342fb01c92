//! What is counted of a dispatch vector: how many wait in it, over all of the time and over the time in which it is used.
//!
//! The vector of a parked processor is not in use, nor are all but the first where there is one list for all.

use machine::plan::{ControlProgramPlan, Plan, Polarization, Stealing};
use std::ops::Range;
use units::Tod;

/// Whether a partition has a vector for each of its logical processors.
#[derive(Clone, Debug)]
pub struct Lists {
    /// Its logical processors.
    pub own: Range<usize>,
    /// Whether there is one list for all in horizontal mode, and in vertical mode; the first vector is that list then.
    horizontal: bool,
    vertical: bool,
}

impl Lists {
    /// Those of each partition of a plan.
    pub fn of(plan: &Plan) -> Vec<Lists> {
        let mut first = 0;
        let partitions = plan.partitions.iter().map(|partition| {
            let own = first..first + partition.logical as usize;
            first = own.end;
            let one = |of: fn(&ControlProgramPlan) -> Stealing| {
                partition.control_program.as_ref().is_some_and(|program| of(program).has_one_list())
            };
            Lists { own, horizontal: one(|program| program.horizontal), vertical: one(|program| program.vertical) }
        });
        partitions.collect()
    }

    /// Whether there is one list for all.
    pub fn one_for_all(&self, polarization: Polarization) -> bool {
        match polarization {
            Polarization::Horizontal => self.horizontal,
            Polarization::Vertical => self.vertical,
        }
    }
}

/// Of a dispatch vector.
#[derive(Clone, Copy, Debug, Default)]
pub struct VectorCounts {
    depth: u32,
    since: Tod,
    area: u128,
    empty: u64,
    /// When counting started.
    start: Tod,
    parked: bool,
    /// Whether another vector stands for it.
    replaced: bool,
    /// The samples up to when it was last given up, and those of them while it was not in use.
    given_up: Seen,
    unused: Seen,
    sampled: Samples,
}

/// The observations of a vector.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// How long, in TOD-clock units.
    pub time: u64,
    /// The area under how many waited in it.
    pub area: u128,
    /// The time in which it was empty.
    pub empty: u64,
}

/// The samples of a vector in use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Samples {
    /// How many.
    pub count: u64,
    /// How many waited in it, added up.
    pub depth: u64,
    /// How often it was empty.
    pub empty: u64,
}

impl VectorCounts {
    /// This many wait in it from now on.
    #[inline]
    pub fn holds(&mut self, now: Tod, depth: u32) {
        // Several changes of one instant leave no area between them.
        if now != self.since {
            (self.area, self.empty) = (self.area(now), self.empty(now));
            self.since = now;
        }
        self.depth = depth;
    }

    /// Its processor is parked from now on, or not.
    pub fn parks(&mut self, now: Tod, parked: bool) {
        self.becomes(now, (parked, self.replaced));
    }

    /// Another vector stands for it from now on, or not.
    pub fn is_replaced(&mut self, now: Tod, replaced: bool) {
        self.becomes(now, (self.parked, replaced));
    }

    fn becomes(&mut self, now: Tod, (parked, replaced): (bool, bool)) {
        let (before, seen) = (self.is_used(), self.seen(now));
        (self.parked, self.replaced) = (parked, replaced);
        match (before, self.is_used()) {
            (true, false) => self.given_up = seen,
            (false, true) => self.unused = self.unused.and(seen.but(self.given_up)),
            (true, true) | (false, false) => {}
        }
    }

    fn is_used(&self) -> bool {
        !self.parked && !self.replaced
    }

    /// Looks at it, if it is in use.
    pub fn sample(&mut self) {
        if self.is_used() {
            self.sampled.count += 1;
            self.sampled.depth += u64::from(self.depth);
            self.sampled.empty += u64::from(self.depth == 0);
        }
    }

    /// The samples since the last reset.
    pub fn sampled(&self) -> Samples {
        self.sampled
    }

    /// The area under how many wait in it, since the last reset.
    pub fn area(&self, now: Tod) -> u128 {
        self.area + u128::from((now - self.since).units()) * u128::from(self.depth)
    }

    /// The time in which it has been empty since then.
    pub fn empty(&self, now: Tod) -> u64 {
        self.empty + if self.depth == 0 { (now - self.since).units() } else { 0 }
    }

    fn seen(&self, now: Tod) -> Seen {
        Seen { time: (now - self.start).units(), area: self.area(now), empty: self.empty(now) }
    }

    /// The same since then, as long as it was in use.
    pub fn in_use(&self, now: Tod) -> Seen {
        let until = if self.is_used() { self.seen(now) } else { self.given_up };
        until.but(self.unused)
    }

    pub fn reset(&mut self, now: Tod) {
        let VectorCounts { depth, parked, replaced, .. } = *self;
        *self = VectorCounts { depth, parked, replaced, since: now, start: now, ..VectorCounts::default() };
    }
}

impl Seen {
    /// Both together.
    pub fn and(self, other: Seen) -> Seen {
        Seen { time: self.time + other.time, area: self.area + other.area, empty: self.empty + other.empty }
    }

    fn but(self, part: Seen) -> Seen {
        Seen { time: self.time - part.time, area: self.area - part.area, empty: self.empty - part.empty }
    }
}

impl Samples {
    /// Both together.
    pub fn and(self, other: Samples) -> Samples {
        Samples { count: self.count + other.count, depth: self.depth + other.depth, empty: self.empty + other.empty }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use units::Span;

    fn at(us: u64) -> Tod {
        Tod::START + Span::from_us(us)
    }

    fn us(seen: Seen) -> (u64, u64, u64) {
        let us = |units: u64| units / Span::from_us(1).units();
        (us(seen.time), us(seen.area as u64), us(seen.empty))
    }

    #[test]
    fn a_vector_is_empty_or_has_an_area() {
        let mut vector = VectorCounts::default();
        vector.holds(at(10), 2);
        vector.holds(at(30), 1);
        assert_eq!(us(vector.in_use(at(50))), (50, 60, 10));
    }

    #[test]
    fn a_vector_that_fills_and_empties_at_one_instant_was_empty_all_the_time() {
        let mut vector = VectorCounts::default();
        vector.holds(at(10), 3);
        vector.holds(at(10), 0);
        assert_eq!(us(vector.in_use(at(50))), (50, 0, 50));
    }

    #[test]
    fn while_its_processor_is_parked_nothing_of_it_counts() {
        let mut vector = VectorCounts::default();
        vector.holds(at(10), 1);
        vector.parks(at(20), true);
        vector.holds(at(25), 0);
        assert_eq!(us(vector.in_use(at(40))), (20, 10, 10));
        vector.parks(at(100), false);
        assert_eq!(us(vector.in_use(at(110))), (30, 10, 20));
    }

    #[test]
    fn an_interval_that_begins_while_it_is_not_in_use_has_only_what_comes_after() {
        let mut vector = VectorCounts::default();
        vector.is_replaced(at(10), true);
        vector.reset(at(50));
        vector.parks(at(60), true);
        vector.is_replaced(at(70), false);
        assert_eq!(us(vector.in_use(at(80))), (0, 0, 0));
        vector.parks(at(90), false);
        assert_eq!(us(vector.in_use(at(100))), (10, 0, 10));
    }

    #[test]
    fn samples_are_of_vectors_in_use() {
        let mut vector = VectorCounts::default();
        vector.sample();
        vector.holds(at(1), 3);
        vector.sample();
        vector.parks(at(2), true);
        vector.sample();
        assert_eq!(vector.sampled(), Samples { count: 2, depth: 3, empty: 1 });
        vector.reset(at(3));
        assert_eq!(vector.sampled(), Samples::default());
    }
}
