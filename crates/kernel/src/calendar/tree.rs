//! A calendar as a tournament: a winner tree with one leaf per slot, in which rescheduling rewrites a leaf and replays
//! its matches.

use super::{Calendar, Slot};
use std::hint::select_unpredictable;
use units::Tod;

/// A tournament tree; a reschedule costs log2(slots) matches, a cancel is a reschedule to never.
///
/// Node 1 is the champion, node `n` the winner of nodes `2 n` and `2 n + 1`, and slot `s` is leaf `leaves + s`.
/// Instants and slots stand in two vectors because a match looks at an instant first.
pub struct TreeCalendar {
    instants: Vec<u64>,
    slots: Vec<Slot>,
    leaves: usize,
    /// The leaf whose event is being handled; [`NO_LEAF`] when none is.
    open: usize,
}

const NO_LEAF: usize = 0;
const NEVER: u64 = Tod::NEVER.units();

impl TreeCalendar {
    /// Writes a leaf and replays its matches up to the champion.
    ///
    /// A tie goes to the left, the even node, which has the lower slots.  No branch predictor learns the winner of a
    /// match, so the choice is made without a branch: with one, a replay takes three times as long.
    #[inline(always)]
    fn replay(&mut self, leaf: usize, mut at: u64) {
        let length = self.instants.len();
        let (instants, slots) = (&mut self.instants[..length], &mut self.slots[..length]);
        let mut node = leaf;
        let mut slot = slots[node];
        instants[node] = at;
        while node > 1 {
            let opponent = node ^ 1;
            let lost = instants[opponent] < at + (node & 1) as u64;
            at = select_unpredictable(lost, instants[opponent], at);
            slot = select_unpredictable(lost, slots[opponent], slot);
            node /= 2;
            instants[node] = at;
            slots[node] = slot;
        }
    }

    /// A leaf got earlier: nothing changes above the first match that it does not win.
    #[inline(always)]
    fn advance(&mut self, leaf: usize, at: u64) {
        let length = self.instants.len();
        let (instants, slots) = (&mut self.instants[..length], &mut self.slots[..length]);
        let mut node = leaf;
        let slot = slots[node];
        instants[node] = at;
        while node > 1 && instants[node ^ 1] >= at + (node & 1) as u64 {
            node /= 2;
            instants[node] = at;
            slots[node] = slot;
        }
    }
}

impl Calendar for TreeCalendar {
    fn with_slots(slots: usize) -> Self {
        let leaves = slots.max(2).next_power_of_two();
        let mut calendar =
            TreeCalendar { instants: vec![NEVER; 2 * leaves], slots: vec![0; 2 * leaves], leaves, open: NO_LEAF };
        for slot in 0..leaves {
            calendar.slots[leaves + slot] = slot as Slot;
        }
        for leaf in (leaves..2 * leaves).rev() {
            calendar.replay(leaf, NEVER);
        }
        calendar
    }

    #[inline(always)]
    fn first(&self) -> (Tod, Slot) {
        debug_assert!(self.open == NO_LEAF, "the earliest is not known while an event is being handled");
        (Tod::from_units(self.instants[1]), self.slots[1])
    }

    #[inline(always)]
    fn begin(&mut self) -> Slot {
        debug_assert!(self.open == NO_LEAF, "one event at a time");
        let slot = self.slots[1];
        self.open = self.leaves + slot as usize;
        self.instants[self.open] = NEVER;
        slot
    }

    #[inline(always)]
    fn end(&mut self) {
        if self.open != NO_LEAF {
            let leaf = std::mem::replace(&mut self.open, NO_LEAF);
            self.replay(leaf, self.instants[leaf]);
        }
    }

    #[inline(always)]
    fn set(&mut self, slot: Slot, at: Tod) {
        let (leaf, at) = (self.leaves + slot as usize, at.units());
        if self.open == leaf {
            self.instants[leaf] = at;
        } else if at < self.instants[leaf] {
            self.advance(leaf, at);
        } else {
            self.replay(leaf, at);
        }
    }
}
