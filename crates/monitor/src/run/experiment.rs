//! Replications of one plan in threads: which replications, on how many threads, watched and stoppable.

use super::replication::{Failure, Measurement, Replicated, replicate_pooled};
use kernel::draw::Streams;
use machine::plan::Plan;
use measures::IntervalTotals;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use units::Tod;

/// The replication whose logs are kept; those of all would need as many times the memory.
const LOGGED: u64 = 0;

/// The plan of a simulation.
#[derive(Clone, Copy, Debug)]
pub struct Experiment<'a> {
    /// The machine.
    pub plan: &'a Plan,
    /// The name its totals get.
    pub name: &'a str,
    /// The seed of all streams.
    pub seed: u64,
    /// The measurement.
    pub measurement: Measurement,
}

/// A replication that could not go on.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunError {
    /// Which.
    pub replication: u64,
    /// Why.
    pub failure: Failure,
}

/// The progress of an experiment, and a request to stop; shared with its watcher.
#[derive(Debug, Default)]
pub struct Watch {
    stop: AtomicBool,
    /// Simulated time so far over all replications, in TOD-clock units.
    simulated: AtomicU64,
}

impl Watch {
    /// Asks the experiment to stop; it does so within a few hundredths of a second.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }

    /// Whether there was no request to stop.
    pub fn go_on(&self) -> bool {
        !self.stop.load(Ordering::Relaxed)
    }

    /// Simulated seconds so far, over all replications.
    pub fn simulated_s(&self) -> f64 {
        units::Span::from_units(self.simulated.load(Ordering::Relaxed)).seconds()
    }

    /// Takes notice that a replication got from one instant to another; says whether to go on.
    pub fn passed(&self, from: Tod, to: Tod) -> bool {
        self.simulated.fetch_add((to - from).units(), Ordering::Relaxed);
        self.go_on()
    }
}

impl Experiment<'_> {
    /// Simulates replications on this many threads; the result is in their order and does not depend on the threads.
    ///
    /// # Errors
    /// The failure of the lowest-numbered replication that failed.
    pub fn run(
        &self,
        replications: Range<u64>,
        threads: usize,
        watch: &Watch,
    ) -> Result<Vec<Replicated<IntervalTotals>>, RunError> {
        let failed = AtomicU64::new(u64::MAX);
        let done = on_threads(replications, threads, |replication| {
            let result = self.replicate(replication, &failed, watch);
            if result.is_err() {
                failed.fetch_min(replication, Ordering::Relaxed);
            }
            result
        });
        // A failure stops those after it, so the first that did not merely stop is the same on any number of threads.
        let reason = done.iter().find_map(|result| result.as_ref().err().filter(|e| e.failure != Failure::Stopped));
        if let Some(error) = reason {
            return Err(error.clone());
        }
        done.into_iter().collect()
    }

    /// Simulates one replication, unless one before it failed.
    fn replicate(
        &self,
        replication: u64,
        failed: &AtomicU64,
        watch: &Watch,
    ) -> Result<Replicated<IntervalTotals>, RunError> {
        let streams = Streams::new(self.seed, replication);
        let mut reached = Tod::START;
        let go_on = |now: Tod| {
            watch.passed(std::mem::replace(&mut reached, now), now) && replication < failed.load(Ordering::Relaxed)
        };
        let mut made = replicate_pooled(self.plan, &streams, &self.measurement, self.name, go_on)
            .map_err(|failure| RunError { replication, failure })?;
        if replication != LOGGED {
            for interval in &mut made.intervals {
                interval.decisions = Vec::new();
                interval.contention = Vec::new();
            }
        }
        Ok(made)
    }
}

/// The results of numbered runs on this many threads, in the order of the numbers.
pub(super) fn on_threads<T: Send>(numbers: Range<u64>, threads: usize, run: impl Fn(u64) -> T + Sync) -> Vec<T> {
    let count = usize::try_from(numbers.end - numbers.start).expect("as many as fit in memory");
    let next = AtomicU64::new(numbers.start);
    let results: Mutex<Vec<Option<T>>> = Mutex::new((0..count).map(|_| None).collect());
    let work = || {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= numbers.end {
                return;
            }
            let result = run(number);
            let place = (number - numbers.start) as usize;
            results.lock().unwrap_or_else(PoisonError::into_inner)[place] = Some(result);
        }
    };
    std::thread::scope(|scope| {
        // The caller only waits: a thread that works while it starts another tends to share its processor with it.
        for _ in 0..threads.clamp(1, count.max(1)) {
            scope.spawn(work);
        }
    });
    results.into_inner().unwrap_or_else(PoisonError::into_inner).into_iter().flatten().collect()
}
