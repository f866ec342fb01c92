//! Virtual processors that spin for a lock of their operating system, and how they tell the control program.
//!
//! A round of tries is one stretch: nothing happens between them.  When a lock is free again, the stretch of the guest
//! that tries first ends there.  Guests that do not run then try as soon as they do.

use super::halting::Release;
use super::processor::{Diagnose, Directed, Doing, Ends, Stretch};
use super::running::Limited;
use super::state::{ControlProgram, Out};
use super::virtual_processor::{Job, Left, MachineState};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::{Requester, SpinLock};
use crate::plan::control_program::{CostsPlan, SpinPlan, Yields};
use crate::signal::Probe;
use crate::signal::control_program::{Control, Diagnosed, VirtualStanding};
use units::{Span, Tod};

impl ControlProgram {
    pub(super) fn spin(&self, number: usize) -> SpinPlan {
        self.machines[self.virtuals[number].machine].spin
    }

    /// A virtual processor spins for a lock from now on, or goes on doing so after a try that has failed.
    pub(super) fn has_to_spin(&mut self, number: usize, lock: SpinLock) {
        let round = self.full_round(number);
        let state = &mut self.virtuals[number];
        if state.spins != Some(lock) {
            (state.spins, state.round, state.may_try) = (Some(lock), round, false);
        }
    }

    /// How long a virtual processor spins until it has its next try or yields, and which it is; cut to what it may run.
    pub(super) fn spin_stretch(&mut self, number: usize, most: Span) -> (Span, Ends) {
        let (SpinPlan { one_try, .. }, ends) = (self.spin(number), self.has_rounds(number));
        let state = &mut self.virtuals[number];
        if state.may_try && one_try <= most {
            state.may_try = false;
            return (one_try, Ends::Work);
        }
        if !ends || state.round > most { (most, Ends::Slice) } else { (state.round, Ends::Round) }
    }

    /// A virtual processor has spun so long; when nothing of the round is left, it yields before it tries again.
    pub(super) fn spun(&mut self, number: usize, spinning: Span) {
        let state = &mut self.virtuals[number];
        state.round = if state.round > spinning { state.round - spinning } else { Span::ZERO };
    }

    /// How long a round is: that of its operating system, or the window after which its loop is intercepted.
    pub(super) fn full_round(&self, number: usize) -> Span {
        let spin = self.spin(number);
        match spin.yields {
            Yields::PauseLoop => self.window(number),
            Yields::Never | Yields::X44 | Yields::X9C | Yields::SenseRunning | Yields::Halt => {
                spin.round() + self.senses(&spin)
            }
        }
    }

    /// Whether rounds end.
    fn has_rounds(&self, number: usize) -> bool {
        let spin = self.spin(number);
        match spin.yields {
            Yields::Never => false,
            Yields::PauseLoop => spin.one_try <= self.plan.pause_loop.gap,
            Yields::X44 | Yields::X9C | Yields::SenseRunning | Yields::Halt => true,
        }
    }

    /// How long it asks SIGP Sense Running Status at the end of a round, if it does; it does not try meanwhile.
    fn senses(&self, spin: &SpinPlan) -> Span {
        match spin.yields {
            Yields::SenseRunning => self.plan.costs.sense,
            Yields::Never | Yields::X44 | Yields::X9C | Yields::Halt | Yields::PauseLoop => Span::ZERO,
        }
    }

    /// A lock of a machine is free for those that spin for it. In a lock with turns it is free for the next, which is
    /// kicked if it has halted.
    pub(super) fn freed(&mut self, release: Release, out: &mut Out<impl Outbox, impl Probe>) {
        let Release { machine, releaser, lock, next } = release;
        let machine = self.own_machine(machine);
        let halted = next.and_then(|requester| {
            let job = Some(Job { requester, left: Left::Halted(lock) });
            self.machines[machine].virtuals.clone().find(|number| self.virtuals[*number].job == job)
        });
        match halted {
            Some(halted) => self.has_to_kick(machine, releaser, halted),
            None => self.first_to_try(machine, (lock, next), out),
        }
    }

    /// The stretch of the running guest that tries first ends there; the others try when they run.
    fn first_to_try(
        &mut self,
        machine: usize,
        (lock, next): (SpinLock, Option<Requester>),
        out: &mut Out<impl Outbox, impl Probe>,
    ) {
        // At one instant the lower processor's event comes first.
        let mut first: Option<(Tod, usize)> = None;
        let MachineState { virtuals, spin, .. } = &self.machines[machine];
        let tries = (spin.one_try, self.senses(spin));
        for (number, state) in virtuals.clone().zip(&mut self.virtuals[virtuals.clone()]) {
            let Some(Job { requester, left: Left::Spin(own) }) = state.job else { continue };
            if own != lock || next.is_some_and(|next| next != requester) {
                continue;
            }
            match self.processors[state.last].next_try(number, tries, out.now) {
                Some(at) => {
                    let own = (at, state.last);
                    first = Some(first.map_or(own, |first| first.min(own)));
                }
                None => state.may_try = true,
            }
        }
        let Some((at, own)) = first else { return };
        let processor = &mut self.processors[own];
        processor.end_sooner(at);
        out.effects.at(Event::Work(processor.logical), at);
    }

    /// A virtual processor that was to try next loses its processor before: another may be first.
    pub(super) fn misses_its_try(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let Some(Job { left: Left::Spin(lock), .. }) = self.virtuals[number].job else { return };
        self.processors[own].doing = Doing::Idle;
        self.first_to_try(self.virtuals[number].machine, (lock, None), out);
        self.processors[own].doing = Doing::Running(number);
    }

    /// A round is over: the virtual processor yields.
    pub(super) fn round_over(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let logical = self.processors[own].logical;
        // The last try of the round may find it free.
        if self.virtuals[number].may_try {
            if self.spin(number).yields == Yields::SenseRunning {
                self.tell_diagnosed(own, (number, Diagnosed::Sensed), out);
            }
            return self.goes_on_with(own, number, out);
        }
        match self.spin(number).yields {
            Yields::X44 => {
                let alone = self.vectors[self.vector(own)].len() == 0 && self.processors[own].unparked;
                let diagnose = if alone { Diagnose::Fast44 } else { Diagnose::X44 };
                self.diagnose(own, (number, diagnose), out);
            }
            Yields::X9C | Yields::SenseRunning => {
                let job = self.virtuals[number].job.expect("one that spins has something to do");
                self.processors[own].doing = Doing::Yielding(number);
                out.effects.yields(job.requester, logical);
            }
            Yields::Halt => self.halt(own, number, out),
            Yields::Never | Yields::PauseLoop => unreachable!("it has no rounds of its own"),
        }
    }

    /// The target of a virtual processor's yield is known.
    pub(super) fn yields(&mut self, own: usize, named: Option<Requester>, out: &mut Out<impl Outbox, impl Probe>) {
        let Doing::Yielding(number) = self.processors[own].doing else { unreachable!("it yields") };
        let virtuals = self.machines[self.virtuals[number].machine].virtuals.clone();
        let runs = |other: &usize| *other != number && self.virtuals[*other].works_for(named);
        let target = virtuals.into_iter().find(runs);
        let sensed = |target: usize| self.virtuals[target].standing == VirtualStanding::Running;
        if self.spin(number).yields == Yields::SenseRunning && target.is_none_or(sensed) {
            self.tell_diagnosed(own, (number, Diagnosed::Sensed), out);
            return self.goes_on_with(own, number, out);
        }
        self.diagnose(own, (number, Diagnose::X9C(target)), out);
    }

    pub(super) fn diagnose(
        &mut self,
        own: usize,
        (number, diagnose): (usize, Diagnose),
        out: &mut Out<impl Outbox, impl Probe>,
    ) {
        let CostsPlan { fast_x44, x44, x9c, .. } = self.plan.costs;
        let simulate = match diagnose {
            Diagnose::Fast44 => fast_x44,
            Diagnose::X44 => x44,
            Diagnose::X9C(_) => x9c,
            Diagnose::Loop => self.plan.pause_loop.exit,
        };
        self.begin(own, Doing::Diagnosing(number, diagnose), Stretch { simulate, ..Stretch::default() }, out);
    }

    /// The control program has simulated a DIAGNOSE.
    pub(super) fn diagnosed(
        &mut self,
        own: usize,
        (number, diagnose): (usize, Diagnose),
        out: &mut Out<impl Outbox, impl Probe>,
    ) {
        let (came_of_it, target) = match diagnose {
            Diagnose::Fast44 => (Diagnosed::Fast44, None),
            Diagnose::X44 => (Diagnosed::X44, None),
            Diagnose::X9C(target) => (target.map_or(Diagnosed::InWait, |target| self.outcome(target, out.now)), target),
            Diagnose::Loop => self.left_loop(own, number),
        };
        self.tell_diagnosed(own, (number, came_of_it), out);
        match (came_of_it, target) {
            (Diagnosed::X44 | Diagnosed::LoopEnded, _) => self.ends_its_slice(own, number, out),
            (Diagnosed::Yielded | Diagnosed::LoopYielded, Some(target)) => {
                let from = self.vector(self.virtuals[target].home);
                self.vectors[from].remove(target);
                self.waiting -= 1;
                self.virtuals[target].in_vector = false;
                self.tell_depth(from, out);
                self.processors[own].directed = Some(Directed { to: target, from });
                self.ends_its_slice(own, number, out);
            }
            (
                Diagnosed::Fast44
                | Diagnosed::Yielded
                | Diagnosed::LoopYielded
                | Diagnosed::LoopGoesOn
                | Diagnosed::NotReady
                | Diagnosed::InWait
                | Diagnosed::InSoftWait
                | Diagnosed::Dispatched
                | Diagnosed::Sensed
                | Diagnosed::Halted
                | Diagnosed::Kicked,
                _,
            ) => self.goes_on_with(own, number, out),
        }
    }

    /// The outcome of a DIAGNOSE X'9C', by the state of its target.
    fn outcome(&self, target: usize, now: Tod) -> Diagnosed {
        let state = &self.virtuals[target];
        match state.standing {
            VirtualStanding::Ready if state.in_vector => Diagnosed::Yielded,
            // It is being put on its vector, or is about to be dispatched.
            VirtualStanding::Ready | VirtualStanding::Waking | VirtualStanding::Limited => Diagnosed::NotReady,
            VirtualStanding::Running | VirtualStanding::Interrupted => Diagnosed::Dispatched,
            VirtualStanding::Halted => Diagnosed::InWait,
            VirtualStanding::Idle if now.since(state.idle_since) < self.plan.soft_wait => Diagnosed::InSoftWait,
            VirtualStanding::Idle => Diagnosed::InWait,
        }
    }

    pub(super) fn tell_diagnosed(
        &self,
        own: usize,
        (number, what): (usize, Diagnosed),
        out: &mut Out<impl Outbox, impl Probe>,
    ) {
        out.tell(Control::Diagnosed(self.virtuals[number].number, self.processors[own].logical, what));
    }

    /// A virtual processor that has work goes on, after the interrupts that came meanwhile.
    pub(super) fn goes_on_with(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        if !self.processors[own].unparked {
            return self.put_back(own, number, out);
        }
        if self.processors[own].wakes.is_some() {
            self.processors[own].suspended = Some(number);
            self.stand(number, VirtualStanding::Interrupted, out);
            return self.next(own, out);
        }
        self.run_on(own, number, out);
    }

    /// A virtual processor goes to the tail of the vector of its logical one.
    fn ends_its_slice(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        self.virtuals[number].to_tail = true;
        self.put_back(own, number, out);
    }

    /// The target of a directed yield is dispatched.
    pub(super) fn dispatch_directed(&mut self, own: usize, directed: Directed, out: &mut Out<impl Outbox, impl Probe>) {
        let Directed { to, from } = directed;
        if !self.processors[own].unparked {
            self.add(to, out);
            self.offer(to, out);
            return self.next(own, out);
        }
        if self.vector(own) != from {
            self.join(to, (from, own));
        }
        match self.may_run(to, out) {
            Ok(()) => self.give(own, (to, from, None), out),
            Err(Limited) => self.next(own, out),
        }
    }
}
