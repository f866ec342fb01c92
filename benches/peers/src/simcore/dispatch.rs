//! The dispatch model.

use crate::load::dispatch::{BURST_S, LOGICAL, QUANTUM_S, THINK_S, VIRTUAL};
use crate::load::{Length, Outcome};
use rand_distr::Exp;
use serde::Serialize;
use simcore::{Event, EventHandler, Simulation, SimulationContext, cast};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

#[derive(Clone, Serialize)]
struct ThinkOver {
    own: usize,
}

#[derive(Clone, Serialize)]
struct StretchOver {
    own: usize,
}

struct Model {
    context: SimulationContext,
    think: Exp<f64>,
    burst: Exp<f64>,
    /// The rest of each burst after the present stretch.
    left: [f64; VIRTUAL],
    ready: VecDeque<usize>,
    free: usize,
    begin: f64,
    dispatches: u64,
    bursts: u64,
}

impl Model {
    fn thinks(&self, own: usize) {
        let think = self.context.sample_from_distribution(&self.think);
        self.context.emit_self(ThinkOver { own }, think);
    }

    fn dispatch(&mut self, own: usize) {
        self.dispatches += u64::from(self.context.time() >= self.begin);
        let stretch = self.left[own].min(QUANTUM_S);
        self.left[own] -= stretch;
        self.context.emit_self(StretchOver { own }, stretch);
    }

    fn think_over(&mut self, own: usize) {
        self.left[own] = self.context.sample_from_distribution(&self.burst);
        if self.free > 0 {
            self.free -= 1;
            self.dispatch(own);
        } else {
            self.ready.push_back(own);
        }
    }

    fn stretch_over(&mut self, own: usize) {
        if self.left[own] > 0.0 {
            self.ready.push_back(own);
        } else {
            self.bursts += u64::from(self.context.time() >= self.begin);
            self.thinks(own);
        }
        match self.ready.pop_front() {
            Some(next) => self.dispatch(next),
            None => self.free += 1,
        }
    }
}

impl EventHandler for Model {
    fn on(&mut self, event: Event) {
        cast!(match event.data {
            ThinkOver { own } => {
                self.think_over(own);
            }
            StretchOver { own } => {
                self.stretch_over(own);
            }
        })
    }
}

/// Simulates it.
pub fn simulate(seed: u64, length: Length) -> Outcome {
    let mut simulation = Simulation::new(seed);
    let context = simulation.create_context("model");
    let exponential = |mean_s: f64| Exp::new(1.0 / mean_s).expect("a mean is positive");
    let model = Rc::new(RefCell::new(Model {
        context,
        think: exponential(THINK_S),
        burst: exponential(BURST_S),
        left: [0.0; VIRTUAL],
        ready: VecDeque::new(),
        free: LOGICAL,
        begin: length.warm_up_s,
        dispatches: 0,
        bursts: 0,
    }));
    simulation.add_handler("model", model.clone());
    (0..VIRTUAL).for_each(|own| model.borrow().thinks(own));
    simulation.step_until_time(length.warm_up_s + length.measured_s);
    let model = model.borrow();
    let per_s = |count: u64| count as f64 / length.measured_s;
    Outcome { operations_per_s: per_s(model.dispatches), cycles_per_s: per_s(model.bursts) }
}
