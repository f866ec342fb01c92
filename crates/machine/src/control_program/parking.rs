//! The actions of a control program every two seconds or by command: park and unpark, place, change its settings.

use super::controller::{Observed, Standing};
use super::placement::{Placeable, Unparked};
use super::processor::Doing;
use super::state::{ControlProgram, Out};
use super::virtual_processor::VirtualState;
use crate::effect::Outbox;
use crate::event::Event;
use crate::plan::Polarization;
use crate::plan::control_program::Srm;
use crate::signal::Probe;
use crate::signal::control_program::{Control, Placed, VirtualStanding};
use units::{Span, Tod};

impl ControlProgram {
    /// When it decides first, and which processors are parked until then.
    pub(super) fn decides_first(&self, out: &mut Out<impl Outbox, impl Probe>) {
        for parked in self.processors.iter().filter(|processor| !processor.unparked) {
            out.tell(Control::Parked(parked.logical, true));
        }
        out.effects.at(Event::Control(self.partition), out.now + self.plan.controller.every);
    }

    /// Two seconds are over: in vertical mode it decides how many processors it uses, and places all anew.
    pub(super) fn decide(&mut self, out: &mut Out<impl Outbox, impl Probe>) {
        let every = self.plan.controller.every;
        let so_far = self.spent_so_far(out.now);
        let worth = |number: usize| (so_far[number] - self.seen[number]).seconds() / every.seconds();
        let observed = Observed { used: worth(0), guests: worth(1) };
        self.seen = so_far;
        if self.srm.polarization == Polarization::Vertical {
            let (entitled, others_leave) = self.entitled;
            let standing = Standing { entitled, others_leave, before: self.used as u32 };
            let decision = self.controller.decide(&self.srm, standing, observed);
            out.tell(Control::Decided(self.partition, decision));
            self.use_processors(decision.after as usize, out);
        }
        for state in &mut self.virtuals {
            state.seen = state.total;
        }
        out.effects.at(Event::Control(self.partition), out.now + every);
    }

    /// The time that its processors have spent up to an instant, and the part in which guests ran.
    fn spent_so_far(&self, now: Tod) -> [Span; 2] {
        let mut so_far = self.spent;
        for own in 0..self.processors.len() {
            let spent = self.under_way(own, now);
            so_far[0] += spent.emulation + spent.chargeable + spent.system;
            so_far[1] += spent.emulation;
        }
        so_far
    }

    /// From now on the first of its processors are used, this many, and all homes are among them.
    fn use_processors(&mut self, count: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let mut homeless = self.withdraw(out);
        for own in 0..self.processors.len() {
            let used = own < count;
            let processor = &mut self.processors[own];
            if processor.unparked == used {
                continue;
            }
            processor.unparked = used;
            self.used = if used { self.used + 1 } else { self.used - 1 };
            processor.changes = Some(if used { Doing::Unparking } else { Doing::Parking });
            out.tell(Control::Parked(self.processors[own].logical, !used));
            if !used {
                homeless.extend(self.give_up(own, out));
            }
        }
        self.place(out);
        self.add_all(homeless, out);
        for own in 0..self.processors.len() {
            if self.processors[own].changes.is_some() && !self.processors[own].is_busy() {
                self.next(own, out);
            }
            if self.processors[own].unparked && self.processors[own].changes.is_some() {
                self.call(own, out);
            }
        }
    }

    /// A processor that is not used any more gives up the one that it runs, or has interrupted.
    fn give_up(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) -> Option<usize> {
        let given_up = match self.processors[own].doing {
            Doing::Running(_) if !self.is_over(own, out.now) => {
                let number = self.cut(own, out);
                out.effects.never(Event::Work(self.processors[own].logical));
                self.processors[own].doing = Doing::Parked;
                Some(number)
            }
            Doing::Running(_) => None,
            Doing::Idle
            | Doing::Parked
            | Doing::Waking(_)
            | Doing::Served(_)
            | Doing::Leaving(_)
            | Doing::Requeueing(_)
            | Doing::Yielding(_)
            | Doing::Diagnosing(..)
            | Doing::Kicking(_)
            | Doing::Simulating(_)
            | Doing::AwaitingLock
            | Doing::HoldingLock
            | Doing::Looking
            | Doing::Parking
            | Doing::Unparking => {
                let processor = &mut self.processors[own];
                processor.suspended.take().or(processor.directed.take().map(|directed| directed.to))
            }
        };
        if let Some(number) = given_up {
            self.stand(number, VirtualStanding::Ready, out);
        }
        given_up
    }

    /// Takes all that wait out of the vectors.
    fn withdraw(&mut self, out: &mut Out<impl Outbox, impl Probe>) -> Vec<usize> {
        let mut withdrawn = Vec::new();
        for vector in 0..self.vectors.len() {
            if self.vectors[vector].len() > 0 {
                withdrawn.extend(self.vectors[vector].drain());
                self.tell_depth(vector, out);
            }
        }
        self.waiting = 0;
        // The earlier order stays.
        withdrawn.sort_unstable_by(|one, other| {
            let pass = |number: &usize| self.virtuals[*number].pass;
            pass(one).total_cmp(&pass(other)).then(one.cmp(other))
        });
        withdrawn
    }

    fn add_all(&mut self, numbers: Vec<usize>, out: &mut Out<impl Outbox, impl Probe>) {
        for number in &numbers {
            self.add(*number, out);
        }
        for number in numbers {
            self.offer(number, out);
        }
    }

    /// All homes, by the method.
    fn place(&mut self, out: &mut Out<impl Outbox, impl Probe>) {
        let every = self.plan.controller.every.seconds();
        let placeable = |state: &VirtualState| Placeable {
            machine: state.machine as u32,
            home: self.processors[state.home].logical,
            predicted: (state.total - state.seen).seconds() / every,
        };
        let who: Vec<Placeable> = self.virtuals.iter().map(placeable).collect();
        let used = self.processors.iter().filter(|processor| processor.unparked);
        let used: Vec<Unparked> =
            used.map(|processor| Unparked { logical: processor.logical, core: processor.core }).collect();
        let first = self.processors[0].logical.0;
        let one_list = self.has_one_list();
        let caches = &self.caches;
        let homes = self.placement.place(self.srm.method, &who, &used, |one, other| caches.distance(one, other));
        for (number, to) in homes.iter().enumerate() {
            let from = who[number].home;
            if *to != from {
                let (old, new) = ((from.0 - first) as usize, (to.0 - first) as usize);
                let state = &mut self.virtuals[number];
                state.home = new;
                if !one_list {
                    state.pass = self.vectors[new].at(self.vectors[old].ahead(state.pass));
                }
                out.tell(Control::Placed(state.number, Placed { from, to: *to }));
            }
        }
    }

    /// SET SRM sets something.
    pub(super) fn set(&mut self, srm: Srm, out: &mut Out<impl Outbox, impl Probe>) {
        out.tell(Control::Set(self.partition, srm));
        match srm {
            Srm::Method(method) => self.srm.method = method,
            Srm::CpuPad(pad) => self.srm.cpupad = pad,
            Srm::ExcessUse(excess_use) => self.srm.excess_use = excess_use,
            Srm::Unparking(unparking) => self.srm.unparking = unparking,
            Srm::Slice(slice) => self.srm.slice = slice,
            Srm::Polarization(polarization) if polarization == self.srm.polarization => {}
            Srm::Polarization(polarization) => self.polarize(polarization, out),
        }
    }

    /// Vectors and the list for all replace each other; no processor is parked before the next decision.
    fn polarize(&mut self, polarization: Polarization, out: &mut Out<impl Outbox, impl Probe>) {
        let waiting = self.withdraw(out);
        self.srm.polarization = polarization;
        self.stealing = self.plan.stealing(polarization);
        self.add_all(waiting, out);
        self.use_processors(self.processors.len(), out);
    }
}
