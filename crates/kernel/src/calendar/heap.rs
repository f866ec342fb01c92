//! A calendar as a plain heap of events, the oracle that the tournament tree is tested against.

use super::{Calendar, Slot};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use units::Tod;

/// A heap of (instant, slot) with the valid instant of each slot beside it.
pub struct HeapCalendar {
    heap: BinaryHeap<Reverse<(Tod, Slot)>>,
    instants: Vec<Tod>,
}

impl HeapCalendar {
    fn drop_superseded(&mut self) {
        while let Some(Reverse((at, slot))) = self.heap.peek() {
            if self.instants[*slot as usize] == *at {
                return;
            }
            self.heap.pop();
        }
    }
}

impl Calendar for HeapCalendar {
    fn with_slots(slots: usize) -> Self {
        HeapCalendar { heap: BinaryHeap::new(), instants: vec![Tod::NEVER; slots] }
    }

    fn first(&self) -> (Tod, Slot) {
        self.heap.peek().map_or((Tod::NEVER, 0), |Reverse(event)| *event)
    }

    fn begin_by(&mut self, due: Tod) -> Option<(Tod, Slot)> {
        let Reverse((at, slot)) = *self.heap.peek()?;
        if at > due {
            return None;
        }
        self.heap.pop();
        self.instants[slot as usize] = Tod::NEVER;
        Some((at, slot))
    }

    fn end(&mut self) {
        self.drop_superseded();
    }

    fn set(&mut self, slot: Slot, at: Tod) {
        self.instants[slot as usize] = at;
        if at != Tod::NEVER {
            self.heap.push(Reverse((at, slot)));
        }
        self.drop_superseded();
    }
}
