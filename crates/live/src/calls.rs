//! The time of a cheap system call on the calling thread, with whatever filters that thread has in front of its calls.

use crate::clock::{now, own_time};
use rustix::process::getppid;
use std::hint::black_box;
use std::time::Duration;

/// Calls between two looks at the clock: one look is a third of such a call.
pub const STRETCH: u32 = 10;
const LOOKS: usize = 1001;
/// Calls before the first that counts.
const WARM: u32 = 2_000;

/// The calls of one measurement.
#[derive(Clone, Debug, Default)]
pub struct Called {
    /// Nanoseconds of each stretch of [`STRETCH`] calls, less those of a look at the clock.
    pub stretches: Vec<u32>,
    /// Nanoseconds of processor time of the thread for all of them, looks at the clock included.
    pub cpu: u64,
}

/// Calls `getppid` for this long on the calling thread.
pub fn calls(length: Duration) -> Called {
    for _ in 0..WARM {
        black_box(getppid());
    }
    let look = look_ns();
    let mut stretches = Vec::with_capacity(1 << 16);
    let (until, cpu) = (now() + length.as_nanos() as u64, own_time());
    loop {
        let began = now();
        for _ in 0..STRETCH {
            black_box(getppid());
        }
        let ended = now();
        stretches.push(u32::try_from((ended - began).saturating_sub(look)).unwrap_or(u32::MAX));
        if ended >= until {
            return Called { stretches, cpu: own_time() - cpu };
        }
    }
}

/// The median time between two looks at the clock: filters are in front of it where it is a system call.
fn look_ns() -> u64 {
    let mut looks: Vec<u64> = (0..LOOKS)
        .map(|_| {
            let began = now();
            now() - began
        })
        .collect();
    looks.sort_unstable();
    looks[LOOKS / 2]
}
