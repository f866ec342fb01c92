//! What happens to the virtual processors of a control program: woken, given work, carried and dropped with their processors.

use super::processor::{Doing, ListOperation, Stretch};
use super::state::{ControlProgram, Out};
use super::virtual_processor::{Job, Left, VirtualState};
use crate::effect::{Outbox, Wanted};
use crate::event::Event;
use crate::ids::{Machine, Requester};
use crate::plan::control_program::Stealing;
use crate::signal::control_program::{Control, VirtualStanding};
use crate::signal::{Occupant, Probe, Signal, Standing};
use units::Span;

/// How well a virtual processor fits a requester that it has just served; no other fits as well.
const BEST: u32 = 4;

impl ControlProgram {
    /// A requester of a machine needs a virtual processor: its last one if it is free, else a free one, else it waits.
    pub(super) fn ready(
        &mut self,
        machine: Machine,
        (requester, left): (Requester, Left),
        out: &mut Out<impl Outbox, impl Probe>,
    ) {
        let number = self.own_machine(machine);
        let machine = &mut self.machines[number];
        let fits = |state: &VirtualState| match (state.job, state.has_finished(), state.requester == requester) {
            (Some(_), _, _) => 0,
            (None, true, true) => BEST,
            (None, false, true) => 3,
            (None, false, false) => 2,
            (None, true, false) => 1,
        };
        let mut best = (0, 0);
        let served = &self.virtuals[self.served];
        if served.machine == number && fits(served) == BEST {
            // A requester that needs more has just been served in most cases.
            best = (BEST, self.served);
        } else {
            for (number, state) in machine.virtuals.clone().zip(&self.virtuals[machine.virtuals.clone()]) {
                let fit = fits(state);
                if fit > best.0 {
                    best = (fit, number);
                }
            }
        }
        let job = Job { requester, left };
        if best.0 == 0 {
            return machine.ready.push_back(job);
        }
        self.has_job(best.1, job);
        if self.virtuals[best.1].standing == VirtualStanding::Idle {
            self.stand(best.1, VirtualStanding::Waking, out);
            self.wake(best.1, out);
        }
    }

    /// A virtual processor has work from now on.
    #[inline]
    pub(super) fn has_job(&mut self, number: usize, job: Job) {
        let state = &mut self.virtuals[number];
        (state.job, state.requester, state.charged) = (Some(job), job.requester, Span::ZERO);
        match job.left {
            Left::Work(_) | Left::Charged(_) | Left::Simulated(_) => state.spins = None,
            Left::Spin(lock) => self.has_to_spin(number, lock),
            Left::Halted(_) => unreachable!("it spins before it halts"),
        }
    }

    /// A virtual processor has something to do: its interrupt is handled where it ran last, or nearby.
    pub(super) fn wake(&mut self, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let handler = self.handler(self.virtuals[number].last);
        let processor = &self.processors[handler];
        match processor.doing {
            Doing::Idle if processor.carried => self.begin_waking(handler, number, out),
            // Work that takes no time need not interrupt.
            Doing::Running(_) if processor.carried && self.plan.wakes_for_nothing() => {
                self.add(number, out);
                self.offer(number, out);
            }
            Doing::Running(_) if processor.carried && !self.is_over(handler, out.now) => {
                let interrupted = self.cut(handler, out);
                self.processors[handler].suspended = Some(interrupted);
                self.stand(interrupted, VirtualStanding::Interrupted, out);
                self.begin_waking(handler, number, out);
            }
            Doing::Idle
            | Doing::Parked
            | Doing::Running(_)
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
                self.queue_wake(handler, number);
                self.call(handler, out);
            }
        }
    }

    /// The processor that handles the interrupts of this one: itself, or the nearest used and dispatched one, or a used
    /// one.
    fn handler(&self, last: usize) -> usize {
        if self.stealing == Stealing::Free && self.idle > 0 {
            let free = (0..self.processors.len()).filter(|other| self.processors[*other].is_free());
            if let Some(longest) = free.min_by_key(|other| (self.processors[*other].idle_since, *other)) {
                return longest;
            }
        }
        let own = &self.processors[last];
        if own.unparked && own.carried {
            return last;
        }
        let far = |other: &usize| {
            let processor = &self.processors[*other];
            (!processor.carried, self.distance(last, *other), *other)
        };
        let used = (0..self.processors.len()).filter(|other| self.processors[*other].unparked);
        used.min_by_key(far).expect("one processor at least is used")
    }

    fn queue_wake(&mut self, handler: usize, number: usize) {
        self.virtuals[number].wakes_next = None;
        let wakes = &mut self.processors[handler].wakes;
        *wakes = match *wakes {
            None => Some((number, number)),
            Some((first, last)) => {
                self.virtuals[last].wakes_next = Some(number);
                Some((first, number))
            }
        };
    }

    /// The next whose interrupt a processor has to handle.
    pub(super) fn next_wake(&mut self, own: usize) -> Option<usize> {
        let (first, last) = self.processors[own].wakes?;
        let next = self.virtuals[first].wakes_next;
        self.processors[own].wakes = next.map(|next| (next, last));
        Some(first)
    }

    #[inline]
    pub(super) fn begin_waking(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let path = self.plan.costs.wake;
        let doing = Doing::Waking(number);
        self.operate(own, ListOperation { doing, exclusive: true, path, simulate: Span::ZERO }, out);
    }

    /// A processor begins a stretch of its own; one that takes no time is over at once.
    ///
    /// Always inlined: most transitions know the work and which parts of the stretch take no time.
    #[inline(always)]
    pub(super) fn begin(&mut self, own: usize, doing: Doing, stretch: Stretch, out: &mut Out<impl Outbox, impl Probe>) {
        let processor = &mut self.processors[own];
        self.idle -= usize::from(processor.doing == Doing::Idle);
        if stretch.length().is_zero() {
            processor.doing = doing;
            return self.settle(own, doing, out);
        }
        let over = processor.begin(doing, stretch, out.now);
        let logical = processor.logical;
        // `get` cannot panic, so the compiler removes the look-up where the observer ignores the occupant.
        let occupant = match doing.on().and_then(|on| self.virtuals.get(on)) {
            Some(state) => Occupant::Virtual(state.number),
            None => Occupant::ControlProgram,
        };
        out.probe.signal(out.now, Signal::Stands(logical, Standing::Working, occupant));
        out.effects.at(Event::Work(logical), over);
    }

    /// A processor has nothing to do, or is not to be used.
    pub(super) fn rest(&mut self, own: usize, doing: Doing, out: &mut Out<impl Outbox, impl Probe>) {
        let processor = &mut self.processors[own];
        self.idle -= usize::from(processor.doing == Doing::Idle);
        self.idle += usize::from(doing == Doing::Idle);
        (processor.doing, processor.idle_since, processor.looked) = (doing, out.now, false);
        let logical = processor.logical;
        out.probe.signal(out.now, Signal::Stands(logical, Standing::Waiting, Occupant::Nobody));
        if self.tells {
            out.effects.waits(logical);
        }
    }

    /// The state of a virtual processor changes.
    #[inline]
    pub(super) fn stand(&mut self, number: usize, standing: VirtualStanding, out: &mut Out<impl Outbox, impl Probe>) {
        let state = &mut self.virtuals[number];
        state.standing = standing;
        if standing == VirtualStanding::Idle {
            state.idle_since = out.now;
        }
        out.tell(Control::Stands(state.number, standing));
    }

    /// The next requester of the machine of a virtual processor that waits for one.
    pub(super) fn next_job(&mut self, number: usize) -> Option<Job> {
        self.machines[self.virtuals[number].machine].ready.pop_front()
    }

    /// A physical processor carries one of its processors: it goes on with what it was doing.
    pub(super) fn carried(&mut self, own: usize, core: u32, out: &mut Out<impl Outbox, impl Probe>) {
        let processor = &mut self.processors[own];
        (processor.core, processor.called) = (core, false);
        let logical = processor.logical;
        if let Some(over) = processor.go_on(out.now) {
            out.probe.signal(out.now, Signal::Stands(logical, Standing::Working, Occupant::ControlProgram));
            out.effects.at(Event::Work(logical), over);
            if self.processors[own].doing == Doing::AwaitingLock {
                self.hand_over(out);
            }
            return;
        }
        // One that was idle counts as idle again.
        self.idle += usize::from(self.processors[own].doing == Doing::Idle);
        self.next(own, out);
    }

    /// No physical processor carries one of its processors any more: what it ran waits, and its own path stays where it is.
    pub(super) fn dropped(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) {
        if let Doing::Running(_) = self.processors[own].doing {
            let misses = self.processors[own].is_about_to_try(out.now);
            let interrupted = self.cut(own, out);
            if misses {
                self.misses_its_try(own, interrupted, out);
            }
            self.processors[own].suspended = Some(interrupted);
            self.processors[own].doing = Doing::Idle;
            self.stand(interrupted, VirtualStanding::Interrupted, out);
        } else {
            self.idle -= usize::from(self.processors[own].doing == Doing::Idle);
        }
        let processor = &mut self.processors[own];
        processor.stop(out.now);
        let (logical, busy) = (processor.logical, processor.is_busy());
        out.effects.never(Event::Work(logical));
        // Those behind it may have a lock for which it came first.
        if self.processors[own].doing == Doing::AwaitingLock {
            self.hand_over(out);
        }
        let works = busy || self.has_work(own);
        let standing = if works { Standing::Pending } else { Standing::Off };
        out.probe.signal(out.now, Signal::Stands(logical, standing, Occupant::Nobody));
        if works {
            self.call(own, out);
        }
    }

    /// Whether a processor would find something to do if it were carried.
    fn has_work(&self, own: usize) -> bool {
        let processor = &self.processors[own];
        let waiting = processor.unparked && self.vectors[self.vector(own)].len() > 0;
        let given = processor.suspended.is_some() || processor.directed.is_some();
        given || processor.wakes.is_some() || waiting
    }

    /// Says that a processor is wanted, if it is not carried.
    pub(super) fn call(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let processor = &mut self.processors[own];
        if self.tells && !processor.carried && !processor.called {
            processor.called = true;
            out.probe.signal(out.now, Signal::Stands(processor.logical, Standing::Pending, Occupant::Nobody));
            out.effects.wants(processor.logical, Wanted::Work);
        }
    }

    /// Whether a logical processor is carried and has nothing to do.
    pub(super) fn is_in_wait(&self, own: usize) -> bool {
        let processor = &self.processors[own];
        processor.carried && matches!(processor.doing, Doing::Idle | Doing::Parked) && !self.has_work(own)
    }
}
