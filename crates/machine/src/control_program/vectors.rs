//! Dispatch vectors: queues for a logical processor, ordered by the least charge over share or by arrival.

use std::collections::VecDeque;

/// A dispatch vector: its entries in their order, in a ring.
///
/// An entry whose slice is over nearly always joins at the end, and one that was idle near the front.  A ring that moves
/// its shorter side then costs less than a heap.
#[derive(Clone, Debug, Default)]
pub(super) struct Vector {
    waiting: VecDeque<Waiting>,
    /// The highest pass of those that were taken.
    reached: f64,
}

/// An entry of the queue: its pass, the number that came before it, and its identity, in one number that orders them.
///
/// The bits of numbers that are not negative are in the order of the numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Waiting(u128);

/// The number of bits of the identity, and of the number that came before it.
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
        Vector { waiting: VecDeque::with_capacity(most), reached: 0.0 }
    }

    #[inline]
    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// The pass of one that comes after it was idle: it has no credit.
    pub fn pass_of(&self, pass: f64) -> f64 {
        pass.max(self.reached)
    }

    /// The pass of one that was taken from here and has run since.
    pub fn reach(&mut self, pass: f64) {
        self.reached = self.reached.max(pass);
    }

    /// One more waits here from now on.
    #[inline]
    pub fn add(&mut self, who: usize, pass: f64, came: u64) {
        self.insert(Waiting::new(who, pass, came));
    }

    #[inline(always)]
    fn insert(&mut self, new: Waiting) {
        if self.waiting.back().is_none_or(|last| *last < new) {
            return self.waiting.push_back(new);
        }
        self.insert_before_last(new);
    }

    #[inline(never)]
    fn insert_before_last(&mut self, new: Waiting) {
        let place = self.waiting.partition_point(|waiting| *waiting < new);
        self.waiting.insert(place, new);
    }

    /// One more waits here from now on, and the first is taken, which may be the same; its pass is that of the last taken.
    #[inline]
    pub fn add_and_take(&mut self, who: usize, pass: f64, came: u64) -> usize {
        let new = Waiting::new(who, pass, came);
        match self.waiting.front() {
            Some(first) if *first < new => {
                let first = *first;
                self.waiting.pop_front();
                self.insert(new);
                first.who()
            }
            Some(_) | None => who,
        }
    }

    /// Takes the first; its pass is that of the last taken.
    #[inline]
    pub fn take(&mut self) -> Option<usize> {
        self.waiting.pop_front().map(Waiting::who)
    }

    /// One more waits here from now on, behind all others.
    pub fn add_last(&mut self, who: usize, pass: f64, came: u64) {
        let last = self.waiting.back().map_or(pass, |last| last.pass().max(pass));
        self.add(who, last, came);
    }

    /// Takes one that waits here, wherever it is.
    pub fn remove(&mut self, who: usize) {
        self.waiting.retain(|waiting| waiting.who() != who);
    }

    /// The lead of a pass over those that were taken.
    pub fn ahead(&self, pass: f64) -> f64 {
        (pass - self.reached).max(0.0)
    }

    /// The pass with this lead over those that were taken.
    pub fn at(&self, ahead: f64) -> f64 {
        self.reached + ahead
    }

    /// Takes all, in no order that matters; leaves room for as many.
    pub fn drain(&mut self) -> impl Iterator<Item = usize> + '_ {
        self.waiting.drain(..).map(Waiting::who)
    }
}
