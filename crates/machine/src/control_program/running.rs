//! The actions of a control program's logical processor at the end of a stretch of time, and how it runs virtual
//! processors.

use super::caches::Coldness;
use super::finding::orders_by;
use super::processor::{Doing, Ends, ListOperation, Processor, Stretch};
use super::state::{ControlProgram, Out};
use super::virtual_processor::{Job, Left, VirtualState};
use crate::effect::Outbox;
use crate::event::Event;
use crate::ids::Requester;
use crate::plan::control_program::{CostsPlan, Yields};
use crate::signal::control_program::{Control, Spent, VirtualStanding};
use crate::signal::{Occupant, Probe, Signal, Standing};
use units::{Span, Tod};

/// A virtual processor has had the most that it gets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Limited;

/// How a virtual processor gets a logical one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Entry {
    /// It is dispatched: a path, a slice, and cold innermost caches.
    Dispatched,
    /// It was interrupted: cold innermost caches.
    Resumed,
    /// It never lost it.
    Stays,
}

impl ControlProgram {
    /// The stretch of a processor is over.
    #[inline]
    pub(super) fn over(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) {
        match self.processors[own].doing {
            Doing::Running(number) => self.run_over(own, number, out),
            doing @ (Doing::Waking(_) | Doing::Requeueing(_) | Doing::Looking | Doing::Parking | Doing::Unparking) => {
                self.path_over(own, out);
                self.settle(own, doing, out);
            }
            doing @ (Doing::Leaving(number) | Doing::Kicking(number)) => {
                self.service_over(own, number, out);
                self.settle(own, doing, out);
            }
            doing @ Doing::Diagnosing(number, _) => {
                let chargeable = self.service_over(own, number, out);
                self.virtuals[number].charged += chargeable;
                self.settle(own, doing, out);
            }
            doing @ Doing::Simulating(_) => {
                self.account(own, out);
                self.settle(own, doing, out);
            }
            Doing::AwaitingLock => self.lock_round_over(own, out),
            Doing::HoldingLock => {
                self.account(own, out);
                self.lock_held(own, out);
            }
            Doing::Idle | Doing::Parked | Doing::Served(_) | Doing::Yielding(_) => unreachable!("nothing is under way"),
        }
    }

    /// The control program's work on a processor takes effect, and the processor goes on.
    ///
    /// Always inlined: most transitions know the work, so that the match is decided when they are compiled.
    #[inline(always)]
    pub(super) fn settle(&mut self, own: usize, doing: Doing, out: &mut Out<impl Outbox, impl Probe>) {
        match doing {
            Doing::Waking(number) => self.woken(own, number, out),
            Doing::Requeueing(number) => self.requeued(own, number, out),
            Doing::Leaving(number) => self.left(own, number, out),
            Doing::Looking => self.looked(own, out),
            Doing::Parking | Doing::Unparking => self.next(own, out),
            Doing::Diagnosing(number, diagnose) => self.diagnosed(own, (number, diagnose), out),
            Doing::Simulating(number) => self.simulated(own, number, out),
            Doing::Kicking(number) => self.kicked(own, number, out),
            Doing::Running(_)
            | Doing::Idle
            | Doing::Parked
            | Doing::Served(_)
            | Doing::Yielding(_)
            | Doing::AwaitingLock
            | Doing::HoldingLock => {
                unreachable!("the control program has done something")
            }
        }
    }

    fn woken(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        self.processors[own].looked = false;
        self.requeued(own, number, out);
    }

    #[inline]
    fn requeued(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        self.add(number, out);
        self.next(own, out);
        self.offer(number, out);
    }

    fn left(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        match self.virtuals[number].job {
            Some(Job { left: Left::Halted(_), .. }) => self.stand(number, VirtualStanding::Halted, out),
            Some(_) => {
                self.stand(number, VirtualStanding::Waking, out);
                self.wake(number, out);
            }
            None => self.stand(number, VirtualStanding::Idle, out),
        }
        self.next(own, out);
    }

    fn looked(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) {
        self.processors[own].looked = true;
        self.next(own, out);
    }

    /// A run is over: the work is done, or the slice or what the limit allows.  It has not waited for the scheduler lock,
    /// and nothing was simulated at its end.
    fn run_over(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let (processor, state) = (&mut self.processors[own], &mut self.virtuals[number]);
        let Stretch { path, entry, guest, work, cold, spins, ends, .. } = processor.stretch;
        let (work, spinning) = match work {
            _ if spins => (Span::ZERO, guest),
            Some(work) => (work, Span::ZERO),
            None => (self.caches.work(cold, state.number, guest), Span::ZERO),
        };
        let (on, emulation) = (Some(state.number), entry + guest);
        let spent = Spent { on, emulation, system: path, work, spinning, ..Spent::default() };
        self.spent[0] += emulation + path;
        self.spent[1] += emulation;
        state.charged += emulation;
        state.charge(emulation);
        state.slice = later(state.slice, emulation);
        out.tell(Control::Spent(processor.logical, spent));
        if spins {
            state.round = later(state.round, guest);
        } else {
            self.caches.leave(state.number, cold, guest);
        }
        match ends {
            Ends::Work => {
                let job = state.job.take().expect("a running one has work");
                processor.doing = Doing::Served(number);
                self.served = number;
                out.effects.used(job.requester, processor.logical, state.charged);
            }
            Ends::Slice => {
                state.needs_less(&spent);
                let goes_on = processor.goes_on();
                self.slice_over(own, (number, goes_on), out);
            }
            Ends::Round => {
                self.virtuals[number].round = self.full_round(number);
                if self.spin(number).yields == Yields::PauseLoop {
                    return self.loop_exits(own, number, out);
                }
                self.round_over(own, number, out);
            }
        }
    }

    /// Accounts for a stretch of the control program that is over and on behalf of no virtual processor, and says so.
    #[inline(always)]
    fn path_over(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let Processor { logical, stretch: Stretch { spin, path, .. }, .. } = self.processors[own];
        let system = spin + path;
        self.spent[0] += system;
        out.tell(Control::Spent(logical, Spent { system, spin, ..Spent::default() }));
    }

    /// A virtual processor at the end of its slice goes on if its vector is empty and its logical one would look there
    /// next.  It goes back to the vector otherwise.
    #[inline(always)]
    fn slice_over(&mut self, own: usize, (number, goes_on): (usize, bool), out: &mut Out<impl Outbox, impl Probe>) {
        let vector = self.vector(own);
        if goes_on && self.vectors[vector].len() == 0 {
            self.vectors[vector].reach(self.virtuals[number].pass);
            return match self.may_run(number, out) {
                Ok(()) => self.run_on(own, number, out),
                Err(Limited) => self.next(own, out),
            };
        }
        if goes_on && self.plan.lock.hold.is_zero() {
            self.stays(number, own);
            return self.put_back_and_dispatch(own, (number, vector), out);
        }
        self.put_back(own, number, out);
    }

    /// Whether a processor is to be used, its vector is empty, and it has no interrupt to handle.
    fn is_alone(&self, own: usize) -> bool {
        self.processors[own].goes_on() && self.vectors[self.vector(own)].len() == 0
    }

    /// A virtual processor waits from now on, also while it is put on its vector.
    pub(super) fn put_back(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        // The virtual processor on a processor that is not to be used has another home.
        if self.processors[own].unparked {
            self.stays(number, own);
        }
        self.stand(number, VirtualStanding::Ready, out);
        let (path, simulate) = (Span::ZERO, Span::ZERO);
        let doing = Doing::Requeueing(number);
        self.operate(own, ListOperation { doing, exclusive: false, path, simulate }, out);
    }

    /// Putting one back takes no time, and one is dispatched in the same step: as many wait as before.
    #[inline]
    fn put_back_and_dispatch(
        &mut self,
        own: usize,
        (number, vector): (usize, usize),
        out: &mut Out<impl Outbox, impl Probe>,
    ) {
        let (queue, state) = (&mut self.vectors[vector], &mut self.virtuals[number]);
        state.standing = VirtualStanding::Ready;
        out.tell(Control::Stands(state.number, VirtualStanding::Ready));
        self.came += 1;
        let next = queue.add_and_take(number, orders_by(self.plan.order, state), self.came);
        state.in_vector = number != next;
        let taken = &mut self.virtuals[next];
        taken.in_vector = false;
        queue.reach(taken.pass);
        match self.may_run(next, out) {
            Ok(()) => self.give(own, (next, vector, None), out),
            Err(Limited) => {
                self.tell_depth(vector, out);
                self.next(own, out);
            }
        }
    }

    /// A requester's work is done: it goes on, or another one of its machine, or the virtual processor waits; returns
    /// the account and the cost.
    pub(super) fn after_served(
        &mut self,
        own: usize,
        out: &mut Out<impl Outbox, impl Probe>,
    ) -> Option<(Requester, Span)> {
        let Doing::Served(number) = self.processors[own].doing else { return None };
        if let Some(kicks) = self.begins_to_kick(own, number, out) {
            return Some((self.virtuals[number].requester, kicks));
        }
        if self.virtuals[number].job.is_none()
            && let Some(job) = self.next_job(number)
        {
            self.has_job(number, job);
        }
        if self.virtuals[number].job.is_some() {
            self.goes_on_with(own, number, out);
            return None;
        }
        let CostsPlan { wait, simulate, .. } = self.plan.costs;
        self.stays(number, own);
        let requester = self.virtuals[number].requester;
        let doing = Doing::Leaving(number);
        self.operate(own, ListOperation { doing, exclusive: true, path: wait, simulate }, out);
        (!simulate.is_zero()).then_some((requester, simulate))
    }

    /// A virtual processor has a new slice, as long as its limit allows; one that is at its limit waits until it may.
    #[inline(always)]
    pub(super) fn may_run(&mut self, number: usize, out: &mut Out<impl Outbox, impl Probe>) -> Result<(), Limited> {
        let slice = self.new_slice();
        self.has_slice(number, slice, out)
    }

    /// The same with this much of a slice.
    #[inline(always)]
    fn has_slice(&mut self, number: usize, slice: Span, out: &mut Out<impl Outbox, impl Probe>) -> Result<(), Limited> {
        let state = &mut self.virtuals[number];
        state.slice = slice;
        if state.limit.is_none() { Ok(()) } else { self.has_at_most(number, out) }
    }

    /// The same as long as the limit allows.
    #[inline(never)]
    fn has_at_most(&mut self, number: usize, out: &mut Out<impl Outbox, impl Probe>) -> Result<(), Limited> {
        let most = self.srm.slice;
        let state = &mut self.virtuals[number];
        let Some(limit) = &mut state.limit else { return Ok(()) };
        match limit.allows(most, out.now) {
            Ok(span) => {
                state.slice = state.slice.min(span);
                Ok(())
            }
            Err(from) => {
                out.effects.at(Event::Release(state.number), from);
                self.stand(number, VirtualStanding::Limited, out);
                Err(Limited)
            }
        }
    }

    #[inline]
    fn new_slice(&mut self) -> Span {
        if self.jitter == 0.0 {
            return self.srm.slice;
        }
        let stray = 1.0 + self.jitter * (2.0 * self.draw.unit() - 1.0);
        Span::from_units((self.srm.slice.units() as f64 * stray) as u64)
    }

    /// A virtual processor runs on a logical one, until its work is done or its slice is over; how cold its caches are.
    ///
    /// Always inlined: transitions know how it gets the logical one.
    #[inline(always)]
    fn run(&mut self, own: usize, number: usize, entry: Entry, out: &mut Out<impl Outbox, impl Probe>) -> Coldness {
        let CostsPlan { dispatch, simulate, entry: refill, .. } = self.plan.costs;
        let (path, refill) = match entry {
            Entry::Dispatched => (dispatch, refill),
            Entry::Resumed => (Span::ZERO, refill),
            Entry::Stays => (Span::ZERO, Span::ZERO),
        };
        if entry != Entry::Stays && self.virtuals[number].yields == Yields::PauseLoop {
            self.enters_loop(number, entry);
        }
        let (processor, state) = (&mut self.processors[own], &mut self.virtuals[number]);
        let cold = self.caches.enter(state.number, processor.core);
        // However cold it is, half of a slice is its own: else it might never get on.
        let most = later(state.slice, refill).max(Span::from_units(state.slice.units() / 2));
        let (needs, asked) = match state.job.expect("a running one has work").left {
            Left::Work(work) => (self.caches.elapsed(cold, state.number, work), Some(work)),
            // The wait at the end is charged too.
            Left::Charged(charged) => (later(later(charged, simulate), refill), None),
            Left::Simulated(simulate) => {
                let stretch = Stretch { path, entry: refill, simulate, ..Stretch::default() };
                self.intercept(own, number, stretch, out);
                return Coldness::WARM;
            }
            Left::Spin(_) => {
                self.run_spinning(own, number, (path, refill, most, cold), out);
                return cold;
            }
            Left::Halted(_) => unreachable!("a halted one is kicked before it runs"),
        };
        let (finishes, guest) = (needs <= most, needs.min(most));
        let work = asked.filter(|_| finishes);
        let ends = if finishes { Ends::Work } else { Ends::Slice };
        let stretch = Stretch { path, entry: refill, guest, work, cold, ends, ..Stretch::default() };
        self.idle -= usize::from(processor.doing == Doing::Idle);
        state.runs((number, own), (processor, stretch), out);
        cold
    }

    /// A virtual processor goes on without having lost its logical one.
    #[inline(never)]
    pub(super) fn run_on(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        self.run(own, number, Entry::Stays, out);
    }

    /// A virtual processor that was interrupted goes on.
    #[inline(never)]
    pub(super) fn resume(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        self.run(own, number, Entry::Resumed, out);
    }

    /// A virtual processor has a logical one from now on; how cold its caches are.
    #[inline(always)]
    pub(super) fn run_dispatched(
        &mut self,
        own: usize,
        number: usize,
        out: &mut Out<impl Outbox, impl Probe>,
    ) -> Coldness {
        self.run(own, number, Entry::Dispatched, out)
    }

    /// The control program simulates an instruction of a virtual processor, which has its processor meanwhile.  One that
    /// takes no time is simulated in an event of its own, after the dispatch.
    fn intercept(&mut self, own: usize, number: usize, stretch: Stretch, out: &mut Out<impl Outbox, impl Probe>) {
        self.virtuals[number].last = own;
        self.stand(number, VirtualStanding::Running, out);
        self.processors[own].looked = false;
        if !stretch.length().is_zero() {
            return self.begin(own, Doing::Simulating(number), stretch, out);
        }
        self.idle -= usize::from(self.processors[own].doing == Doing::Idle);
        let processor = &mut self.processors[own];
        let over = processor.begin(Doing::Simulating(number), stretch, out.now);
        out.effects.at(Event::Work(processor.logical), over);
    }

    /// It has: the virtual processor goes on if its vector is empty and its limit allows it, and goes back to the
    /// vector otherwise.
    fn simulated(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let state = &mut self.virtuals[number];
        out.tell(Control::Intercepted(state.number, self.processors[own].logical));
        let job = state.job.as_mut().expect("one that issues an instruction has work");
        job.left = Left::Work(Span::ZERO);
        if !self.is_alone(own) {
            return self.put_back(own, number, out);
        }
        // The simulated time counts for its limit and not for its slice, which goes on.
        let slice = self.virtuals[number].slice;
        match self.has_slice(number, slice, out) {
            Ok(()) => self.run_on(own, number, out),
            Err(Limited) => self.next(own, out),
        }
    }

    /// The same for one that spins: caches do not matter to its loop.
    fn run_spinning(
        &mut self,
        own: usize,
        number: usize,
        (path, entry, most, cold): (Span, Span, Span, Coldness),
        out: &mut Out<impl Outbox, impl Probe>,
    ) {
        let (guest, ends) = self.spin_stretch(number, most);
        let stretch = Stretch { path, entry, guest, cold, spins: true, ends, ..Stretch::default() };
        let processor = &mut self.processors[own];
        self.idle -= usize::from(processor.doing == Doing::Idle);
        self.virtuals[number].runs((number, own), (processor, stretch), out);
    }

    /// A virtual processor that was at its limit may go on.
    pub(super) fn released(&mut self, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        self.stand(number, VirtualStanding::Ready, out);
        self.add(number, out);
        self.offer(number, out);
    }

    /// Whether a run is over at this instant, though that has not been noticed.
    pub(super) fn is_over(&self, own: usize, now: Tod) -> bool {
        self.processors[own].is_over(now)
    }

    /// Accounts for a stretch of the control program for a virtual processor that is over, and says so; returns what
    /// is charged.
    #[inline(always)]
    fn service_over(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) -> Span {
        let Processor { logical, stretch: Stretch { spin, path, simulate: chargeable, .. }, .. } = self.processors[own];
        let state = &mut self.virtuals[number];
        let (on, system) = (Some(state.number), spin + path);
        self.spent[0] += chargeable + system;
        state.charge(chargeable);
        out.tell(Control::Spent(logical, Spent { on, chargeable, system, spin, ..Spent::default() }));
        chargeable
    }

    /// Stops a run where it is: says whose it was, with what it needs still.  The event at the end of its stretch is the
    /// caller's to move or to take away.
    pub(super) fn cut(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) -> usize {
        let Doing::Running(number) = self.processors[own].doing else { unreachable!("it runs somebody") };
        let spent = self.account_for(own, Some(number), out);
        let processor = &self.processors[own];
        let (stretch, over) = (&processor.stretch, processor.is_over(out.now));
        let (ends, spins) = (stretch.ends, stretch.spins);
        let state = &mut self.virtuals[number];
        state.slice = later(state.slice, spent.emulation);
        if spins {
            self.spun(number, spent.spinning);
            if !over && ends == Ends::Work {
                self.misses_its_try(own, number, out);
            }
            return number;
        }
        self.caches.leave(state.number, stretch.cold, processor.guest_ran(out.now));
        if over && ends == Ends::Work {
            state.job.as_mut().expect("a running one has work").left = Left::Work(Span::ZERO);
        } else {
            state.needs_less(&spent);
        }
        number
    }

    /// Accounts for what a stretch has been so far, and says so.
    pub(super) fn account(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) -> Spent {
        let processor = &self.processors[own];
        let (on, simulates) = (processor.on(), processor.is_simulating());
        let spent = self.account_for(own, on, out);
        if let Some(on) = on.filter(|_| simulates) {
            // The cost of simulating a wait is charged when that begins.
            self.virtuals[on].charged += spent.chargeable;
        }
        spent
    }

    /// The same for a stretch on behalf of this virtual processor, or of none.
    #[inline(always)]
    fn account_for(&mut self, own: usize, on: Option<usize>, out: &mut Out<impl Outbox, impl Probe>) -> Spent {
        let processor = &self.processors[own];
        let state = on.map(|on| &mut self.virtuals[on]);
        let spent = processor.spent(state.as_ref().map(|state| state.number), &self.caches, out.now);
        let charged = spent.emulation + spent.chargeable;
        self.spent[0] += charged + spent.system;
        self.spent[1] += spent.emulation;
        if let Some(state) = state {
            state.charged += spent.emulation;
            state.charge(charged);
        }
        out.tell(Control::Spent(processor.logical, spent));
        spent
    }
}

impl VirtualState {
    /// It runs, with this number and on the processor with the other.  A requester that needs no time is served all the
    /// same, in an event of its own: its program goes on then.
    #[inline(always)]
    fn runs(
        &mut self,
        (number, own): (usize, usize),
        (processor, stretch): (&mut Processor, Stretch),
        out: &mut Out<impl Outbox, impl Probe>,
    ) {
        (self.last, self.standing) = (own, VirtualStanding::Running);
        out.tell(Control::Stands(self.number, VirtualStanding::Running));
        processor.looked = false;
        let over = processor.begin(Doing::Running(number), stretch, out.now);
        if over > out.now {
            let occupant = Occupant::Virtual(self.number);
            out.probe.signal(out.now, Signal::Stands(processor.logical, Standing::Working, occupant));
        }
        out.effects.at(Event::Work(processor.logical), over);
    }

    /// It has run without finishing its work: the rest is not zero.
    #[inline]
    fn needs_less(&mut self, spent: &Spent) {
        let job = self.job.as_mut().expect("a running one has work");
        job.left = match job.left {
            Left::Work(work) => Left::Work(later(work, spent.work).max(Span::from_units(1))),
            Left::Charged(charged) => Left::Charged(later(charged, spent.emulation)),
            Left::Spin(lock) => Left::Spin(lock),
            Left::Halted(_) | Left::Simulated(_) => unreachable!("it runs instructions of its own"),
        };
    }

    #[inline]
    fn charge(&mut self, charged: Span) {
        self.total += charged;
        self.pass += charged.units() as f64 * self.stride;
        if let Some(limit) = &mut self.limit {
            limit.uses(charged);
        }
    }
}

/// The rest of a span after another; zero when that is longer.
fn later(span: Span, other: Span) -> Span {
    if span > other { span - other } else { Span::ZERO }
}
