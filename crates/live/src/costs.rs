//! The constants of a machine that decide what a lock costs: work, tries, system calls, switches, and what a yield takes.

use crate::clock::{now, own_time};
use crate::contention::{joined, work};
use crate::lock::Lock;
use rustix::thread::{CpuSet, futex, sched_setaffinity};
use std::hint::spin_loop;
use std::sync::Barrier;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::thread::{self, yield_now};
use units::Problem;

/// Nanoseconds of one processor, each the least of several trials unless it says otherwise.
#[derive(Clone, Copy, Debug, Default)]
pub struct Costs {
    /// A turn of the loop of work.
    pub turn: f64,
    /// A try of a held lock.
    pub attempt: f64,
    /// `sched_yield` without another thread.
    pub yields: f64,
    /// A switch to another thread: half of the time in which two threads yield to each other, less the yields.
    pub switch: f64,
    /// The call that would sleep on a futex, and does not.
    pub sleep: f64,
    /// The call that wakes a thread on the same processor.
    pub wake: f64,
    /// Yields a second of a thread beside one that computes, over the whole trial.
    pub yields_per_s: f64,
    /// Its share of the processor.
    pub yielder_share: f64,
}

const TRIALS: usize = 15;
const TURNS: u64 = 20_000;
const CALLS: u64 = 2_000;
/// How long a thread that yields is beside one that computes.
const BESIDE_NS: u64 = 600_000_000;

/// Measures one processor.
///
/// # Errors
/// When no thread can be put there.
pub fn costs(processor: usize) -> Result<Costs, Box<Problem>> {
    let alone = joined(thread::scope(|scope| scope.spawn(|| alone(processor)).join()))?;
    let pair = least(|| both(processor, yielding));
    let handed = least(|| both(processor, handing));
    let (yields_per_s, yielder_share) = beside(processor);
    let switch = (pair - alone.yields).max(0.0);
    let wake = (handed - alone.sleep - switch).max(alone.sleep);
    Ok(Costs { switch, wake, yields_per_s, yielder_share, ..alone })
}

/// The costs that one thread measures by itself.
fn alone(processor: usize) -> Result<Costs, Box<Problem>> {
    pin(processor)?;
    let held = Lock::default();
    assert!(held.tries(), "no other thread has it");
    let word = AtomicU32::new(0);
    Ok(Costs {
        turn: least(|| each(TURNS, || work(TURNS))),
        attempt: least(|| {
            each(TURNS, || {
                for _ in 0..TURNS {
                    if held.tries() {
                        return;
                    }
                    spin_loop();
                }
            })
        }),
        yields: least(|| each(CALLS, || (0..CALLS).for_each(|_| yield_now()))),
        sleep: least(|| {
            each(CALLS, || {
                for _ in 0..CALLS {
                    let _ = futex::wait(&word, futex::Flags::PRIVATE, 1, None);
                }
            })
        }),
        ..Costs::default()
    })
}

/// Nanoseconds for each of this many.
fn each(count: u64, run: impl FnOnce()) -> f64 {
    let began = now();
    run();
    (now() - began) as f64 / count as f64
}

fn least(mut trial: impl FnMut() -> f64) -> f64 {
    (0..TRIALS).map(|_| trial()).fold(f64::INFINITY, f64::min)
}

/// Two threads that do the same by turns: nanoseconds for each of their turns.
fn both(processor: usize, turns: fn(&[AtomicU32; 2], usize)) -> f64 {
    let (gate, words) = (Barrier::new(2), [AtomicU32::new(0), AtomicU32::new(0)]);
    thread::scope(|scope| {
        let runs = |own: usize| {
            let (gate, words) = (&gate, &words);
            move || {
                let _ = pin(processor);
                gate.wait();
                let began = now();
                turns(words, own);
                (began, now())
            }
        };
        let pair = [scope.spawn(runs(0)), scope.spawn(runs(1))].map(|own| joined(own.join()));
        let began = pair.iter().map(|own| own.0).min().unwrap_or(0);
        let ended = pair.iter().map(|own| own.1).max().unwrap_or(0);
        (ended - began) as f64 / (2 * CALLS) as f64
    })
}

fn yielding(_: &[AtomicU32; 2], _: usize) {
    (0..CALLS).for_each(|_| yield_now());
}

/// Each wakes the other and sleeps until it is woken itself.
fn handing(words: &[AtomicU32; 2], own: usize) {
    let (mine, other) = (&words[own], &words[1 - own]);
    if own == 0 {
        mine.store(1, Ordering::Release);
    }
    for _ in 0..CALLS {
        while mine.swap(0, Ordering::Acquire) == 0 {
            let _ = futex::wait(mine, futex::Flags::PRIVATE, 0, None);
        }
        other.store(1, Ordering::Release);
        let _ = futex::wake(other, futex::Flags::PRIVATE, 1);
    }
}

/// A thread that yields all the time beside one that computes: its yields a second, and its share of the processor.
fn beside(processor: usize) -> (f64, f64) {
    let (gate, stop) = (Barrier::new(2), AtomicBool::new(false));
    thread::scope(|scope| {
        let (gate, stop) = (&gate, &stop);
        let hog = scope.spawn(move || {
            let _ = pin(processor);
            gate.wait();
            while !stop.load(Ordering::Relaxed) {
                work(1000);
            }
        });
        let yielder = scope.spawn(move || {
            let _ = pin(processor);
            gate.wait();
            let (began, cpu, mut yields) = (now(), own_time(), 0_u64);
            while now() - began < BESIDE_NS {
                yield_now();
                yields += 1;
            }
            stop.store(true, Ordering::Relaxed);
            let passed = (now() - began) as f64;
            (yields as f64 * 1e9 / passed, (own_time() - cpu) as f64 / passed)
        });
        let seen = joined(yielder.join());
        joined(hog.join());
        seen
    })
}

fn pin(processor: usize) -> Result<(), Box<Problem>> {
    let mut set = CpuSet::new();
    if processor < CpuSet::MAX_CPU {
        set.set(processor);
    }
    let refused = |error: rustix::io::Errno| {
        let what = format!("no thread can be put on processor {processor}");
        Box::new(Problem::new(what).key("processor").because(error.to_string()))
    };
    sched_setaffinity(None, &set).map_err(refused)
}
