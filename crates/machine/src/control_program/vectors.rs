//! Dispatch vectors: who waits for a logical processor, the one that has had least of its share first.
//!
//! It leaves out who may take from which vector.

use std::cmp::{Ordering, Reverse};
use std::collections::BinaryHeap;

/// A dispatch vector.
#[derive(Clone, Debug, Default)]
pub(super) struct Vector {
    waiting: BinaryHeap<Reverse<Waiting>>,
    /// The pass of who was taken last: nobody who comes is set before it.
    reached: f64,
}

/// Somebody who waits.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    pass: f64,
    /// Who came before goes before, among equals.
    came: u64,
    who: usize,
}

impl PartialEq for Waiting {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Waiting {}

impl PartialOrd for Waiting {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Waiting {
    fn cmp(&self, other: &Self) -> Ordering {
        self.pass.total_cmp(&other.pass).then(self.came.cmp(&other.came))
    }
}

impl Vector {
    pub fn with_capacity(most: usize) -> Vector {
        Vector { waiting: BinaryHeap::with_capacity(most), reached: 0.0 }
    }

    pub fn len(&self) -> usize {
        self.waiting.len()
    }

    /// Somebody waits here from now on; says with which pass.
    pub fn add(&mut self, who: usize, pass: f64, came: u64) -> f64 {
        let pass = pass.max(self.reached);
        self.waiting.push(Reverse(Waiting { pass, came, who }));
        pass
    }

    /// Takes the first.
    pub fn take(&mut self) -> Option<usize> {
        let Reverse(first) = self.waiting.pop()?;
        self.reached = first.pass;
        Some(first.who)
    }

    /// How far a pass is ahead of who was taken last.
    pub fn ahead(&self, pass: f64) -> f64 {
        (pass - self.reached).max(0.0)
    }

    /// The pass that is so far ahead of who was taken last.
    pub fn at(&self, ahead: f64) -> f64 {
        self.reached + ahead
    }

    /// Takes everybody, in no order that matters; leaves room for as many.
    pub fn drain(&mut self) -> impl Iterator<Item = usize> + '_ {
        self.waiting.drain().map(|Reverse(waiting)| waiting.who)
    }
}
