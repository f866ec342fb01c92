//! What can happen at an instant, and which calendar slot it has.
//!
//! It leaves out what follows: the wiring hands each event to its mechanism.

use crate::ids::{Exposure, Group, Paths, Requester};
use kernel::calendar::Slot;

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The earliest connected I/O of a path group has transferred everything.
    Transferred(Paths),
    /// The phase of an exposure is over.
    PhaseOver(Exposure),
    /// A guest is through thinking or computing.
    Resume(Requester),
    /// The next from outside comes to run a group's program.
    Arrival(Group),
}

/// Which slot each kind of event has.  At one instant path groups come first, then exposures, guests and arrivals, each
/// in the order of the scenario: what ends at an instant is free for what begins at it.
#[derive(Clone, Copy, Debug)]
pub struct Slots {
    exposures: u32,
    requesters: u32,
    groups: u32,
    end: u32,
}

impl Slots {
    /// Slots for so many path groups, exposures, closed guests and groups.
    pub fn new(paths: usize, exposures: usize, closed: usize, groups: usize) -> Self {
        let slot = |count: usize| u32::try_from(count).expect("a plan has fewer than 2^32 parts");
        Slots {
            exposures: slot(paths),
            requesters: slot(paths + exposures),
            groups: slot(paths + exposures + closed),
            end: slot(paths + exposures + closed + groups),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.end as usize
    }

    /// Whether nothing can ever happen.
    pub fn is_empty(&self) -> bool {
        self.end == 0
    }

    /// The slot of an event; a requester who only passes through has none.
    #[inline]
    pub fn slot(&self, event: Event) -> Option<Slot> {
        match event {
            Event::Transferred(Paths(paths)) => Some(paths),
            Event::PhaseOver(Exposure(exposure)) => Some(self.exposures + exposure),
            Event::Resume(Requester(requester)) => {
                let slot = self.requesters + requester;
                (slot < self.groups).then_some(slot)
            }
            Event::Arrival(Group(group)) => Some(self.groups + group),
        }
    }

    /// The event of a slot.
    #[inline]
    pub fn event(&self, slot: Slot) -> Event {
        if slot >= self.groups {
            Event::Arrival(Group(slot - self.groups))
        } else if slot >= self.requesters {
            Event::Resume(Requester(slot - self.requesters))
        } else if slot >= self.exposures {
            Event::PhaseOver(Exposure(slot - self.exposures))
        } else {
            Event::Transferred(Paths(slot))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_and_events_are_inverse() {
        let slots = Slots::new(2, 5, 3, 4);
        for slot in 0..slots.len() as Slot {
            assert_eq!(slots.slot(slots.event(slot)), Some(slot));
        }
        assert_eq!(slots.slot(Event::Resume(Requester(3))), None, "who passes through has no slot");
    }
}
