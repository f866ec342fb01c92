//! A tournament tree of 128 leaves: an instant above a number of seven bits in each node.

const LEAVES: usize = 128;
const BITS: u32 = LEAVES.ilog2();

/// The pending events.
pub struct Tree {
    nodes: [u64; 2 * LEAVES],
}

impl Tree {
    /// A tree without events.
    pub fn new() -> Tree {
        Tree { nodes: [u64::MAX; 2 * LEAVES] }
    }

    /// The earliest instant and its number.
    #[inline(always)]
    pub fn first(&self) -> (u64, usize) {
        (self.nodes[1] >> BITS, self.nodes[1] as usize % LEAVES)
    }

    /// The event of a number is at this instant.
    #[inline(always)]
    pub fn set(&mut self, number: usize, at: u64) {
        self.replay(number, at << BITS | number as u64);
    }

    /// The event of a number does not happen.
    #[inline(always)]
    pub fn never(&mut self, number: usize) {
        self.replay(number, u64::MAX);
    }

    #[inline(always)]
    fn replay(&mut self, number: usize, mut winner: u64) {
        let mut node = LEAVES + number % LEAVES;
        // Unrolled: the number of rounds is known.
        for _ in 0..=BITS {
            self.nodes[node % (2 * LEAVES)] = winner;
            winner = winner.min(self.nodes[(node ^ 1) % (2 * LEAVES)]);
            node /= 2;
        }
    }
}
