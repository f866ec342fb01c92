//! A calendar as a tournament: a winner tree with one leaf per slot, in which rescheduling rewrites a leaf and replays
//! its matches.

use super::{Calendar, Slot};
use units::Tod;

/// A tournament tree; a reschedule costs log2(slots) matches, a cancel is a reschedule to never.
///
/// Node `n` is the winner of nodes `2 n` and `2 n + 1`, and slot `s` is leaf `leaves + s`.  The winner of nodes 2 and 3 is
/// the champion.  A node is one number, an instant above a slot, so that a match with its ties is one comparison.  The
/// instant counts from `base`.  One beyond the reach of its bits is far and has its place in `instants`.  The base moves
/// up when only far instants are left.
pub struct TreeCalendar {
    nodes: Vec<u64>,
    /// Apart from the others, because it is read most.
    champion: u64,
    /// The matches of a leaf in a tree of this size.
    climb: Climb,
    /// The instants of far slots.
    instants: Vec<Tod>,
    leaves: usize,
    /// The width of a slot in a node.
    bits: u32,
    /// The bits of a slot in a node.
    slots: u64,
    /// The first time that no node can have, which stands for every far one; the next stands for never.
    far: u64,
    base: u64,
    /// The leaf whose event is being handled, unless it is set again; [`NO_LEAF`] when none is.
    open: usize,
}

/// Writes a leaf, replays its matches and returns the champion.
type Climb = fn(&mut [u64], usize, u64) -> u64;

/// The node of a slot that is not scheduled.
const NEVER: u64 = u64::MAX;
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
    #[inline(always)]
    fn replay(&mut self, leaf: usize, winner: u64) {
        self.champion = (self.climb)(&mut self.nodes, leaf, winner);
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

/// The matches of a leaf in a tree of this many leaves, each size compiled by itself.
fn climb_of(leaves: usize) -> Climb {
    match leaves {
        0x4 => climb::<0x8>,
        0x8 => climb::<0x10>,
        0x10 => climb::<0x20>,
        0x20 => climb::<0x40>,
        0x40 => climb::<0x80>,
        0x80 => climb::<0x100>,
        0x100 => climb::<0x200>,
        0x200 => climb::<0x400>,
        0x400 => climb::<0x800>,
        0x800 => climb::<0x1000>,
        _ => climb_any,
    }
}

/// The matches of a leaf in a tree of this many nodes, which needs no loop and no checks of bounds.
///
/// No branch predictor learns the winner of a match, so the choice is made without a branch.
fn climb<const NODES: usize>(nodes: &mut [u64], leaf: usize, mut winner: u64) -> u64 {
    let nodes = nodes.first_chunk_mut::<NODES>().expect("the tree has this size");
    let mut node = leaf % NODES;
    for _ in 1..NODES.ilog2() {
        nodes[node % NODES] = winner;
        winner = winner.min(nodes[(node ^ 1) % NODES]);
        node /= 2;
    }
    winner
}

/// The same in a tree of any size.
fn climb_any(nodes: &mut [u64], leaf: usize, mut winner: u64) -> u64 {
    let mut node = leaf;
    while node > 1 {
        nodes[node] = winner;
        winner = winner.min(nodes[node ^ 1]);
        node /= 2;
    }
    winner
}

impl Calendar for TreeCalendar {
    fn with_slots(slots: usize) -> Self {
        let leaves = slots.max(LEAST_LEAVES).next_power_of_two();
        let bits = leaves.trailing_zeros().max(LEAST_BITS);
        TreeCalendar {
            nodes: vec![NEVER; 2 * leaves],
            champion: NEVER,
            climb: climb_of(leaves),
            instants: vec![Tod::NEVER; leaves],
            leaves,
            bits,
            slots: !(u64::MAX << bits),
            far: (u64::MAX >> bits) - 1,
            base: 0,
            open: NO_LEAF,
        }
    }

    #[inline(always)]
    fn first(&self) -> (Tod, Slot) {
        debug_assert!(self.open == NO_LEAF, "the earliest is not known while an event is being handled");
        let (time, slot) = self.parts(self.champion);
        if time < self.far { (Tod::from_units(self.base + time), slot) } else { self.first_far() }
    }

    #[inline(always)]
    fn begin_by(&mut self, due: Tod) -> Option<(Tod, Slot)> {
        debug_assert!(self.open == NO_LEAF, "one event at a time");
        let (mut time, mut slot) = self.parts(self.champion);
        if time >= self.far {
            if !self.reaches(due) {
                return None;
            }
            (time, slot) = self.parts(self.champion);
        }
        let at = Tod::from_units(self.base + time);
        if at > due {
            return None;
        }
        self.open = self.leaves + slot as usize;
        Some((at, slot))
    }

    #[inline(always)]
    fn end(&mut self) {
        if self.open != NO_LEAF {
            let leaf = std::mem::replace(&mut self.open, NO_LEAF);
            self.replay(leaf, NEVER);
        }
    }

    #[inline(always)]
    fn set(&mut self, slot: Slot, at: Tod) {
        let (leaf, node) = (self.leaves + slot as usize, self.node(slot, at));
        if self.open == leaf {
            self.open = NO_LEAF;
        }
        self.replay(leaf, node);
    }
}
