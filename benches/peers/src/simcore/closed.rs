//! The closed model.

use crate::load::closed::{ALIASES, GUESTS, SERVICE_S, THINK_S, VOLUMES};
use crate::load::{Length, Outcome};
use rand_distr::Exp;
use serde::Serialize;
use simcore::{Event, EventHandler, Simulation, SimulationContext, cast};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

#[derive(Clone, Serialize)]
struct ThinkOver {
    guest: usize,
}

#[derive(Clone, Serialize)]
struct ServiceOver {
    guest: usize,
    alias: bool,
}

struct Model {
    context: SimulationContext,
    think: Exp<f64>,
    service: Exp<f64>,
    base_free: [bool; VOLUMES],
    aliases: usize,
    /// Waiting guests with the number of their coming.
    at_volume: [VecDeque<(u64, usize)>; VOLUMES],
    came: u64,
    begin: f64,
    ios: u64,
}

impl Model {
    fn thinks(&self, guest: usize) {
        let think = self.context.sample_from_distribution(&self.think);
        self.context.emit_self(ThinkOver { guest }, think);
    }

    fn is_served(&self, guest: usize, alias: bool) {
        let service = self.context.sample_from_distribution(&self.service);
        self.context.emit_self(ServiceOver { guest, alias }, service);
    }

    fn think_over(&mut self, guest: usize) {
        let volume = guest % VOLUMES;
        if self.base_free[volume] {
            self.base_free[volume] = false;
            self.is_served(guest, false);
        } else if self.aliases > 0 {
            self.aliases -= 1;
            self.is_served(guest, true);
        } else {
            self.came += 1;
            self.at_volume[volume].push_back((self.came, guest));
        }
    }

    fn service_over(&mut self, guest: usize, alias: bool) {
        self.ios += u64::from(self.context.time() >= self.begin);
        let volume = guest % VOLUMES;
        let longest = |volume: &usize| self.at_volume[*volume].front().map_or(u64::MAX, |(came, _)| *came);
        let from = if alias { (0..VOLUMES).min_by_key(longest).unwrap_or(volume) } else { volume };
        match self.at_volume[from].pop_front() {
            Some((_, next)) => self.is_served(next, alias),
            None if alias => self.aliases += 1,
            None => self.base_free[volume] = true,
        }
        self.thinks(guest);
    }
}

impl EventHandler for Model {
    fn on(&mut self, event: Event) {
        cast!(match event.data {
            ThinkOver { guest } => {
                self.think_over(guest);
            }
            ServiceOver { guest, alias } => {
                self.service_over(guest, alias);
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
        service: exponential(SERVICE_S),
        base_free: [true; VOLUMES],
        aliases: ALIASES,
        at_volume: std::array::from_fn(|_| VecDeque::new()),
        came: 0,
        begin: length.warm_up_s,
        ios: 0,
    }));
    simulation.add_handler("model", model.clone());
    (0..GUESTS).for_each(|guest| model.borrow().thinks(guest));
    simulation.step_until_time(length.warm_up_s + length.measured_s);
    let rate = model.borrow().ios as f64 / length.measured_s;
    Outcome { operations_per_s: rate, cycles_per_s: rate }
}
