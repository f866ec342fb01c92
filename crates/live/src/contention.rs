//! Threads that share one lock on few processors, beside threads that only compute, and what each of them saw.

use crate::clock::{now, own_time, sleep_until};
use crate::lock::{Lock, Method, Priority};
use kernel::draw::{Draw, Streams};
use rustix::thread::{CpuSet, sched_setaffinity};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Barrier, OnceLock};
use std::thread;
use std::time::Duration;
use units::Problem;

/// Threads of one measurement, and the lock between them.
#[derive(Clone, Debug)]
pub struct Contention {
    /// The processors that all of them may use, as the system counts them.
    pub processors: Vec<usize>,
    /// How many take the lock.
    pub threads: usize,
    /// How many compute all the time.
    pub hogs: usize,
    /// Turns of the loop of work outside the lock, and under it.
    pub work: (u64, u64),
    /// How they wait.
    pub method: Method,
    /// The tries before a yield.
    pub tries: u32,
    /// How long it goes on.
    pub length: Duration,
    /// Names the random streams that work outside the lock is drawn from.
    pub seed: u64,
}

/// The results of one of the threads that take the lock, in nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Locked {
    /// Its takes.
    pub taken: u64,
    /// How long it waited for each, from before the first try; at most [`Locked::MOST`].
    pub waits: Vec<u32>,
    /// How long it held the lock each time.
    pub holds: Vec<u32>,
    /// Its processor time.
    pub cpu: u64,
    /// Times that it gave its processor up, and times that it was taken.
    pub switches: (u64, u64),
}

impl Locked {
    /// How many waits are kept.
    pub const MOST: usize = 1 << 20;
}

/// More threads than any lock is for.
const MOST_THREADS: usize = 256;
/// How long after all threads are ready they begin.
const START_NS: u64 = 20_000_000;

impl Contention {
    /// Everything that is wrong with it.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if !(1..=MOST_THREADS).contains(&self.threads) || self.hogs > MOST_THREADS {
            let what = format!("{} threads and {} beside them", self.threads, self.hogs);
            problems.push(Problem::new(what).key("threads").allowed(["1 to 256 threads, up to 256 beside them"]));
        }
        if self.length.is_zero() || self.length > crate::setup::LONGEST {
            let what = format!("a measurement of {:?}", self.length);
            problems.push(Problem::new(what).key("for").allowed(["more than 0 s, at most 600 s"]));
        }
        if self.processors.is_empty() || self.processors.iter().any(|processor| *processor >= CpuSet::MAX_CPU) {
            let what = format!("threads on the processors {:?}", self.processors);
            problems.push(Problem::new(what).key("processors").allowed([format!("0 to {}", CpuSet::MAX_CPU - 1)]));
        }
        if self.tries == 0 || self.tries == u32::MAX {
            problems.push(Problem::new("no tries before a yield").key("tries").allowed(["1 or more"]));
        }
        problems
    }

    /// Runs the threads.
    ///
    /// # Errors
    /// With what the system refused.
    pub fn run(&self) -> Result<Vec<Locked>, Box<Problem>> {
        let (lock, stop, window) = (Lock::default(), AtomicBool::new(false), OnceLock::new());
        let gate = Barrier::new(self.threads + self.hogs + 1);
        thread::scope(|scope| {
            let (lock, stop, window, gate) = (&lock, &stop, &window, &gate);
            let hogs: Vec<_> = (0..self.hogs)
                .map(|_| {
                    scope.spawn(move || {
                        let pinned = self.pin();
                        gate.wait();
                        while pinned.is_ok() && !stop.load(Ordering::Relaxed) {
                            work(1000);
                        }
                    })
                })
                .collect();
            let streams = Streams::new(self.seed, 0);
            let users: Vec<_> = (0..self.threads)
                .map(|number| {
                    let draw = streams.stream(&format!("user/{number}"));
                    scope.spawn(move || {
                        let ready = self.pin().and_then(|()| self.priority());
                        gate.wait();
                        let origin: u64 = *window.get().expect("it is set before the gate opens");
                        self.share((lock, ready?), draw, origin)
                    })
                })
                .collect();
            let _ = window.set(now() + START_NS);
            gate.wait();
            let seen: Result<Vec<Locked>, Box<Problem>> = users.into_iter().map(|user| joined(user.join())).collect();
            stop.store(true, Ordering::Relaxed);
            hogs.into_iter().for_each(|hog| joined(hog.join()));
            seen
        })
    }

    /// The priority to lift and to restore, where the method does; tried before it is needed.
    fn priority(&self) -> Result<Option<Priority>, Box<Problem>> {
        if self.method != Method::Handover {
            return Ok(None);
        }
        let tried = Priority::own().and_then(|own| own.lift().and_then(|()| own.restore()).map(|()| own));
        tried.map(Some).map_err(|why| {
            let problem = Problem::new("the priority of a holder cannot be lifted").key("methods").because(why);
            Box::new(problem.allowed(["CAP_SYS_NICE (root), `ulimit -e 40`, or the other methods"]))
        })
    }

    /// One thread: works, takes the lock, works under it, releases it, until the window is over.
    fn share(
        &self,
        (lock, priority): (&Lock, Option<Priority>),
        mut draw: Draw,
        origin: u64,
    ) -> Result<Locked, Box<Problem>> {
        let mut own =
            Locked { waits: Vec::with_capacity(1 << 16), holds: Vec::with_capacity(1 << 16), ..Locked::default() };
        let end = origin + self.length.as_nanos() as u64;
        sleep_until(origin);
        let (cpu, switches) = (own_time(), switches());
        loop {
            // Uniform from half to one and a half: threads of constant turns would fall into step.
            work((self.work.0 as f64 * (0.5 + draw.unit())) as u64);
            let asked = now();
            if asked >= end {
                break;
            }
            lock.take(self.method, self.tries);
            let had = now();
            let lifted = priority.map_or(Ok(()), Priority::lift);
            work(self.work.1);
            let released = now();
            lock.give(self.method);
            lifted
                .and_then(|()| priority.map_or(Ok(()), Priority::restore))
                .map_err(|why| Box::new(Problem::new(why)))?;
            if had < end {
                own.taken += 1;
                if own.waits.len() < Locked::MOST {
                    own.waits.push((had - asked).min(u64::from(u32::MAX)) as u32);
                    own.holds.push((released - had).min(u64::from(u32::MAX)) as u32);
                }
            }
        }
        own.cpu = own_time() - cpu;
        let after = self::switches();
        own.switches = (after.0 - switches.0, after.1 - switches.1);
        Ok(own)
    }

    fn pin(&self) -> Result<(), Box<Problem>> {
        let mut set = CpuSet::new();
        self.processors.iter().for_each(|processor| set.set(*processor));
        sched_setaffinity(None, &set).map_err(|error| {
            let what = format!("no thread can be put on processors {:?}", self.processors);
            Box::new(Problem::new(what).key("processors").because(error.to_string()))
        })
    }
}

/// Turns of a loop that no compiler shortens: each needs the one before it.
pub fn work(turns: u64) {
    let mut value = black_box(1_u64);
    for _ in 0..turns {
        value = value.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(1);
    }
    black_box(value);
}

/// How often the calling thread gave its processor up, and how often that was taken; 0 where the system does not say.
pub fn switches() -> (u64, u64) {
    let status = std::fs::read_to_string("/proc/thread-self/status").unwrap_or_default();
    let named = |name: &str| {
        let line = status.lines().find_map(|line| line.strip_prefix(name));
        line.and_then(|number| number.trim().parse().ok()).unwrap_or(0)
    };
    (named("voluntary_ctxt_switches:"), named("nonvoluntary_ctxt_switches:"))
}

/// The result of a thread; its panic goes on in this one.
pub fn joined<T>(result: thread::Result<T>) -> T {
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
