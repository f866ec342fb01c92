//! A store of things of one kind by number, which are used again when they are free.

use std::ops::{Index, IndexMut};

/// Things by number; the one that was freed last is taken first, so that what storage it had is warm.
#[derive(Clone, Debug)]
pub(super) struct Slots<T> {
    things: Vec<T>,
    free: Vec<u32>,
}

impl<T: Default> Slots<T> {
    pub(super) fn new() -> Self {
        Slots { things: Vec::new(), free: Vec::new() }
    }

    /// The number of a thing that is free, as it was left.
    pub(super) fn take(&mut self) -> u32 {
        self.free.pop().unwrap_or_else(|| {
            self.things.push(T::default());
            u32::try_from(self.things.len() - 1).expect("fewer things than numbers for them")
        })
    }

    pub(super) fn give(&mut self, slot: u32) {
        self.free.push(slot);
    }

    /// All of them by number, the free ones too.
    pub(super) fn all(&self) -> impl Iterator<Item = (u32, &T)> {
        (0u32..).zip(&self.things)
    }
}

impl<T> Index<u32> for Slots<T> {
    type Output = T;

    #[inline]
    fn index(&self, slot: u32) -> &T {
        &self.things[slot as usize]
    }
}

impl<T> IndexMut<u32> for Slots<T> {
    #[inline]
    fn index_mut(&mut self, slot: u32) -> &mut T {
        &mut self.things[slot as usize]
    }
}
