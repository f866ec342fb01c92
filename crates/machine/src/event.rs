//! The events of the machine, and their calendar slots.

use crate::ids::{Exposure, Group, Lane, Logical, Partition, Paths, Physical, Requester, Virtual};
use kernel::calendar::Slot;

/// Something that happens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// The earliest connected I/O of a path group has transferred everything.
    Transferred(Paths),
    /// A channel has carried an I/O, in one direction.
    Carried(Lane),
    /// The phase of an exposure is over.
    PhaseOver(Exposure),
    /// A guest is through thinking or computing.
    Resume(Requester),
    /// The next guest from outside arrives to run a group's program.
    Arrival(Group),
    /// The next of the stated changes is due.
    Change,
    /// The stretch of a logical processor is over.
    Work(Logical),
    /// The slice of a physical processor is over, or the switch before it.
    Slice(Physical),
    /// A partition looks whether it has enough processors enabled for I/O interrupts.
    Enablement(Partition),
    /// The timer of the measurement program of a partition pops.
    Timer(Partition),
    /// The control program of a partition decides how many processors it uses.
    Control(Partition),
    /// A virtual processor that was at its limit may run again.
    Release(Virtual),
    /// The period of a group of threads is over.
    Period(Partition),
    /// Runtime that processors gave back to a group of threads goes to stopped ones.
    Slack(Partition),
}

impl Event {
    /// Its kind, in the order of the slots, and the index of its owner.
    #[inline(always)]
    const fn parts(self) -> (usize, u32) {
        match self {
            Event::Transferred(Paths(paths)) => (0, paths),
            Event::Carried(Lane(lane)) => (1, lane),
            Event::PhaseOver(Exposure(exposure)) => (2, exposure),
            Event::Resume(Requester(requester)) => (3, requester),
            Event::Arrival(Group(group)) => (4, group),
            Event::Change => (5, 0),
            Event::Work(Logical(logical)) => (6, logical),
            Event::Slice(Physical(physical)) => (7, physical),
            Event::Enablement(Partition(partition)) => (8, partition),
            Event::Timer(Partition(partition)) => (9, partition),
            Event::Control(Partition(partition)) => (10, partition),
            Event::Release(Virtual(number)) => (11, number),
            Event::Period(Partition(partition)) => (12, partition),
            Event::Slack(Partition(partition)) => (13, partition),
        }
    }

    /// The event of this kind whose owner has this index.
    fn of(kind: usize, number: u32) -> Event {
        let events = [
            Event::Transferred(Paths(number)),
            Event::Carried(Lane(number)),
            Event::PhaseOver(Exposure(number)),
            Event::Resume(Requester(number)),
            Event::Arrival(Group(number)),
            Event::Change,
            Event::Work(Logical(number)),
            Event::Slice(Physical(number)),
            Event::Enablement(Partition(number)),
            Event::Timer(Partition(number)),
            Event::Control(Partition(number)),
            Event::Release(Virtual(number)),
            Event::Period(Partition(number)),
            Event::Slack(Partition(number)),
        ];
        events[kind]
    }
}

/// How many kinds of events there are.
const KINDS: usize = 14;

/// The slot of each kind of event.  At one instant path groups come first, then channels, exposures, guests, arrivals, stated
/// changes, logical and physical processors.  Then come partitions, their timers and their control programs, virtual
/// processors at their limit, and periods of groups of threads.  Each kind is in the order of the scenario: a resource
/// that is released at an instant is free for a request at that instant.
#[derive(Clone, Debug)]
pub struct Slots {
    /// The first slot of each kind, and the end.
    first: [u32; KINDS + 1],
    /// The event of each slot.
    events: Vec<Event>,
}

impl Slots {
    /// Slots for this many path groups, directions of channels, exposures, closed guests and groups.  Then stated changes
    /// due next (one or none), logical and physical processors, and partitions three times: they have timers and control
    /// programs too.  Then virtual processors, and groups of threads twice: for periods and for returned runtime.
    pub fn new(counts: [usize; KINDS]) -> Self {
        let mut first = [0; KINDS + 1];
        let mut events = Vec::with_capacity(counts.iter().sum());
        for (kind, count) in counts.into_iter().enumerate() {
            let count = u32::try_from(count).expect("a plan has fewer than 2^32 parts");
            first[kind + 1] = first[kind] + count;
            events.extend((0..count).map(|number| Event::of(kind, number)));
        }
        Slots { first, events }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.first[KINDS] as usize
    }

    /// Whether nothing can ever happen.
    pub fn is_empty(&self) -> bool {
        self.first[KINDS] == 0
    }

    /// The slot of an event; a requester that only passes through has none.
    #[inline(always)]
    pub fn slot(&self, event: Event) -> Option<Slot> {
        let (kind, number) = event.parts();
        let slot = self.first[kind] + number;
        (!matches!(event, Event::Resume(_)) || slot < self.first[kind + 1]).then_some(slot)
    }

    /// The event of a slot; without one, that of a requester that only passes through.
    #[inline(always)]
    pub fn event(&self, slot: Slot, passing: Requester) -> Event {
        // The most common ones need no table.
        let [_, _, exposures, guests, arrivals, ..] = self.first;
        if slot < guests {
            if slot >= exposures {
                return Event::PhaseOver(Exposure(slot - exposures));
            }
        } else if slot < arrivals {
            return Event::Resume(Requester(slot - guests));
        }
        self.events.get(slot as usize).copied().unwrap_or(Event::Resume(passing))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_and_events_are_inverse() {
        let slots = Slots::new([2, 4, 5, 3, 4, 1, 3, 2, 2, 2, 2, 6, 2, 2]);
        for slot in 0..slots.len() as Slot {
            assert_eq!(slots.slot(slots.event(slot, Requester(u32::MAX))), Some(slot));
        }
        assert_eq!(slots.slot(Event::Resume(Requester(3))), None, "a requester that passes through has no slot");
    }
}
