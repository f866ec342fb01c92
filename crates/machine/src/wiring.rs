//! Where mechanisms meet: every event goes to its transition, every effect to its target.
//!
//! It leaves out what the transitions do; nothing else in the machine knows two mechanisms.

use crate::effect::Effect;
use crate::event::Event;
use crate::ids::Requester;
use crate::signal::Probe;
use crate::world::World;
use kernel::calendar::Calendar;
use units::Tod;

impl<C: Calendar, P: Probe> World<C, P> {
    /// Lets the next event happen; at one instant slots come before the agenda.
    ///
    /// # Panics
    /// When nothing is pending.
    #[inline]
    pub fn step(&mut self) {
        let (at, slot) = self.calendar.first();
        let (at, event) = if self.agenda.is_empty() || at <= self.agenda.first() {
            self.calendar.begin();
            (at, self.slots.event(slot))
        } else {
            let (at, requester) = self.agenda.take().expect("the agenda is not empty");
            (at, Event::Resume(Requester(requester)))
        };
        debug_assert!(self.now <= at, "time runs forward");
        self.now = at;
        self.events += 1;
        self.checksum = (self.checksum ^ at.units() ^ u64::from(slot)).wrapping_mul(0x0000_0100_0000_01b3);
        self.handle(event);
        self.carry_out();
        self.calendar.end();
    }

    #[inline]
    fn handle(&mut self, event: Event) {
        let (now, effects, probe) = (self.now, &mut self.effects, &mut self.probe);
        match event {
            Event::Transferred(paths) => self.channel.transferred(paths, now, effects, probe),
            Event::PhaseOver(exposure) => self.channel.phase_over(exposure, now, effects, probe),
            Event::Resume(requester) => self.guests.resume(requester, now, effects, probe),
            Event::Arrival(group) => self.guests.arrive(group, now, effects, probe),
        }
    }

    /// Carries out effects until none is left, the oldest first.
    #[inline]
    pub(crate) fn carry_out(&mut self) {
        while let Some(effect) = self.effects.pop() {
            let (now, effects, probe) = (self.now, &mut self.effects, &mut self.probe);
            match effect {
                Effect::At(event, at) => self.schedule(event, at),
                Effect::Never(event) => self.schedule(event, Tod::NEVER),
                Effect::Request(requester, volume) => self.channel.request((requester, volume), now, effects, probe),
                Effect::Done(requester) => self.guests.io_done(requester, now, effects, probe),
            }
        }
    }

    #[inline]
    fn schedule(&mut self, event: Event, at: Tod) {
        match (self.slots.slot(event), event) {
            (Some(slot), _) => self.calendar.set(slot, at),
            (None, Event::Resume(Requester(requester))) => self.agenda.add(at, requester),
            (None, Event::Transferred(_) | Event::PhaseOver(_) | Event::Arrival(_)) => {
                unreachable!("all but those who pass through have slots")
            }
        }
    }
}
