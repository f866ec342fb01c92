//! A queue of at most 128 small numbers, first in, first out.

/// A ring.
pub struct Queue {
    ring: [u8; 128],
    first: u8,
    len: u8,
}

impl Queue {
    /// An empty queue.
    pub fn new() -> Queue {
        Queue { ring: [0; 128], first: 0, len: 0 }
    }

    /// One more waits.
    #[inline(always)]
    pub fn push(&mut self, number: usize) {
        self.ring[usize::from(self.first.wrapping_add(self.len) % 128)] = number as u8;
        self.len += 1;
    }

    /// The first waits no more.
    #[inline(always)]
    pub fn pop(&mut self) -> Option<usize> {
        self.len = self.len.checked_sub(1)?;
        let number = self.ring[usize::from(self.first % 128)];
        self.first = self.first.wrapping_add(1);
        Some(usize::from(number))
    }
}
