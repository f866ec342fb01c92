//! The pending-event set: at most one instant per slot, the earliest first, ties by the lower slot number.

mod heap;
mod tree;

pub use heap::HeapCalendar;
pub use tree::TreeCalendar;

use units::Tod;

/// A schedulable entity, by number.
pub type Slot = u32;

/// A pending-event set.  [`TreeCalendar`] is the fast one, [`HeapCalendar`] the oracle it is tested against.
///
/// An event is handled between [`begin_by`](Calendar::begin_by) and [`end`](Calendar::end).  In between, the begun slot has
/// no instant unless [`set`](Calendar::set) gives it one, and the earliest may not be asked for: the tree then replays
/// the begun slot's matches once instead of twice.  An event that probably sets its slot no more may be ended early.
pub trait Calendar {
    /// A calendar of this many slots, none of them scheduled.
    fn with_slots(slots: usize) -> Self;

    /// The earliest instant and its slot; [`Tod::NEVER`] when nothing is scheduled.
    fn first(&self) -> (Tod, Slot);

    /// Takes the earliest slot out if it is due by an instant, and returns its own instant and number.
    fn begin_by(&mut self, due: Tod) -> Option<(Tod, Slot)>;

    /// Ends the handling that `begin_by` began; nothing if that has ended.
    fn end(&mut self);

    /// Schedules a slot, in place of any instant it had.
    fn set(&mut self, slot: Slot, at: Tod);

    /// Takes a slot's instant away.
    fn cancel(&mut self, slot: Slot) {
        self.set(slot, Tod::NEVER);
    }
}
