//! Reshuffle: dispatch vectors balanced by the count of virtual processors, with as few moves as that takes.

use super::{Load, Placeable, Placement, Unparked};
use crate::signal::control_program::Distance;

impl Placement {
    /// Every vector gets its part, the same for all but for one more in some.
    ///
    /// ASSUME: vectors that have more already keep one more, the first of them first.  The last on a vector with more
    /// than its part moves, and so do all on a parked vector.  Each goes to a vector with room.  The fewest siblings
    /// break ties, then the distance to the sibling before it (else the first after it), then the number.
    pub(super) fn reshuffle(
        &mut self,
        who: &[Placeable],
        unparked: &[Unparked],
        distance: impl Fn(u32, u32) -> Distance,
    ) {
        let mut spare = self.give_parts(who.len());
        self.rise_from_full_ones();
        let mut from = 0;
        for siblings in who.chunk_by(|one, next| one.machine == next.machine) {
            let to = from + siblings.len();
            self.count_siblings(from, to);
            for (at, one) in (from..to).zip(siblings) {
                if self.seats[at].is_none() {
                    let near = self.near_sibling(from, at, to).map(|place| unparked[place].core);
                    let away = |core: u32| near.map(|near| (distance(near, core), near.abs_diff(core)));
                    let place = self.nearest_with_room(spare, |place| away(unparked[place].core));
                    self.loads[place].take(one.predicted);
                    spare -= self.loads[place].grow();
                    self.seats[at] = Some(place);
                }
            }
            from = to;
        }
    }

    /// How many each vector is to have; returns how many can have one more.
    fn give_parts(&mut self, all: usize) -> usize {
        let each = all / self.loads.len();
        let mut spare = all % self.loads.len();
        for load in &mut self.loads {
            let one = if load.count > each { spare.min(1) } else { 0 };
            load.part = each + one;
            load.may_grow = one == 0;
            spare -= one;
        }
        spare
    }

    /// The last of those on a vector with more than its part have no place.
    fn rise_from_full_ones(&mut self) {
        for seat in self.seats.iter_mut().rev() {
            if let Some(place) = *seat
                && self.loads[place].count > self.loads[place].part
            {
                self.loads[place].count -= 1;
                *seat = None;
            }
        }
    }

    /// How many of a machine each vector has.
    fn count_siblings(&mut self, from: usize, to: usize) {
        for load in &mut self.loads {
            load.siblings = 0;
        }
        for place in self.seats[from..to].iter().flatten() {
            self.loads[*place].siblings += 1;
        }
    }

    /// Where the sibling before sits, or else the first after that sits anywhere.
    fn near_sibling(&self, from: usize, at: usize, to: usize) -> Option<usize> {
        let before = self.seats[from..at].last().copied().flatten();
        before.or_else(|| self.seats[at..to].iter().flatten().next().copied())
    }

    /// The vector with room that has fewest of the machine, of those the nearest, of those the first.
    fn nearest_with_room<K: Ord>(&self, spare: usize, away: impl Fn(usize) -> K) -> usize {
        let roomy = |load: &Load| load.count < load.part || (load.may_grow && spare > 0);
        let with_room = (0..self.loads.len()).filter(|place| roomy(&self.loads[*place]));
        with_room.min_by_key(|place| (self.loads[*place].siblings, away(*place))).expect("the parts are for all")
    }
}

impl Load {
    /// Its part is at least what it has; returns by how much that is more.
    fn grow(&mut self) -> usize {
        let grown = self.count.saturating_sub(self.part);
        self.part += grown;
        self.may_grow &= grown == 0;
        grown
    }
}
