//! The threads of one measurement, from a common start to the last wait.

use crate::burner::burn;
use crate::clock::{end_timers_on_time, now, sleep_until};
use crate::setup::{Gap, Outcome, Setup, Waited};
use crate::waiter::{Prepared, Window};
use kernel::draw::Streams;
use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::thread::{CpuSet, gettid, sched_setaffinity};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc;
use std::sync::{Barrier, OnceLock};
use std::thread;
use units::Problem;

/// How long after all threads are ready the first wait may begin.
const START_NS: u64 = 20_000_000;

type Told<T> = Result<T, Box<Problem>>;

/// Run a setup that has no problems.
///
/// # Errors
/// With what the system refused, or what `ready` says.
pub fn run<F: FnOnce(Option<i32>) -> Result<(), String>>(setup: &Setup, ready: F) -> Told<Outcome> {
    let streams = Streams::new(setup.seed, 0);
    let prepared: Told<Vec<Prepared>> = setup
        .waiters
        .iter()
        .enumerate()
        .map(|(at, waiter)| Prepared::new(waiter, streams.stream(&format!("waiter/{at}"))))
        .collect();
    let prepared = prepared?;
    let (stop, window) = (AtomicBool::new(false), OnceLock::new());
    let gate = Barrier::new(prepared.len() + usize::from(setup.burner) + 1);
    let (sender, threads) = mpsc::channel();
    thread::scope(|scope| {
        let burner = setup.burner.then(|| {
            let (stop, window, gate) = (&stop, &window, &gate);
            scope.spawn(move || {
                let pinned = pin(setup.processor);
                let _ = sender.send(gettid().as_raw_nonzero().get());
                pass(gate, window).map_or_else(Vec::new, |window| burned(&pinned, window, stop))
            })
        });
        let waiters: Vec<_> = prepared
            .into_iter()
            .map(|one| {
                let (window, gate) = (&window, &gate);
                scope.spawn(move || {
                    let pinned = pin(setup.processor);
                    end_timers_on_time();
                    let Some(window) = pass(gate, window) else { return Ok(Waited::default()) };
                    pinned?;
                    sleep_until(window.origin);
                    one.wait(window)
                })
            })
            .collect();
        let allowed = ready(setup.burner.then(|| threads.recv().ok()).flatten());
        if allowed.is_ok() {
            let origin = now() + START_NS;
            let _ = window.set(Window { origin, end: origin + setup.length.as_nanos() as u64 });
        }
        gate.wait();
        let waited: Told<Vec<Waited>> = waiters.into_iter().map(|one| joined(one.join())).collect();
        stop.store(true, Ordering::Relaxed);
        let gaps = burner.map_or_else(Vec::new, |one| joined(one.join()));
        allowed.map_err(|why| Box::new(Problem::new(why)))?;
        Ok(Outcome { waiters: waited?, gaps })
    })
}

/// Have the system kill this process when the one that started it ends.
///
/// # Errors
/// As the system gives it.
pub fn end_with_parent() -> Told<()> {
    let asked = set_parent_process_death_signal(Some(Signal::KILL));
    asked.map_err(|error| Box::new(Problem::new("the end of the parent cannot be watched").because(error.to_string())))
}

fn burned(pinned: &Told<()>, window: Window, stop: &AtomicBool) -> Vec<Gap> {
    if pinned.is_err() {
        return Vec::new(); // the waiters were refused the same processor, and say so
    }
    burn(window.origin, stop)
}

/// Wait until all threads are ready; the window, unless it was called off.
fn pass(gate: &Barrier, window: &OnceLock<Window>) -> Option<Window> {
    gate.wait();
    window.get().copied()
}

fn pin(processor: usize) -> Told<()> {
    let refused = |why: String| {
        let problem = Problem::new(format!("no thread can be put on processor {processor}")).key("processor");
        Box::new(problem.because(why))
    };
    if processor >= CpuSet::MAX_CPU {
        return Err(refused(format!("this system counts at most {} processors", CpuSet::MAX_CPU)));
    }
    let mut set = CpuSet::new();
    set.set(processor);
    sched_setaffinity(None, &set).map_err(|error| refused(error.to_string()))
}

/// The result of a thread; its panic goes on in this one.
fn joined<T>(result: thread::Result<T>) -> T {
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}
