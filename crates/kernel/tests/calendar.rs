//! Conformance of the calendars: the tree gives the same events in the same order as the heap.

use kernel::calendar::{Calendar, HeapCalendar, Slot, TreeCalendar};
use kernel::draw::Streams;
use units::{Span, Tod};

/// Random sets, cancels and reschedulings while events are handled, with many ties.
fn history<C: Calendar>(slots: u32, seed: u64) -> Vec<(Tod, Slot)> {
    let mut draw = Streams::new(seed, 0).stream("calendar");
    let mut calendar = C::with_slots(slots as usize);
    for slot in 0..slots {
        calendar.set(slot, Tod::from_units(u64::from(draw.below(20))));
    }
    let mut seen = Vec::new();
    for _ in 0..5_000 {
        let (now, slot) = calendar.first();
        if now == Tod::NEVER {
            break;
        }
        seen.push((now, slot));
        assert_eq!(calendar.begin(), slot);
        for _ in 0..draw.below(4) {
            let other = draw.below(slots);
            match draw.below(3) {
                0 => calendar.cancel(other),
                _ => calendar.set(other, now + Span::from_units(u64::from(draw.below(12)))),
            }
        }
        if draw.below(5) > 0 {
            calendar.set(slot, now + Span::from_units(u64::from(draw.below(30))));
        }
        calendar.end();
    }
    seen
}

#[test]
fn tree_and_heap_agree() {
    for slots in [1, 2, 3, 5, 6, 7, 64, 65, 100] {
        for seed in 0..20 {
            assert_eq!(history::<TreeCalendar>(slots, seed), history::<HeapCalendar>(slots, seed), "{slots} slots");
        }
    }
}

#[test]
fn ties_fall_to_the_lower_slot() {
    let mut calendar = TreeCalendar::with_slots(4);
    for slot in [3, 1, 2] {
        calendar.set(slot, Tod::from_units(7));
    }
    for slot in [1, 2, 3] {
        assert_eq!(calendar.first(), (Tod::from_units(7), slot));
        calendar.begin();
        calendar.end();
    }
    assert_eq!(calendar.first().0, Tod::NEVER);
}
