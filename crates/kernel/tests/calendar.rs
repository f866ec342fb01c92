//! Conformance of the calendars: the tree gives the same events in the same order as the heap.

use kernel::calendar::{Calendar, HeapCalendar, Slot, TreeCalendar};
use kernel::draw::Streams;
use units::{Span, Tod};

/// Random sets, cancels and reschedulings while events are handled, with many ties.  Some events are ended before they
/// set an instant.  Every span is a multiple of `unit`.
fn history<C: Calendar>((slots, unit): (u32, u64), seed: u64) -> Vec<(Tod, Slot)> {
    let mut draw = Streams::new(seed, 0).stream("calendar");
    let mut calendar = C::with_slots(slots as usize);
    for slot in 0..slots {
        calendar.set(slot, Tod::from_units(u64::from(draw.below(20)) * unit));
    }
    let mut seen = Vec::new();
    for _ in 0..5_000 {
        let first = calendar.first();
        let Some((now, slot)) = calendar.begin_by(Tod::NEVER) else {
            assert_eq!(first.0, Tod::NEVER);
            break;
        };
        assert_eq!(first, (now, slot));
        seen.push(first);
        for _ in 0..draw.below(4) {
            let other = draw.below(slots);
            match draw.below(3) {
                0 => calendar.cancel(other),
                _ => calendar.set(other, now + Span::from_units(u64::from(draw.below(12)) * unit)),
            }
        }
        if draw.below(3) == 0 {
            calendar.end();
        }
        if draw.below(5) > 0 {
            calendar.set(slot, now + Span::from_units(u64::from(draw.below(30)) * unit));
        }
        calendar.end();
    }
    seen
}

#[test]
fn tree_and_heap_agree() {
    for slots in [1, 2, 3, 5, 6, 7, 64, 65, 100] {
        for seed in 0..20 {
            let (tree, heap) = (history::<TreeCalendar>, history::<HeapCalendar>);
            assert_eq!(tree((slots, 1), seed), heap((slots, 1), seed), "{slots} slots");
        }
    }
}

/// A node of 2^12 slots reaches 2^52 units ahead of the base, one of up to 2^8 slots 2^56.
#[test]
fn tree_and_heap_agree_about_instants_beyond_the_reach_of_a_node() {
    for (slots, unit) in [(5, 1 << 48), (300, 1 << 50), (3_000, 1 << 46), (3_000, 1 << 49)] {
        for seed in 0..5 {
            let (tree, heap) = (history::<TreeCalendar>, history::<HeapCalendar>);
            assert_eq!(tree((slots, unit), seed), heap((slots, unit), seed), "{slots} slots, unit {unit}");
        }
    }
}

/// An event without a slot may come before the far ones, and bring about near ones.
#[test]
fn far_instants_leave_room_for_nearer_ones() {
    let far = Tod::from_units(1 << 60);
    let mut calendar = TreeCalendar::with_slots(4);
    calendar.set(2, far);
    calendar.set(3, far + Span::from_units(1));
    assert_eq!((calendar.first(), calendar.begin_by(Tod::from_units(50))), ((far, 2), None));
    calendar.set(1, Tod::from_units(60));
    assert_eq!(calendar.begin_by(far), Some((Tod::from_units(60), 1)));
    calendar.end();
    for (at, slot) in [(far, 2), (far + Span::from_units(1), 3)] {
        assert_eq!(calendar.begin_by(Tod::NEVER), Some((at, slot)));
        calendar.end();
    }
    assert_eq!(calendar.begin_by(Tod::NEVER), None);
}

#[test]
fn ties_fall_to_the_lower_slot() {
    let mut calendar = TreeCalendar::with_slots(4);
    for slot in [3, 1, 2] {
        calendar.set(slot, Tod::from_units(7));
    }
    for slot in [1, 2, 3] {
        assert_eq!(calendar.begin_by(Tod::from_units(6)), None);
        assert_eq!(calendar.begin_by(Tod::from_units(7)), Some((Tod::from_units(7), slot)));
        calendar.end();
    }
    assert_eq!(calendar.first().0, Tod::NEVER);
}
