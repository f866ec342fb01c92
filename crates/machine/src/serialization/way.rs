//! The way of a request through the service as the machine carries it out: stretches of processor time, with the lock or not.

pub use ::serialization::exits::Stretch;
use ::serialization::exits::{MOST_STRETCHES, Stretches};
use units::Span;

/// The way of a request: before it is queued locally, after, and what the end of a queue adds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Way {
    stretches: [Option<Stretch>; MOST_STRETCHES],
    len: usize,
    /// Before which stretch the request is queued.
    queued: usize,
}

impl Way {
    pub(super) fn new(before: &Stretches, after: &Stretches) -> Way {
        let mut way = Way { stretches: [None; MOST_STRETCHES], len: 0, queued: 0 };
        way.add(before);
        way.queued = way.len;
        way.add(after);
        way
    }

    /// More stretches behind it.
    pub(super) fn add(&mut self, stretches: &Stretches) {
        for stretch in stretches.iter() {
            self.stretches[self.len] = Some(stretch);
            self.len += 1;
        }
    }

    /// The cost of the stretches from this one on.
    pub(super) fn left(&self, next: usize) -> Span {
        self.stretches[next..self.len].iter().flatten().map(|stretch| stretch.span).sum()
    }

    /// Before which stretch the request is queued.
    pub(super) fn queued(&self) -> usize {
        self.queued
    }

    /// A stretch of it.
    pub(super) fn stretch(&self, number: usize) -> Option<Stretch> {
        self.stretches[..self.len].get(number).copied().flatten()
    }
}
