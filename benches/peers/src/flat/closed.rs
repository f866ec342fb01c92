//! The closed model: a slot per guest, which thinks, waits or is served.  A guest waits in two lists: that of its volume
//! for the base, and that of the pool for an alias.

use super::queue::Queue;
use super::tree::Tree;
use super::{TICKS, exponential};
use crate::load::closed::{ALIASES, GUESTS, SERVICE_S, THINK_S, VOLUMES};
use crate::load::{Length, Outcome};
use rand::SeedableRng;
use rand::rngs::SmallRng;

/// The state of a guest.
#[derive(Clone, Copy, PartialEq)]
enum Doing {
    Thinking,
    Waiting,
    OnBase,
    OnAlias,
}

/// All waiting guests, the oldest first; one may leave from the middle.  The place after the last guest is both ends.
struct Oldest {
    next: [u8; GUESTS + 1],
    before: [u8; GUESTS + 1],
}

const END: usize = GUESTS;

impl Oldest {
    fn push(&mut self, guest: usize) {
        let last = usize::from(self.before[END]);
        (self.next[last], self.before[guest]) = (guest as u8, last as u8);
        (self.next[guest], self.before[END]) = (END as u8, guest as u8);
    }

    fn remove(&mut self, guest: usize) {
        let (before, next) = (self.before[guest], self.next[guest]);
        (self.next[usize::from(before)], self.before[usize::from(next)]) = (next, before);
    }
}

/// Simulates it.
pub fn simulate(seed: u64, length: Length) -> Outcome {
    let mut random = SmallRng::seed_from_u64(seed);
    let mut tree = Tree::new();
    let mut doing = [Doing::Thinking; GUESTS];
    let mut base_free = [true; VOLUMES];
    let mut aliases = ALIASES;
    // The oldest of a volume is also first in its own list, so an alias takes that one.
    let mut at_volume: [Queue; VOLUMES] = std::array::from_fn(|_| Queue::new());
    let mut oldest = Oldest { next: [END as u8; GUESTS + 1], before: [END as u8; GUESTS + 1] };
    for guest in 0..GUESTS {
        tree.set(guest, exponential(&mut random, THINK_S));
    }
    let begin = (length.warm_up_s * TICKS) as u64;
    let end = begin + (length.measured_s * TICKS) as u64;
    let mut ios = 0u64;
    loop {
        let (now, guest) = tree.first();
        if now > end {
            break;
        }
        let volume = guest % VOLUMES;
        if doing[guest] == Doing::Thinking {
            if base_free[volume] {
                base_free[volume] = false;
                doing[guest] = Doing::OnBase;
            } else if aliases > 0 {
                aliases -= 1;
                doing[guest] = Doing::OnAlias;
            } else {
                doing[guest] = Doing::Waiting;
                at_volume[volume].push(guest);
                oldest.push(guest);
                tree.never(guest);
                continue;
            }
            tree.set(guest, now + exponential(&mut random, SERVICE_S));
            continue;
        }
        ios += u64::from(now >= begin);
        let freed = std::mem::replace(&mut doing[guest], Doing::Thinking);
        tree.set(guest, now + exponential(&mut random, THINK_S));
        let next = if freed == Doing::OnBase {
            at_volume[volume].pop()
        } else {
            let first = usize::from(oldest.next[END]);
            if first == END { None } else { at_volume[first % VOLUMES].pop() }
        };
        match next {
            Some(next) => {
                oldest.remove(next);
                doing[next] = freed;
                tree.set(next, now + exponential(&mut random, SERVICE_S));
            }
            None if freed == Doing::OnBase => base_free[volume] = true,
            None => aliases += 1,
        }
    }
    let rate = ios as f64 / length.measured_s;
    Outcome { operations_per_s: rate, cycles_per_s: rate }
}
