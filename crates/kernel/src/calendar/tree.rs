//! A calendar as a tournament: a winner tree with one leaf per slot, in which rescheduling rewrites a leaf and replays
//! its matches.
//!
//! It leaves out growing: the number of slots is fixed when it is built.

use super::{Calendar, Slot};
use std::hint::select_unpredictable;
use units::Tod;

/// A tournament tree; a reschedule costs log2(slots) matches, a cancel is a reschedule to never.
pub struct TreeCalendar {
    /// `nodes[1]` is the champion, `nodes[i]` the winner of `nodes[2 i]` and `nodes[2 i + 1]`, leaves from `leaves` on.
    nodes: Vec<Entry>,
    leaves: usize,
    open: usize,
}

/// An instant and whose it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    at: u64,
    slot: u64,
}

const NO_LEAF: usize = 0;
const NEVER: u64 = Tod::NEVER.units();

/// The winner of the match between a node and its sibling; a tie goes to the left, which has the lower slots.
///
/// Who wins is a coin toss that no branch predictor learns, so the choice is made without a branch: with one, a replay
/// takes three times as long.
#[inline(always)]
fn winner(node: usize, mine: Entry, sibling: Entry) -> Entry {
    let i_am_right = (node & 1) as u64;
    let lost = sibling.at < mine.at + i_am_right;
    Entry {
        at: select_unpredictable(lost, sibling.at, mine.at),
        slot: select_unpredictable(lost, sibling.slot, mine.slot),
    }
}

impl TreeCalendar {
    /// A leaf got earlier: stop at the first node that has an earlier winner.
    #[inline]
    fn advance(&mut self, leaf: usize, new: Entry) {
        let mut node = leaf;
        while node > 0 && (new.at, new.slot) < (self.nodes[node].at, self.nodes[node].slot) {
            self.nodes[node] = new;
            node >>= 1;
        }
    }

    /// A leaf got later: replay its matches up to the first that somebody else had won.
    fn postpone(&mut self, leaf: usize, new: Entry) {
        self.nodes[leaf] = new;
        let mut node = leaf >> 1;
        while node > 0 && self.nodes[node].slot == new.slot {
            self.nodes[node] = winner(2 * node, self.nodes[2 * node], self.nodes[2 * node + 1]);
            node >>= 1;
        }
    }
}

impl Calendar for TreeCalendar {
    fn with_slots(slots: usize) -> Self {
        let leaves = slots.max(2).next_power_of_two();
        let mut nodes: Vec<Entry> =
            (0..2 * leaves).map(|node| Entry { at: NEVER, slot: node.saturating_sub(leaves) as u64 }).collect();
        for node in (1..leaves).rev() {
            nodes[node] = nodes[2 * node];
        }
        TreeCalendar { nodes, leaves, open: NO_LEAF }
    }

    #[inline]
    fn first(&self) -> (Tod, Slot) {
        debug_assert!(self.open == NO_LEAF, "the earliest is not known while an event is being handled");
        (Tod::from_units(self.nodes[1].at), self.nodes[1].slot as Slot)
    }

    #[inline]
    fn begin(&mut self) -> Slot {
        debug_assert!(self.open == NO_LEAF, "one event at a time");
        let slot = self.nodes[1].slot;
        self.open = self.leaves + slot as usize;
        self.nodes[self.open].at = NEVER;
        slot as Slot
    }

    #[inline]
    fn end(&mut self) {
        let mut node = self.open;
        self.open = NO_LEAF;
        let nodes = self.nodes.as_mut_slice();
        let mut mine = nodes[node];
        while node > 1 {
            mine = winner(node, mine, nodes[node ^ 1]);
            node >>= 1;
            nodes[node] = mine;
        }
    }

    #[inline]
    fn set(&mut self, slot: Slot, at: Tod) {
        let leaf = self.leaves + slot as usize;
        let new = Entry { at: at.units(), slot: u64::from(slot) };
        if leaf == self.open {
            self.nodes[leaf] = new;
        } else if new.at < self.nodes[leaf].at {
            self.advance(leaf, new);
        } else {
            self.postpone(leaf, new);
        }
    }
}
