//! The Markov chain of terminals whose transactions hold a region while they compute on one processor and do an I/O to one
//! volume: every state and rate written down, solved for its equilibrium, and held to cases that are known.
//!
//! Times are in ms, exponential.

use super::closed_forms::{mva, repairman};

/// Terminals, regions, and the means of what a transaction does, in this order.
#[derive(Clone, Copy, Debug)]
pub struct Regions {
    pub terminals: usize,
    pub regions: usize,
    pub think: f64,
    pub compute: f64,
    pub io: f64,
}

/// Means in equilibrium: transactions per ms, waits for a region, tasks that have or wait for the processor.
#[derive(Clone, Copy, Debug, Default)]
pub struct Equilibrium {
    pub throughput: f64,
    pub waiting: f64,
    pub computing: f64,
}

/// How many are not thinking, and how many of them are at the volume; others in regions are at the processor.
#[derive(Clone, Copy, Debug)]
struct State {
    active: usize,
    at_volume: usize,
}

impl Regions {
    fn inside(&self, state: State) -> usize {
        state.active.min(self.regions)
    }

    /// The successors of a state, and their rates.  A task that leaves the volume gives its region to a waiter, which computes.
    fn moves(&self, state: State) -> [(State, f64); 3] {
        let State { active, at_volume } = state;
        let thinking = (self.terminals - active) as f64;
        let busy = |number: usize| if number > 0 { 1.0 } else { 0.0 };
        [
            (State { active: (active + 1).min(self.terminals), at_volume }, thinking / self.think),
            (State { active, at_volume: at_volume + 1 }, busy(self.inside(state) - at_volume) / self.compute),
            (
                State { active: active.saturating_sub(1), at_volume: at_volume.saturating_sub(1) },
                busy(at_volume) / self.io,
            ),
        ]
    }

    fn place(&self, state: State) -> usize {
        state.active * (self.regions + 1) + state.at_volume
    }

    fn states(&self) -> Vec<State> {
        let of = |active: usize| (0..=active.min(self.regions)).map(move |at_volume| State { active, at_volume });
        (0..=self.terminals).flat_map(of).collect()
    }

    /// The equilibrium, by steps of the chain that are faster than any of its rates.
    pub fn solve(&self) -> Equilibrium {
        let states = self.states();
        let fastest = self.terminals as f64 / self.think + 1.0 / self.compute + 1.0 / self.io;
        let mut weights = vec![0.0; (self.terminals + 1) * (self.regions + 1)];
        weights[0] = 1.0;
        let mut moved = 1.0;
        while moved > 1e-14 {
            let mut next = weights.clone();
            for state in &states {
                let from = weights[self.place(*state)];
                for (to, rate) in self.moves(*state).into_iter().filter(|(_, rate)| *rate > 0.0) {
                    next[self.place(*state)] -= from * rate / fastest;
                    next[self.place(to)] += from * rate / fastest;
                }
            }
            moved = weights.iter().zip(&next).fold(0.0, |most: f64, (before, after)| most.max((before - after).abs()));
            weights = next;
        }
        let mean = |of: &dyn Fn(State) -> f64| {
            states.iter().map(|state| weights[self.place(*state)] * of(*state)).sum::<f64>()
        };
        Equilibrium {
            throughput: mean(&|state| if state.at_volume > 0 { 1.0 / self.io } else { 0.0 }),
            waiting: mean(&|state| (state.active - self.inside(state)) as f64),
            computing: mean(&|state| (self.inside(state) - state.at_volume) as f64),
        }
    }
}

fn close(seen: f64, expected: f64) {
    assert!((seen - expected).abs() < 1e-9, "{seen} against {expected}");
}

/// With a region for every task none waits for one, and mean value analysis has the rest.
#[test]
fn regions_for_all() {
    let chain = Regions { terminals: 6, regions: 6, think: 10.0, compute: 1.5, io: 2.5 }.solve();
    let (throughput, _, present) = mva(6, 10.0, &[1.5, 2.5]);
    close(chain.throughput, throughput);
    close(chain.waiting, 0.0);
    close(chain.computing, present[0]);
}

/// An I/O of no length leaves the processor, for which regions are a part of the queue.
#[test]
fn regions_before_a_processor() {
    let chain = Regions { terminals: 5, regions: 2, think: 10.0, compute: 2.0, io: 1e-3 }.solve();
    let theory = repairman(1, 5, 10.0, 2.0);
    assert!((chain.throughput / theory.throughput - 1.0).abs() < 2e-3);
}
