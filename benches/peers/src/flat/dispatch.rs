//! The dispatch model: a slot per virtual processor, which thinks, waits or runs.

use super::queue::Queue;
use super::tree::Tree;
use super::{TICKS, exponential};
use crate::load::dispatch::{BURST_S, LOGICAL, QUANTUM_S, THINK_S, VIRTUAL};
use crate::load::{Length, Outcome};
use rand::SeedableRng;
use rand::rngs::SmallRng;

/// Simulates it.
pub fn simulate(seed: u64, length: Length) -> Outcome {
    let quantum = (QUANTUM_S * TICKS) as u64;
    let mut random = SmallRng::seed_from_u64(seed);
    let mut tree = Tree::new();
    let mut runs = [false; VIRTUAL];
    // The rest of its burst after the present stretch.
    let mut left = [0u64; VIRTUAL];
    let mut ready = Queue::new();
    let mut free = LOGICAL;
    for virtual_processor in 0..VIRTUAL {
        tree.set(virtual_processor, exponential(&mut random, THINK_S));
    }
    let begin = (length.warm_up_s * TICKS) as u64;
    let end = begin + (length.measured_s * TICKS) as u64;
    let (mut dispatches, mut bursts) = (0u64, 0u64);
    loop {
        let (now, own) = tree.first();
        if now > end {
            break;
        }
        let mut next = own;
        if !runs[own] {
            left[own] = exponential(&mut random, BURST_S);
            if free == 0 {
                ready.push(own);
                tree.never(own);
                continue;
            }
            free -= 1;
        } else {
            runs[own] = false;
            if left[own] > 0 {
                ready.push(own);
                tree.never(own);
            } else {
                bursts += u64::from(now >= begin);
                tree.set(own, now + exponential(&mut random, THINK_S));
            }
            match ready.pop() {
                Some(first) => next = first,
                None => {
                    free += 1;
                    continue;
                }
            }
        }
        dispatches += u64::from(now >= begin);
        let stretch = left[next].min(quantum);
        left[next] -= stretch;
        runs[next] = true;
        tree.set(next, now + stretch);
    }
    let per_s = |count: u64| count as f64 / length.measured_s;
    Outcome { operations_per_s: per_s(dispatches), cycles_per_s: per_s(bursts) }
}
