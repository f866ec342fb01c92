//! An index from an identity to the slot of its entry: chains in buckets, found by a hash.

/// No slot.
pub(super) const NOTHING: u32 = u32::MAX;

const FEWEST_BUCKETS: usize = 16;

/// Slots by hash. A slot is in it once or not at all; taking one out and putting it back allocates nothing.
#[derive(Clone, Debug)]
pub(super) struct Index {
    /// The first slot of each chain; a power of two of them, never fewer than slots.
    heads: Vec<u32>,
    links: Vec<Link>,
    filled: usize,
}

#[derive(Clone, Copy, Debug)]
struct Link {
    hash: u64,
    next: u32,
}

impl Index {
    pub(super) fn new() -> Self {
        Index { heads: vec![NOTHING; FEWEST_BUCKETS], links: Vec::new(), filled: 0 }
    }

    /// The slot with this hash of which `is` holds.
    #[inline]
    pub(super) fn find(&self, hash: u64, mut is: impl FnMut(u32) -> bool) -> Option<u32> {
        let mut slot = self.heads[self.bucket(hash)];
        while slot != NOTHING {
            let link = self.links[slot as usize];
            if link.hash == hash && is(slot) {
                return Some(slot);
            }
            slot = link.next;
        }
        None
    }

    /// Puts in a slot that is not in it.
    pub(super) fn insert(&mut self, hash: u64, slot: u32) {
        if self.filled == self.heads.len() {
            self.grow();
        }
        while self.links.len() <= slot as usize {
            self.links.push(Link { hash: 0, next: NOTHING });
        }
        let bucket = self.bucket(hash);
        self.links[slot as usize] = Link { hash, next: self.heads[bucket] };
        self.heads[bucket] = slot;
        self.filled += 1;
    }

    /// Takes out a slot that is in it.
    pub(super) fn remove(&mut self, slot: u32) {
        let Link { hash, next } = self.links[slot as usize];
        let bucket = self.bucket(hash);
        if self.heads[bucket] == slot {
            self.heads[bucket] = next;
        } else {
            let mut before = self.heads[bucket];
            while self.links[before as usize].next != slot {
                before = self.links[before as usize].next;
            }
            self.links[before as usize].next = next;
        }
        self.filled -= 1;
    }

    #[inline]
    fn bucket(&self, hash: u64) -> usize {
        hash as usize & (self.heads.len() - 1)
    }

    fn grow(&mut self) {
        let old = std::mem::take(&mut self.heads);
        self.heads = vec![NOTHING; 2 * old.len()];
        for head in old {
            let mut slot = head;
            while slot != NOTHING {
                let Link { hash, next } = self.links[slot as usize];
                let bucket = self.bucket(hash);
                self.links[slot as usize].next = self.heads[bucket];
                self.heads[bucket] = slot;
                slot = next;
            }
        }
    }
}

/// Spreads an identity over all bits of a hash.
#[inline]
pub(super) fn spread(number: u64) -> u64 {
    let product = u128::from(number ^ 0x9e37_79b9_7f4a_7c15) * u128::from(0xd6e8_feb8_6659_fd93_u64);
    (product as u64) ^ ((product >> 64) as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_in_is_found_until_it_is_taken_out() {
        let mut index = Index::new();
        let slots = 1_000u32;
        for slot in 0..slots {
            index.insert(spread(u64::from(slot) % 700), slot);
        }
        for slot in (0..slots).step_by(3) {
            index.remove(slot);
        }
        for slot in 0..slots {
            let found = index.find(spread(u64::from(slot) % 700), |one| one == slot);
            assert_eq!(found.is_some(), slot % 3 != 0, "slot {slot}");
        }
    }
}
