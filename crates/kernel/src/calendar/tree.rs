//! A calendar as a tournament: a winner tree with one leaf per slot, in which rescheduling rewrites a leaf and replays
//! its matches.

use super::{Calendar, Slot};
use units::Tod;

/// A tournament tree; a reschedule costs log2(slots) matches, a cancel is a reschedule to never.
///
/// Node 1 is the champion, node `n` the winner of nodes `2 n` and `2 n + 1`, and slot `s` is leaf `leaves + s`.  A node
/// is one number, an instant above a slot, so that a match with its ties is one comparison.  The instant counts from
/// `base`.  One beyond the reach of its bits is far and has its place in `instants`.  The base moves up when only far
/// instants are left.
pub struct TreeCalendar {
    nodes: Vec<u64>,
    /// The instants of far slots.
    instants: Vec<Tod>,
    leaves: usize,
    /// How many matches a leaf has up to the champion.
    levels: u32,
    /// The width of a slot in a node.
    bits: u32,
    /// The bits of a slot in a node.
    slots: u64,
    /// The first time that no node can have, which stands for every far one; the next stands for never.
    far: u64,
    base: u64,
    /// The leaf whose event is being handled; [`NO_LEAF`] when none is.
    open: usize,
}

const NO_LEAF: usize = 0;
const LEAST_LEAVES: usize = 4;
/// With fewer slots too, so that far instants begin before [`Tod::NEVER`].
const LEAST_BITS: u32 = 8;

impl TreeCalendar {
    /// The time and the slot of a node.
    #[inline(always)]
    const fn parts(&self, node: u64) -> (u64, Slot) {
        (node >> self.bits, (node & self.slots) as Slot)
    }

    /// The node of a slot that is not scheduled.
    #[inline(always)]
    const fn never(&self, slot: Slot) -> u64 {
        !self.slots | slot as u64
    }

    /// The node of a slot that is scheduled at an instant.
    #[inline(always)]
    fn node(&mut self, slot: Slot, at: Tod) -> u64 {
        let ahead = at.units().wrapping_sub(self.base);
        let time = if ahead < self.far { ahead } else { self.beyond(slot, at) };
        time << self.bits | u64::from(slot)
    }

    #[cold]
    fn beyond(&mut self, slot: Slot, at: Tod) -> u64 {
        assert!(at.units() >= self.base, "an instant before the last event cannot be scheduled");
        self.instants[slot as usize] = at;
        if at == Tod::NEVER { self.far + 1 } else { self.far }
    }

    /// Writes a leaf and replays its matches up to the champion.
    ///
    /// The size of the tree is known in each arm, so that it needs no loop and no check of bounds.
    #[inline(never)]
    fn replay(&mut self, leaf: usize, winner: u64) {
        let nodes = &mut self.nodes[..];
        match self.levels {
            2 => climb::<0x8>(nodes, leaf, winner),
            3 => climb::<0x10>(nodes, leaf, winner),
            4 => climb::<0x20>(nodes, leaf, winner),
            5 => climb::<0x40>(nodes, leaf, winner),
            6 => climb::<0x80>(nodes, leaf, winner),
            7 => climb::<0x100>(nodes, leaf, winner),
            8 => climb::<0x200>(nodes, leaf, winner),
            9 => climb::<0x400>(nodes, leaf, winner),
            10 => climb::<0x800>(nodes, leaf, winner),
            11 => climb::<0x1000>(nodes, leaf, winner),
            _ => climb_any(nodes, leaf, winner),
        }
    }

    /// The far slots.
    fn far_slots(&self) -> impl Iterator<Item = Slot> {
        (0..self.leaves as Slot).filter(|slot| self.parts(self.nodes[self.leaves + *slot as usize]).0 == self.far)
    }

    /// The earliest of them, where nothing else is scheduled.
    #[cold]
    fn first_far(&self) -> (Tod, Slot) {
        let slots = self.far_slots().map(|slot| (self.instants[slot as usize], slot));
        slots.min().unwrap_or((Tod::NEVER, 0))
    }

    /// Only far slots are scheduled.  Returns whether one is due by an instant; the base then moves up to it.
    #[cold]
    fn reaches(&mut self, due: Tod) -> bool {
        let (first, _) = self.first_far();
        let reaches = first <= due && first != Tod::NEVER;
        if reaches {
            self.base = first.units();
            for slot in self.far_slots().collect::<Vec<Slot>>() {
                let node = self.node(slot, self.instants[slot as usize]);
                self.replay(self.leaves + slot as usize, node);
            }
        }
        reaches
    }
}

/// The matches of a leaf in a tree of this many nodes.
///
/// No branch predictor learns the winner of a match, so the choice is made without a branch.
#[inline(always)]
fn climb<const NODES: usize>(nodes: &mut [u64], leaf: usize, mut winner: u64) {
    let Some(nodes) = nodes.first_chunk_mut::<NODES>() else { return climb_any(nodes, leaf, winner) };
    let mut node = leaf % NODES;
    for _ in 1..NODES.ilog2() {
        nodes[node % NODES] = winner;
        winner = winner.min(nodes[(node ^ 1) % NODES]);
        node /= 2;
    }
    nodes[1] = winner;
}

/// The same in a tree of any size.
fn climb_any(nodes: &mut [u64], leaf: usize, mut winner: u64) {
    let mut node = leaf;
    while node > 1 {
        nodes[node] = winner;
        winner = winner.min(nodes[node ^ 1]);
        node /= 2;
    }
    nodes[1] = winner;
}

impl Calendar for TreeCalendar {
    fn with_slots(slots: usize) -> Self {
        let leaves = slots.max(LEAST_LEAVES).next_power_of_two();
        let bits = leaves.trailing_zeros().max(LEAST_BITS);
        let (nodes, instants) = (vec![u64::MAX; 2 * leaves], vec![Tod::NEVER; leaves]);
        let mut calendar = TreeCalendar {
            nodes,
            instants,
            leaves,
            levels: leaves.trailing_zeros(),
            bits,
            slots: !(u64::MAX << bits),
            far: (u64::MAX >> bits) - 1,
            base: 0,
            open: NO_LEAF,
        };
        for slot in 0..leaves {
            calendar.replay(leaves + slot, calendar.never(slot as Slot));
        }
        calendar
    }

    #[inline(always)]
    fn first(&self) -> (Tod, Slot) {
        debug_assert!(self.open == NO_LEAF, "the earliest is not known while an event is being handled");
        let (time, slot) = self.parts(self.nodes[1]);
        if time < self.far { (Tod::from_units(self.base + time), slot) } else { self.first_far() }
    }

    #[inline(always)]
    fn begin_by(&mut self, due: Tod) -> Option<(Tod, Slot)> {
        debug_assert!(self.open == NO_LEAF, "one event at a time");
        let (mut time, mut slot) = self.parts(self.nodes[1]);
        if time >= self.far {
            if !self.reaches(due) {
                return None;
            }
            (time, slot) = self.parts(self.nodes[1]);
        }
        let at = Tod::from_units(self.base + time);
        if at > due {
            return None;
        }
        self.open = self.leaves + slot as usize;
        self.nodes[self.open] = self.never(slot);
        Some((at, slot))
    }

    #[inline(always)]
    fn end(&mut self) {
        if self.open != NO_LEAF {
            let leaf = std::mem::replace(&mut self.open, NO_LEAF);
            self.replay(leaf, self.nodes[leaf]);
        }
    }

    #[inline(always)]
    fn set(&mut self, slot: Slot, at: Tod) {
        let (leaf, node) = (self.leaves + slot as usize, self.node(slot, at));
        if self.open == leaf {
            self.nodes[leaf] = node;
        } else {
            self.replay(leaf, node);
        }
    }
}
