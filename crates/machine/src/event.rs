//! The events of the machine, and their calendar slots.

use crate::ids::{Exposure, Group, Lane, Logical, Partition, Paths, Physical, Requester, Virtual};
use kernel::calendar::Slot;

/// Declares the events in the order of their slots, each with its owner.
macro_rules! events {
    ($($(#[doc = $doc:literal])+ $Event:ident $(($owner:ident: $Owner:ident))?,)+) => {
        /// Something that happens.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Event {
            $($(#[doc = $doc])+ $Event $(($Owner))?,)+
        }

        /// A kind of event.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Kind {
            $($(#[doc = $doc])+ $Event,)+
        }

        /// The kinds in the order of their slots.
        const KINDS: &[Kind] = &[$(Kind::$Event),+];

        impl Event {
            /// Its kind, and the index of its owner.
            #[inline(always)]
            const fn parts(self) -> (usize, u32) {
                match self {
                    $(Event::$Event $(($Owner($owner)))? => (Kind::$Event as usize, 0 $(+ $owner)?),)+
                }
            }

            /// The event of this kind whose owner has this index.
            fn of(kind: Kind, number: u32) -> Event {
                match kind {
                    $(Kind::$Event => Event::$Event $(({ let $owner = number; $Owner($owner) }))?,)+
                }
            }
        }
    };
}

events! {
    /// The earliest connected I/O of a path group has transferred everything.
    Transferred(paths: Paths),
    /// A channel has carried an I/O, in one direction.
    Carried(lane: Lane),
    /// The phase of an exposure is over.
    PhaseOver(exposure: Exposure),
    /// A guest is through thinking or computing.
    Resume(requester: Requester),
    /// The next guest from outside arrives to run a group's program.
    Arrival(group: Group),
    /// The next of the stated changes is due.
    Change,
    /// The stretch of a logical processor is over.
    Work(logical: Logical),
    /// The slice of a physical processor is over, or the switch before it.
    Slice(physical: Physical),
    /// A partition looks whether it has enough processors enabled for I/O interrupts.
    Enablement(partition: Partition),
    /// The timer of the measurement program of a partition pops.
    Timer(partition: Partition),
    /// The control program of a partition decides how many processors it uses.
    Control(partition: Partition),
    /// A virtual processor that was at its limit may run again.
    Release(number: Virtual),
    /// The period of a group of threads is over.
    Period(partition: Partition),
    /// Runtime that processors gave back to a group of threads goes to stopped ones.
    Slack(partition: Partition),
}

/// The slot of each kind of event.  At one instant path groups come first, then channels, exposures, guests, arrivals, stated
/// changes, logical and physical processors.  Then come partitions, their timers and their control programs, virtual
/// processors at their limit, and periods of groups of threads.  Each kind is in the order of the scenario: a resource
/// that is released at an instant is free for a request at that instant.
#[derive(Clone, Debug)]
pub struct Slots {
    /// The first slot of each kind, and the end.
    first: [u32; KINDS.len() + 1],
    /// The event of each slot.
    events: Vec<Event>,
}

impl Slots {
    /// Slots for this many events of each kind.
    pub fn new(count: impl Fn(Kind) -> usize) -> Self {
        let mut first = [0; KINDS.len() + 1];
        let mut events = Vec::with_capacity(KINDS.iter().map(|kind| count(*kind)).sum());
        for kind in KINDS.iter().copied() {
            let count = u32::try_from(count(kind)).expect("a plan has fewer than 2^32 parts");
            first[kind as usize + 1] = first[kind as usize] + count;
            events.extend((0..count).map(|number| Event::of(kind, number)));
        }
        Slots { first, events }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.first[KINDS.len()] as usize
    }

    /// Whether nothing can ever happen.
    pub fn is_empty(&self) -> bool {
        self.first[KINDS.len()] == 0
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
        let counts = [2, 4, 5, 3, 4, 1, 3, 2, 2, 2, 2, 6, 2, 2];
        let slots = Slots::new(|kind| counts[kind as usize]);
        for slot in 0..slots.len() as Slot {
            assert_eq!(slots.slot(slots.event(slot, Requester(u32::MAX))), Some(slot));
        }
        assert_eq!(slots.slot(Event::Resume(Requester(3))), None, "a requester that passes through has no slot");
    }
}
