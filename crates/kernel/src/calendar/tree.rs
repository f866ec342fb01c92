//! A calendar as a tournament: a winner tree with one leaf per slot, in which rescheduling rewrites a leaf and replays
//! its matches.
//!
//! It leaves out growing: the number of slots is fixed when it is built.

use super::{Calendar, Slot};
use units::Tod;

/// A tournament tree; 8 to 13 ns an event at 100 to 10,000 slots where a binary heap of events takes 44 to 88.
pub struct TreeCalendar {
    /// `nodes[1]` is the champion, `nodes[i]` the winner of `nodes[2 i]` and `nodes[2 i + 1]`, leaves from `leaves` on.
    nodes: Vec<Entry>,
    leaves: usize,
    open: usize,
}

/// Instant above slot, so that one comparison decides and ties fall to the lower slot.
type Entry = u128;

const NO_LEAF: usize = 0;

fn entry(at: Tod, slot: Slot) -> Entry {
    (u128::from(at.units()) << 32) | u128::from(slot)
}

impl TreeCalendar {
    /// Nodes on the way up can only get earlier: stop at the first that already has an earlier winner.
    #[inline]
    fn advance(&mut self, leaf: usize, entry: Entry) {
        let mut node = leaf;
        while node > 0 && entry < self.nodes[node] {
            self.nodes[node] = entry;
            node >>= 1;
        }
    }

    /// Replays the matches of a leaf that got later, up to the first that somebody else had won.
    fn postpone(&mut self, leaf: usize, entry: Entry) {
        let before = std::mem::replace(&mut self.nodes[leaf], entry);
        let mut node = leaf >> 1;
        while node > 0 && self.nodes[node] == before {
            self.nodes[node] = self.nodes[2 * node].min(self.nodes[2 * node + 1]);
            node >>= 1;
        }
    }
}

impl Calendar for TreeCalendar {
    fn with_slots(slots: usize) -> Self {
        let leaves = slots.max(2).next_power_of_two();
        let mut nodes = vec![entry(Tod::NEVER, Slot::MAX); 2 * leaves];
        for (slot, leaf) in nodes[leaves..].iter_mut().enumerate() {
            *leaf = entry(Tod::NEVER, slot as Slot);
        }
        for node in (1..leaves).rev() {
            nodes[node] = nodes[2 * node].min(nodes[2 * node + 1]);
        }
        TreeCalendar { nodes, leaves, open: NO_LEAF }
    }

    #[inline]
    fn first(&self) -> (Tod, Slot) {
        debug_assert!(self.open == NO_LEAF, "the earliest is not known while an event is being handled");
        let champion = self.nodes[1];
        (Tod::from_units((champion >> 32) as u64), champion as Slot)
    }

    #[inline]
    fn begin(&mut self) -> Slot {
        debug_assert!(self.open == NO_LEAF, "one event at a time");
        let slot = self.nodes[1] as Slot;
        self.open = self.leaves + slot as usize;
        self.nodes[self.open] = entry(Tod::NEVER, slot);
        slot
    }

    #[inline]
    fn end(&mut self) {
        let mut node = self.open;
        self.open = NO_LEAF;
        let nodes = self.nodes.as_mut_slice();
        let mut winner = nodes[node];
        while node > 1 {
            winner = winner.min(nodes[node ^ 1]);
            node >>= 1;
            nodes[node] = winner;
        }
    }

    #[inline]
    fn set(&mut self, slot: Slot, at: Tod) {
        let leaf = self.leaves + slot as usize;
        let new = entry(at, slot);
        if leaf == self.open {
            self.nodes[leaf] = new;
        } else if new < self.nodes[leaf] {
            self.advance(leaf, new);
        } else {
            self.postpone(leaf, new);
        }
    }
}
