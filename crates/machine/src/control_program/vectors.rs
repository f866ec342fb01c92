//! Dispatch vectors: who waits for a logical processor, the one that has had least of its share or has come first in front.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// A dispatch vector.
#[derive(Clone, Debug, Default)]
pub(super) struct Vector {
    waiting: BinaryHeap<Reverse<Waiting>>,
    /// The highest pass of those who were taken.
    reached: f64,
}

/// Somebody who waits: his pass, how many came before him, and who he is, in one number that orders them.
///
/// The bits of numbers that are not negative stand in the order of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting(u128);

/// How many bits say who waits, and how many more how many came before him.
const WHO: u32 = 24;
const CAME: u32 = 40;

impl Waiting {
    fn new(who: usize, pass: f64, came: u64) -> Waiting {
        debug_assert!(pass >= 0.0 && who >> WHO == 0 && came >> CAME == 0, "each has room in its bits");
        Waiting(u128::from(pass.to_bits()) << (WHO + CAME) | u128::from(came) << WHO | who as u128)
    }

    fn pass(self) -> f64 {
        f64::from_bits((self.0 >> (WHO + CAME)) as u64)
    }

    fn who(self) -> usize {
        self.0 as usize & ((1 << WHO) - 1)
    }
}

impl Vector {
    pub fn with_capacity(most: usize) -> Vector {
        Vector { waiting: BinaryHeap::with_capacity(most), reached: 0.0 }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The pass of somebody who comes after he had nothing to do: he saves nothing up.
    pub fn pass_of(&self, pass: f64) -> f64 {
        pass.max(self.reached)
    }

    /// Somebody has come so far who was taken from here and had it to himself since.
    pub fn reach(&mut self, pass: f64) {
        self.reached = self.reached.max(pass);
    }

    /// Somebody waits here from now on.
    #[inline]
    pub fn add(&mut self, who: usize, pass: f64, came: u64) {
        self.waiting.push(Reverse(Waiting::new(who, pass, came)));
    }

    /// Somebody waits here from now on, and the first is taken, who may be the same; his pass says how far those have come who
    /// were taken.
    #[inline]
    pub fn add_and_take(&mut self, who: usize, pass: f64, came: u64) -> usize {
        let mut first = Waiting::new(who, pass, came);
        if let Some(mut top) = self.waiting.peek_mut()
            && top.0 < first
        {
            std::mem::swap(&mut top.0, &mut first);
        }
        first.who()
    }

    /// Takes the first; how far those have come who were taken, his pass says.
    #[inline]
    pub fn take(&mut self) -> Option<usize> {
        self.waiting.pop().map(|Reverse(first)| first.who())
    }

    /// Somebody waits here from now on, behind all others who do.
    pub fn add_last(&mut self, who: usize, pass: f64, came: u64) {
        let last = self.waiting.iter().map(|Reverse(waiting)| waiting.pass()).fold(pass, f64::max);
        self.add(who, last, came);
    }

    /// Takes somebody who waits here, wherever he stands.
    pub fn remove(&mut self, who: usize) {
        self.waiting.retain(|Reverse(waiting)| waiting.who() != who);
    }

    /// How far a pass is ahead of those who were taken.
    pub fn ahead(&self, pass: f64) -> f64 {
        (pass - self.reached).max(0.0)
    }

    /// The pass that is so far ahead of those who were taken.
    pub fn at(&self, ahead: f64) -> f64 {
        self.reached + ahead
    }

    /// Takes everybody, in no order that matters; leaves room for as many.
    pub fn drain(&mut self) -> impl Iterator<Item = usize> + '_ {
        self.waiting.drain().map(|Reverse(waiting)| waiting.who())
    }
}
