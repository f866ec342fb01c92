//! Pause-loop exiting: a virtual processor loops for a window, its processor intercepts that, and the control program
//! yields in its place.
//!
//! Sources: Intel SDM volume 3, PAUSE-loop exiting; Linux, virt/kvm/kvm_main.c, `kvm_vcpu_on_spin`, and
//! arch/x86/kvm/vmx/vmx.c, `handle_pause`.

use super::processor::Diagnose;
use super::running::Entry;
use super::state::{ControlProgram, Out};
use crate::effect::Outbox;
use crate::plan::control_program::LoopTarget;
use crate::signal::Probe;
use crate::signal::control_program::{Control, Diagnosed, VirtualStanding};
use units::Span;

impl ControlProgram {
    /// How long a virtual processor may loop.
    pub(super) fn window(&self, number: usize) -> Span {
        self.virtuals[number].window.unwrap_or(self.plan.pause_loop.window)
    }

    /// A virtual processor gets a logical one: its loop counts from there, and a dispatch shrinks its window
    /// (`vmx_sched_in`).
    pub(super) fn enters_loop(&mut self, number: usize, entry: Entry) {
        let window = self.window(number);
        let state = &mut self.virtuals[number];
        if entry == Entry::Dispatched {
            (state.window, state.left_loop) = (Some(self.plan.pause_loop.shrunk(window)), None);
        }
        state.round = state.window.unwrap_or(window);
    }

    /// A virtual processor has looped for its window, which grows.
    pub(super) fn loop_exits(&mut self, own: usize, number: usize, out: &mut Out<impl Outbox, impl Probe>) {
        let window = self.window(number);
        let state = &mut self.virtuals[number];
        out.tell(Control::LoopExit(state.number, self.processors[own].logical, window));
        let grown = self.plan.pause_loop.grown(window);
        (state.window, state.round) = (Some(grown), grown);
        self.diagnose(own, (number, Diagnose::Loop), out);
    }

    /// The outcome of an exit, with the virtual processor that runs in its place.
    pub(super) fn left_loop(&mut self, own: usize, number: usize) -> (Diagnosed, Option<usize>) {
        let alone = self.vectors[self.vector(own)].len() == 0 && self.processors[own].unparked;
        let (came_of_it, target) = match self.plan.pause_loop.target {
            LoopTarget::Next if alone => (Diagnosed::LoopGoesOn, None),
            LoopTarget::Next => (Diagnosed::LoopEnded, None),
            LoopTarget::Preempted => match self.preempted(number) {
                Some(target) => (Diagnosed::LoopYielded, Some(target)),
                None => (Diagnosed::LoopGoesOn, None),
            },
        };
        self.virtuals[number].left_loop = (came_of_it != Diagnosed::LoopGoesOn).then_some(false);
        (came_of_it, target)
    }

    /// Another virtual processor of the machine that waits for a processor, round robin after the last that was found.
    /// One that has left a loop itself is passed over every other time (`kvm_vcpu_eligible_for_directed_yield`).
    fn preempted(&mut self, number: usize) -> Option<usize> {
        let machine = self.virtuals[number].machine;
        let own = self.machines[machine].virtuals.clone();
        let after = self.machines[machine].boosted + 1;
        for other in (after..own.end).chain(own.start..after) {
            let state = &mut self.virtuals[other];
            if other == number || state.standing != VirtualStanding::Ready || !state.in_vector {
                continue;
            }
            let passed_over = state.left_loop == Some(false);
            state.left_loop = state.left_loop.map(|may_run| !may_run);
            if !passed_over {
                self.machines[machine].boosted = other;
                return Some(other);
            }
        }
        None
    }
}
