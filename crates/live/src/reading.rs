//! Threads that read one file behind permits, and what each of them saw.

use crate::clock::{end_timers_on_time, now, own_time, sleep_until};
use crate::contention::{joined, switches};
use crate::permits::Permits;
use crate::read::Scratch;
use kernel::draw::{Draw, Streams};
use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::sync::{Barrier, OnceLock};
use std::thread;
use std::time::Duration;
use units::Problem;

/// Threads of one measurement, and the permits between them and the file.
#[derive(Clone, Debug)]
pub struct Reading {
    /// The file, which they read past the page cache.
    pub path: PathBuf,
    /// Bytes of each read.
    pub bytes: usize,
    /// How many threads read.
    pub requesters: usize,
    /// How many of them may read at a time.
    pub depth: usize,
    /// The mean time between the reads that one thread is to begin; without it, each begins the next at once.
    pub every: Option<Duration>,
    /// How long it goes on.
    pub length: Duration,
    /// Names the random streams of places and instants.
    pub seed: u64,
}

/// The results of one thread, in nanoseconds.
#[derive(Clone, Debug, Default)]
pub struct Reads {
    /// How long each read took from the instant at which it was to begin, the wait for a permit included.
    pub waits: Vec<u32>,
    /// How long each read took from having the permit.
    pub reads: Vec<u32>,
    /// Its processor time.
    pub cpu: u64,
    /// Times that it gave its processor up, and times that it was taken.
    pub switches: (u64, u64),
}

const MOST_REQUESTERS: usize = 1024;
/// How long after all threads are ready they begin: more than two slices of a limit that was set just now, so that
/// nothing of its first slices is left.
const START_NS: u64 = 300_000_000;

impl Reading {
    /// Everything that is wrong with it.
    pub fn problems(&self) -> Vec<Problem> {
        let mut problems = Vec::new();
        if !(1..=MOST_REQUESTERS).contains(&self.requesters) {
            let what = format!("{} threads that read", self.requesters);
            problems.push(Problem::new(what).key("requesters").allowed([format!("1 to {MOST_REQUESTERS}")]));
        }
        if self.depth == 0 {
            problems.push(Problem::new("no permit").key("depth").allowed(["1 or more"]));
        }
        if self.length.is_zero() || self.length > crate::setup::LONGEST {
            let what = format!("a measurement of {:?}", self.length);
            problems.push(Problem::new(what).key("for").allowed(["more than 0 s, at most 600 s"]));
        }
        problems
    }

    /// Runs the threads.
    ///
    /// # Errors
    /// With what the system refused.
    pub fn run(&self) -> Result<Vec<Reads>, Box<Problem>> {
        let streams = Streams::new(self.seed, 0);
        let scratch: Result<Vec<Scratch>, Box<Problem>> =
            (0..self.requesters).map(|_| Scratch::open(&self.path, self.bytes)).collect();
        let scratch = scratch?;
        let flags: Vec<AtomicBool> = (0..self.requesters).map(|_| AtomicBool::new(false)).collect();
        let (permits, origin, gate) = (Permits::new(self.depth), OnceLock::new(), Barrier::new(self.requesters + 1));
        thread::scope(|scope| {
            let (permits, origin, gate) = (&permits, &origin, &gate);
            let threads: Vec<_> = scratch
                .into_iter()
                .zip(&flags)
                .enumerate()
                .map(|(number, (scratch, granted))| {
                    let draw = streams.stream(&format!("requester/{number}"));
                    scope.spawn(move || {
                        end_timers_on_time();
                        gate.wait();
                        let origin: u64 = *origin.get().expect("it is set before the gate opens");
                        self.read((scratch, draw), (permits, granted), origin)
                    })
                })
                .collect();
            let _ = origin.set(now() + START_NS);
            gate.wait();
            threads.into_iter().map(|thread| joined(thread.join())).collect()
        })
    }

    /// One thread: reads again and again until the window is over.  A read that ends after it does not count.
    fn read<'a>(
        &self,
        (mut scratch, mut draw): (Scratch, Draw),
        (permits, granted): (&Permits<'a>, &'a AtomicBool),
        origin: u64,
    ) -> Result<Reads, Box<Problem>> {
        let mut own =
            Reads { waits: Vec::with_capacity(1 << 14), reads: Vec::with_capacity(1 << 14), ..Reads::default() };
        let end = origin + self.length.as_nanos() as u64;
        let mut planned = origin;
        sleep_until(origin);
        let (cpu, before) = (own_time(), switches());
        let mut failed = None;
        loop {
            // A planned instant stays one when the thread is late, so that no wait hides the next one.
            let asked = match self.every {
                Some(every) => {
                    planned += (draw.exponential() * every.as_nanos() as f64) as u64;
                    sleep_until(planned);
                    planned
                }
                None => now(),
            };
            if asked >= end {
                break;
            }
            permits.take(granted);
            let begun = now();
            let read = scratch.read(&mut draw);
            let ended = now();
            permits.give();
            if let Err(problem) = read {
                failed = Some(problem);
                break;
            }
            if ended < end {
                own.waits.push(nanoseconds(ended.saturating_sub(asked)));
                own.reads.push(nanoseconds(ended - begun));
            }
        }
        own.cpu = own_time() - cpu;
        let after = switches();
        own.switches = (after.0 - before.0, after.1 - before.1);
        failed.map_or(Ok(own), Err)
    }
}

fn nanoseconds(span: u64) -> u32 {
    span.min(u64::from(u32::MAX)) as u32
}
