//! Virtual processors that halt at the end of a round, and those that kick them when they release the lock.
//!
//! A halt is an enabled wait, simulated as any other.  The guest keeps the virtual processor: only the kick wakes it.

use super::processor::{Doing, ListOperation, Stretch};
use super::state::{ControlProgram, Out};
use super::virtual_processor::Left;
use crate::effect::Outbox;
use crate::ids::{Machine, Requester, SpinLock};
use crate::plan::control_program::CostsPlan;
use crate::signal::Probe;
use crate::signal::control_program::{Diagnosed, VirtualStanding};
use units::Span;

/// A spin lock that a requester has released while others wait for it.
#[derive(Clone, Copy, Debug)]
pub struct Release {
    /// The machine whose lock it is.
    pub machine: Machine,
    /// Its last holder.
    pub releaser: Requester,
    /// The lock.
    pub lock: SpinLock,
    /// The next in turn, if it has turns.
    pub next: Option<Requester>,
}

impl ControlProgram {
    /// A virtual processor that spins halts until it is kicked.
    ///
    /// Source: Linux 3.12, arch/x86/kernel/kvm.c, `kvm_lock_spinning`: it halts if the lock is not free by then.
    pub(super) fn halt(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let CostsPlan { wait, simulate, .. } = self.plan.costs;
        self.tell_diagnosed(own, (number, Diagnosed::Halted), out);
        let state = &mut self.virtuals[number];
        let job = state.job.as_mut().expect("one that spins has something to do");
        let Left::Spin(lock) = job.left else { unreachable!("it spins") };
        job.left = Left::Halted(lock);
        // The cost of simulating a wait is charged when that begins.
        state.charged += simulate;
        self.stays(number, own);
        let doing = Doing::Leaving(number);
        self.operate(own, ListOperation { doing, exclusive: true, path: wait, simulate }, out);
    }

    /// The virtual processor of a requester kicks a halted one before it does anything else.
    pub(super) fn has_to_kick(&mut self, machine: usize, releaser: Requester, halted: usize) {
        let mut virtuals = self.machines[machine].virtuals.clone();
        let releases = |number: &usize| self.processors[self.virtuals[*number].last].doing == Doing::Served(*number);
        let own = virtuals.find(|number| self.virtuals[*number].works_for(Some(releaser)) && releases(number));
        let own = own.expect("a requester that releases a lock has a virtual processor");
        self.virtuals[halted].kicked_next = None;
        let Some(mut last) = self.virtuals[own].kicks else {
            self.virtuals[own].kicks = Some(halted);
            return;
        };
        while let Some(next) = self.virtuals[last].kicked_next {
            last = next;
        }
        self.virtuals[last].kicked_next = Some(halted);
    }

    /// A virtual processor kicks the halted ones whose locks it has released, if any; returns the time of its calls.
    pub(super) fn begins_to_kick(
        &mut self,
        own: usize,
        number: usize,
        out: &mut Out<impl Outbox, impl Probe>,
    ) -> Option<Span> {
        let first = self.virtuals[number].kicks?;
        let kicks = std::iter::successors(Some(first), |kicked| self.virtuals[*kicked].kicked_next).count();
        let simulate = self.plan.costs.kick * kicks as u64;
        self.begin(own, Doing::Kicking(number), Stretch { simulate, ..Stretch::default() }, out);
        Some(simulate)
    }

    /// The calls are done: those that were kicked wake, and the caller goes on.
    ///
    /// Source: Linux 3.12, arch/x86/kernel/kvm.c, `kvm_unlock_kick`, after the lock is free.
    pub(super) fn kicked(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        self.processors[own].doing = Doing::Served(number);
        out.effects.find_work(self.processors[own].logical);
        let mut next = self.virtuals[number].kicks.take();
        while let Some(halted) = next {
            self.tell_diagnosed(own, (number, Diagnosed::Kicked), out);
            next = self.virtuals[halted].kicked_next.take();
            let state = &mut self.virtuals[halted];
            let job = state.job.as_mut().expect("a halted one waits for a lock");
            let Left::Halted(lock) = job.left else { unreachable!("it has halted") };
            (job.left, state.may_try) = (Left::Spin(lock), true);
            // One that is about to halt finds at the end of that that it was kicked.
            if state.standing == VirtualStanding::Halted {
                self.stand(halted, VirtualStanding::Waking, out);
                self.wake(halted, out);
            }
        }
    }
}
