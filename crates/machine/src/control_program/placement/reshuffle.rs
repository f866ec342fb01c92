//! Reshuffle: dispatch vectors balanced by the count of virtual processors, with as few moves as that takes.
//!
//! It leaves out what anybody uses.

use super::{Placeable, Placement, Unparked};
use crate::control_program::signal::Distance;

impl Placement {
    /// Every vector gets its part, the same for all but for one more in some.
    ///
    /// ASSUME: those get one more that have more already, the first of them first; whoever is the last on a vector with
    /// more than its part moves, and whoever's vector is parked; they go to the vector that has room nearest to their
    /// sibling before (the one after, where there is none), the first of several.
    pub(super) fn reshuffle(
        &mut self,
        who: &[Placeable],
        unparked: &[Unparked],
        distance: impl Fn(u32, u32) -> Distance,
    ) {
        self.give_parts(who.len());
        self.rise_from_full_ones();
        for at in 0..who.len() {
            if self.seats[at].is_some() {
                continue;
            }
            let core = self.near_sibling(who, at).map(|place| unparked[place].core);
            let away = |place: &usize| {
                let there = unparked[*place].core;
                core.map(|core| (distance(core, there), core.abs_diff(there)))
            };
            let with_room = (0..self.loads.len()).filter(|place| self.loads[*place].count < self.loads[*place].part);
            let place = with_room.min_by_key(away).expect("the parts are for all");
            self.loads[place].count += 1;
            self.seats[at] = Some(place);
        }
    }

    /// How many each vector is to have: one more for those that have more already, then for the first.
    fn give_parts(&mut self, all: usize) {
        let each = all / self.loads.len();
        let mut left = all % self.loads.len();
        for load in &mut self.loads {
            load.part = each;
        }
        for had_more in [true, false] {
            for load in self.loads.iter_mut().filter(|load| (load.count > each) == had_more) {
                let one = left.min(1);
                load.part += one;
                left -= one;
            }
        }
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

    /// Where the sibling before sits, or else the next after that sits anywhere.
    fn near_sibling(&self, who: &[Placeable], at: usize) -> Option<usize> {
        let siblings = |other: &usize| who[*other].machine == who[at].machine;
        let before = (0..at).rev().take(1).find(siblings);
        let after = || (at + 1..who.len()).take_while(siblings).find(|other| self.seats[*other].is_some());
        before.or_else(after).and_then(|other| self.seats[other])
    }
}
