//! What is pending in the machine: instants in the calendar or the agenda, and effects of this instant.

use crate::call::Call;
use crate::effect::{GuestEffect, PendingEffect, ProcessorEffect};
use crate::event::{Event, Slots};
use crate::ids::{Logical, Requester};
use kernel::agenda::Agenda;
use kernel::calendar::{Calendar, Slot};
use kernel::effects::Effects;
use std::collections::VecDeque;
use units::{Span, Tod};

/// Pending events, and the effects of this instant, which their targets have not had yet.
pub(crate) struct Pending<C: Calendar> {
    pub(crate) calendar: C,
    agenda: Agenda,
    /// The requester of the last event that was taken from the agenda.
    pub(crate) passing: Requester,
    pub(crate) slots: Slots,
    pub(crate) effects: Effects<PendingEffect, MOST_WAITING>,
    /// Effects that are due where processors are shared, in their order.
    pub(crate) processors: Effects<ProcessorEffect, MOST_WAITING>,
    /// The requester that a virtual processor has served in this event, which goes on before all that waits.
    pub(crate) used: Option<(Requester, Logical, Span)>,
    /// Requesters that call the service of ENQ and DEQ, or go on with a request there.  They come before all else
    /// that waits, so that their needs are known before their processor looks for other work.
    pub(crate) serializing: VecDeque<(Requester, Option<Call>)>,
}

/// How many effects of one instant may wait: a control program may want every one of its processors, and give them up.
const MOST_WAITING: usize = 2 * 256 + 8;

impl<C: Calendar> Pending<C> {
    pub(crate) fn new(slots: Slots) -> Self {
        Pending {
            calendar: C::with_slots(slots.len()),
            agenda: Agenda::default(),
            passing: Requester(u32::MAX),
            slots,
            effects: Effects::new(PendingEffect::Processor),
            processors: Effects::new(ProcessorEffect::Ready(Requester(u32::MAX))),
            used: None,
            serializing: VecDeque::new(),
        }
    }

    /// When the next event happens.
    #[inline]
    pub(crate) fn next(&self) -> Tod {
        self.calendar.first().0.min(self.agenda.first())
    }

    /// Takes the next event if it is due by an instant; [`Tod::NEVER`] where none is.  At one instant slots come before
    /// the agenda.
    #[inline(always)]
    pub(crate) fn take(&mut self, due: Tod) -> (Tod, Slot) {
        // An instant and a slot pass in registers, an option of them does not.
        if self.agenda.is_empty() {
            self.calendar.begin_by(due).unwrap_or((Tod::NEVER, Slot::MAX))
        } else {
            self.take_of_both(due)
        }
    }

    #[inline(never)]
    fn take_of_both(&mut self, due: Tod) -> (Tod, Slot) {
        let first = self.agenda.first();
        if let Some(event) = self.calendar.begin_by(due.min(first)) {
            return event;
        }
        if first > due {
            return (Tod::NEVER, Slot::MAX);
        }
        let (at, requester) = self.agenda.take().expect("the agenda is not empty");
        self.passing = Requester(requester);
        (at, Slot::MAX)
    }

    /// Whether something waits that is to happen at this instant.
    #[inline(always)]
    pub(crate) fn has_effects(&self) -> bool {
        !self.effects.is_empty() || !self.serializing.is_empty()
    }

    /// The event that is being handled probably sets its slot no more.
    #[inline(always)]
    pub(crate) fn end_early(&mut self) {
        self.calendar.end();
    }

    #[inline(always)]
    pub(crate) fn at(&mut self, event: Event, at: Tod) {
        match self.slots.slot(event) {
            Some(slot) => self.calendar.set(slot, at),
            None => self.pass(event, at),
        }
    }

    #[inline(always)]
    pub(crate) fn never(&mut self, event: Event) {
        self.at(event, Tod::NEVER);
    }

    #[inline(always)]
    pub(crate) fn serialize(&mut self, requester: Requester, call: Option<Call>) {
        self.serializing.push_back((requester, call));
    }

    #[inline(always)]
    pub(crate) fn used(&mut self, requester: Requester, logical: Logical, charged: Span) {
        debug_assert!(self.effects.is_empty() && self.used.is_none(), "a run that is over comes first in its event");
        self.used = Some((requester, logical, charged));
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, effect: impl FnOnce() -> PendingEffect) {
        self.effects.push(effect);
    }

    #[inline(always)]
    pub(crate) fn push_for_guests(&mut self, effect: impl FnOnce() -> GuestEffect) {
        self.effects.push(|| PendingEffect::Guest(effect()));
    }

    #[inline(always)]
    pub(crate) fn push_for_processors(&mut self, effect: impl FnOnce() -> ProcessorEffect) {
        self.processors.push(effect);
        self.effects.push(|| PendingEffect::Processor);
    }

    #[cold]
    fn pass(&mut self, event: Event, at: Tod) {
        let Event::Resume(Requester(requester)) = event else {
            unreachable!("all but guests that pass through have slots")
        };
        self.agenda.add(at, requester);
    }
}
