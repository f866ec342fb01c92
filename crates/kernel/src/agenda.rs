//! The second list of pending events, a 4-ary heap of packed keys: events without a slot, such as those of guests that
//! pass through.

use units::Tod;

/// Events without a slot, the earliest first, ties in the order of being added.
#[derive(Clone, Debug, Default)]
pub struct Agenda {
    /// Instant above the running number, beside the payload.
    heap: Vec<(u128, u32)>,
    added: u64,
}

const ARITY: usize = 4;

impl Agenda {
    /// The earliest instant; [`Tod::NEVER`] when the list is empty.
    #[inline]
    pub fn first(&self) -> Tod {
        self.heap.first().map_or(Tod::NEVER, |(key, _)| Tod::from_units((key >> 64) as u64))
    }

    /// How many are pending.
    pub fn len(&self) -> usize {
        self.heap.len()
    }

    /// Whether nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.heap.is_empty()
    }

    /// Adds an event that carries a number.
    pub fn add(&mut self, at: Tod, payload: u32) {
        let key = (u128::from(at.units()) << 64) | u128::from(self.added);
        self.added += 1;
        self.heap.push((key, payload));
        let mut child = self.heap.len() - 1;
        while child > 0 {
            let parent = (child - 1) / ARITY;
            if self.heap[parent].0 <= self.heap[child].0 {
                break;
            }
            self.heap.swap(parent, child);
            child = parent;
        }
    }

    /// Takes the earliest event out.
    pub fn take(&mut self) -> Option<(Tod, u32)> {
        let last = self.heap.len().checked_sub(1)?;
        self.heap.swap(0, last);
        let (key, payload) = self.heap.pop()?;
        let mut parent = 0;
        loop {
            let children = (ARITY * parent + 1)..(ARITY * parent + 1 + ARITY).min(self.heap.len());
            let Some(least) = children.min_by_key(|&child| self.heap[child].0) else { break };
            if self.heap[parent].0 <= self.heap[least].0 {
                break;
            }
            self.heap.swap(parent, least);
            parent = least;
        }
        Some((Tod::from_units((key >> 64) as u64), payload))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comes_in_order_of_time_then_of_being_added() {
        let mut agenda = Agenda::default();
        for (payload, at) in [5u64, 1, 3, 1, 4, 1, 5, 9, 2, 6].into_iter().enumerate() {
            agenda.add(Tod::from_units(at), payload as u32);
        }
        let order: Vec<u32> = std::iter::from_fn(|| agenda.take()).map(|(_, payload)| payload).collect();
        assert_eq!(order, [1, 3, 5, 8, 2, 4, 0, 6, 9, 7]);
    }
}
