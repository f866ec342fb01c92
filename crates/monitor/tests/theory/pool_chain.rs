//! The Markov chain of two volumes that share an alias pool: every state and rate written down from the rules, solved
//! for its equilibrium, and held to cases that a closed form covers.
//!
//! Times are in ms, rates per ms.

use super::closed_forms::repairman;
use machine::plan::Redispatch;
use std::collections::BTreeMap;

/// Guests of each volume think, exponentially, for `think`; I/Os take 1, exponentially.
#[derive(Clone, Copy, Debug)]
pub struct Chain {
    /// Guests of each volume.
    pub guests: [usize; 2],
    /// Mean think time.
    pub think: f64,
    /// Aliases in the pool.
    pub aliases: usize,
    /// The next work of a freed alias.
    pub redispatch: Redispatch,
}

/// Means in equilibrium.
#[derive(Clone, Copy, Debug, Default)]
pub struct Equilibrium {
    /// I/Os, per volume.
    pub throughput: [f64; 2],
    /// Requests waiting, per volume.
    pub queue: [f64; 2],
    /// I/Os on aliases.
    pub on_aliases: f64,
    /// Requests that find their base busy.
    pub tries: f64,
    /// Those of them that find no alias.
    pub fails: f64,
}

/// The place of each guest; the guests that think are in no list.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct State {
    /// Whether each base works.
    bases: [bool; 2],
    /// Aliases working for each volume.
    aliases: [usize; 2],
    /// The volume of each waiting guest, longest wait first.
    order: Vec<usize>,
}

impl State {
    fn waiting(&self, volume: usize) -> usize {
        self.order.iter().filter(|of| **of == volume).count()
    }

    fn thinking(&self, chain: &Chain, volume: usize) -> f64 {
        let busy = usize::from(self.bases[volume]) + self.aliases[volume] + self.waiting(volume);
        (chain.guests[volume] - busy) as f64
    }

    fn free(&self, chain: &Chain) -> usize {
        chain.aliases - self.aliases[0] - self.aliases[1]
    }

    /// A request for a volume: base, else alias, else queue.
    fn request(&self, chain: &Chain, volume: usize) -> State {
        let mut next = self.clone();
        if !self.bases[volume] {
            next.bases[volume] = true;
        } else if self.free(chain) > 0 {
            next.aliases[volume] += 1;
        } else {
            next.order.push(volume);
        }
        next
    }

    /// The base of a volume is through and takes the longest waiter there.
    fn base_end(&self, volume: usize) -> State {
        let mut next = self.clone();
        match self.order.iter().position(|of| *of == volume) {
            Some(place) => drop(next.order.remove(place)),
            None => next.bases[volume] = false,
        }
        next
    }

    /// An alias is through with a volume and does as the policy says.
    fn alias_end(&self, chain: &Chain, volume: usize) -> State {
        let mut next = self.clone();
        next.aliases[volume] -= 1;
        let place = match chain.redispatch {
            Redispatch::None => None,
            Redispatch::SameVolume => self.order.iter().position(|of| *of == volume),
            Redispatch::PoolFifo => (!self.order.is_empty()).then_some(0),
        };
        if let Some(place) = place {
            let served = next.order.remove(place);
            next.aliases[served] += 1;
        }
        next
    }

    /// Where to, and at which rate.
    fn moves(&self, chain: &Chain) -> Vec<(State, f64)> {
        let mut moves = Vec::new();
        for volume in 0..2 {
            let thinking = self.thinking(chain, volume);
            if thinking > 0.0 {
                moves.push((self.request(chain, volume), thinking / chain.think));
            }
            if self.bases[volume] {
                moves.push((self.base_end(volume), 1.0));
            }
            if self.aliases[volume] > 0 {
                moves.push((self.alias_end(chain, volume), self.aliases[volume] as f64));
            }
        }
        moves
    }
}

impl Chain {
    /// The means in equilibrium.
    pub fn equilibrium(&self) -> Equilibrium {
        let mut means = Equilibrium::default();
        for (state, p) in self.solve() {
            for (volume, base) in state.bases.into_iter().enumerate() {
                means.throughput[volume] += p * (f64::from(u8::from(base)) + state.aliases[volume] as f64);
                means.queue[volume] += p * state.waiting(volume) as f64;
                means.on_aliases += p * state.aliases[volume] as f64;
                let tries = if base { p * state.thinking(self, volume) / self.think } else { 0.0 };
                means.tries += tries;
                means.fails += if state.free(self) == 0 { tries } else { 0.0 };
            }
        }
        means
    }

    /// Every state that can be reached, with its probability: power iteration of the uniformised chain.
    fn solve(&self) -> Vec<(State, f64)> {
        let (mut states, mut numbers) = (vec![State::default()], BTreeMap::from([(State::default(), 0)]));
        let mut moves: Vec<(usize, usize, f64)> = Vec::new();
        let mut from = 0;
        while from < states.len() {
            for (to, rate) in states[from].moves(self) {
                let number = *numbers.entry(to.clone()).or_insert_with(|| {
                    states.push(to);
                    states.len() - 1
                });
                moves.push((from, number, rate));
            }
            from += 1;
        }
        let people = (self.guests[0] + self.guests[1]) as f64;
        let fastest = people * (1.0 + 1.0 / self.think);
        let mut p = vec![1.0 / states.len() as f64; states.len()];
        loop {
            let mut next = p.clone();
            for (from, to, rate) in &moves {
                let flow = p[*from] * rate / fastest;
                next[*from] -= flow;
                next[*to] += flow;
            }
            let change: f64 = p.iter().zip(&next).map(|(old, new)| (old - new).abs()).sum();
            p = next;
            if change < 1e-13 {
                return states.into_iter().zip(p).collect();
            }
        }
    }
}

fn close(seen: f64, expected: f64) {
    assert!((seen - expected).abs() < 1e-9, "{seen} against {expected}");
}

const POLICIES: [Redispatch; 3] = [Redispatch::None, Redispatch::SameVolume, Redispatch::PoolFifo];

#[test]
fn without_aliases_each_volume_is_a_repairman() {
    for redispatch in POLICIES {
        let means = Chain { guests: [3, 2], think: 1.5, aliases: 0, redispatch }.equilibrium();
        for (volume, guests) in [(0, 3), (1, 2)] {
            let theory = repairman(1, guests, 1.5, 1.0);
            close(means.throughput[volume], theory.throughput);
            close(means.queue[volume], theory.waiting);
        }
        close(means.fails, means.tries);
    }
}

#[test]
fn with_an_alias_for_all_none_waits() {
    for redispatch in POLICIES {
        let means = Chain { guests: [2, 3], think: 0.5, aliases: 3, redispatch }.equilibrium();
        close(means.throughput[0], 2.0 / 1.5);
        close(means.throughput[1], 3.0 / 1.5);
        close(means.fails, 0.0);
    }
}

/// A volume that has the pool to itself and whose aliases take waiting requests is a repairman with a server more per alias.
#[test]
fn one_volume_with_its_pool_is_a_repairman_of_several_servers() {
    for redispatch in [Redispatch::SameVolume, Redispatch::PoolFifo] {
        let means = Chain { guests: [6, 0], think: 2.0, aliases: 2, redispatch }.equilibrium();
        let theory = repairman(3, 6, 2.0, 1.0);
        close(means.throughput[0], theory.throughput);
        close(means.queue[0], theory.waiting);
    }
}
