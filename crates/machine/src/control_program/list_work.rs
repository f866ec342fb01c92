//! List operations: what the control program does under the scheduler lock, and what it does once it has given it back.
//!
//! Where a processor is always carried, all of it is one stretch: how long it spins is known when it comes.  Where
//! PR/SM may take it away, the lock is one with a queue: a holder that is not carried holds the others up, and they may
//! yield.

use super::processor::{Doing, ListOperation, QueuedOperation, Stretch};
use super::scheduler_lock::{Lock, QueuedLock};
use super::state::{ControlProgram, Out};
use crate::effect::Outbox;
use crate::plan::control_program::Yields;
use crate::signal::Probe;
use crate::signal::control_program::{Control, Diagnosed, ListWork};
use units::Span;

impl ControlProgram {
    /// A processor begins a list operation.
    #[inline(always)]
    pub(super) fn operate(&mut self, own: usize, operation: ListOperation, out: &mut Out<impl Outbox, impl Probe>) {
        let ListOperation { doing, exclusive, path, simulate } = operation;
        if self.plan.lock.hold.is_zero() {
            return self.begin(own, doing, Stretch { path, simulate, ..Stretch::default() }, out);
        }
        match &mut self.lock {
            Lock::Foreseen(lock) => {
                let work = lock.take(exclusive, out.now);
                out.tell(Control::Lock(self.processors[own].logical, work));
                let stretch = Stretch { spin: work.spin, path: work.hold + path, simulate, ..Stretch::default() };
                self.begin(own, doing, stretch, out);
            }
            Lock::Queued(_) => self.come_for_lock(own, operation, out),
        }
    }

    /// A processor comes for the lock with a queue.
    #[inline(never)]
    fn come_for_lock(&mut self, own: usize, operation: ListOperation, out: &mut Out<impl Outbox, impl Probe>) {
        let hold = self.queue().come(own, operation.exclusive);
        self.processors[own].list = Some(QueuedOperation { operation, hold, spun: Span::ZERO });
        if self.next_holder() == Some(own) { self.hold(own, out) } else { self.spin_for_lock(own, out) }
    }

    fn spin_for_lock(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let spin = match self.plan.spin.yields {
            Yields::Never => ENDLESS,
            Yields::X44 | Yields::X9C | Yields::SenseRunning => self.plan.spin.round(),
            Yields::Halt | Yields::PauseLoop => unreachable!("{NOT_ITS_OWN}"),
        };
        self.begin(own, Doing::AwaitingLock, Stretch { spin, ..Stretch::default() }, out);
    }

    /// A processor has the lock, carried or not.
    fn hold(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let processor = &self.processors[own];
        let QueuedOperation { operation, hold, spun } = processor.list.expect("a holder of the lock came for it");
        let work = ListWork { exclusive: self.plan.lock.is_exclusive(operation.exclusive), spin: spun, hold };
        out.tell(Control::Lock(processor.logical, work));
        let stretch = Stretch { path: hold, ..Stretch::default() };
        if processor.carried {
            return self.begin(own, Doing::HoldingLock, stretch, out);
        }
        self.processors[own].begin(Doing::HoldingLock, stretch, out.now);
    }

    /// A processor releases the lock, and goes on with its operation; the next one has it.
    pub(super) fn lock_held(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let queued = self.processors[own].list.take().expect("a holder of the lock came for it");
        self.queue().give(own);
        self.hand_over(out);
        let ListOperation { doing, path, simulate, .. } = queued.operation;
        self.begin(own, doing, Stretch { path, simulate, ..Stretch::default() }, out);
    }

    /// Those that may have the lock have it.
    pub(super) fn hand_over(&mut self, out: &mut Out<impl Outbox, impl Probe>) {
        while let Some(next) = self.next_holder() {
            self.has_spun(next, out);
            self.hold(next, out);
        }
    }

    /// The processor that has the lock from now on, if it is free for one that waits.
    fn next_holder(&mut self) -> Option<usize> {
        let processors = &self.processors;
        match &mut self.lock {
            Lock::Queued(lock) => lock.next(|own| processors[own].carried),
            Lock::Foreseen(_) => None,
        }
    }

    fn has_spun(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let spent = self.account(own, out);
        if let Some(queued) = &mut self.processors[own].list {
            queued.spun += spent.spin;
        }
    }

    fn queue(&mut self) -> &mut QueuedLock {
        match &mut self.lock {
            Lock::Queued(lock) => lock,
            Lock::Foreseen(_) => unreachable!("a processor that has to wait for it waits in its queue"),
        }
    }

    /// A processor that spins for the lock has come to where it yields to PR/SM; it goes on when it is carried.
    pub(super) fn lock_round_over(&mut self, own: usize, out: &mut Out<impl Outbox, impl Probe>) {
        self.has_spun(own, out);
        let logical = self.processors[own].logical;
        self.spin_for_lock(own, out);
        let holder = self.queue().holder();
        let holder = &self.processors[holder];
        let (target, carried) = (holder.logical, holder.carried);
        let came_of_it = match self.plan.spin.yields {
            Yields::SenseRunning if carried => Diagnosed::Sensed,
            Yields::X9C if carried => Diagnosed::Dispatched,
            Yields::X9C | Yields::SenseRunning => {
                out.effects.gives_way(logical, Some(target));
                Diagnosed::Yielded
            }
            Yields::X44 => {
                out.effects.gives_way(logical, None);
                Diagnosed::X44
            }
            Yields::Never => unreachable!("there are no rounds"),
            Yields::Halt | Yields::PauseLoop => unreachable!("{NOT_ITS_OWN}"),
        };
        out.tell(Control::LockYield(logical, came_of_it));
    }
}

const NOT_ITS_OWN: &str = "a control program yields to PR/SM by DIAGNOSE alone";

/// A processor that never yields spins until it has the lock.
const ENDLESS: Span = Span::from_units(1 << 60);
