//! Permits that threads take in turn: a thread that finds none sleeps until one is handed to it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, Thread};

/// As many permits as threads may be at work at a time.
pub struct Permits<'a> {
    state: Mutex<State<'a>>,
}

struct State<'a> {
    free: usize,
    waiting: VecDeque<(Thread, &'a AtomicBool)>,
}

impl<'a> Permits<'a> {
    /// This many free permits.
    pub fn new(count: usize) -> Self {
        Permits { state: Mutex::new(State { free: count, waiting: VecDeque::new() }) }
    }

    /// Take a permit; first come, first served, so that no thread passes one that sleeps.
    pub fn take(&self, granted: &'a AtomicBool) {
        {
            let mut state = self.locked();
            if state.free > 0 {
                state.free -= 1;
                return;
            }
            granted.store(false, Ordering::Relaxed);
            state.waiting.push_back((thread::current(), granted));
        }
        while !granted.load(Ordering::Acquire) {
            thread::park();
        }
    }

    /// Hand a permit to the thread that has waited longest, or put it back.
    pub fn give(&self) {
        let next = {
            let mut state = self.locked();
            let next = state.waiting.pop_front();
            state.free += usize::from(next.is_none());
            next
        };
        if let Some((thread, granted)) = next {
            granted.store(true, Ordering::Release);
            thread.unpark();
        }
    }

    fn locked(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn no_more_threads_are_at_work_than_there_are_permits() {
        let (inside, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        let flags: Vec<AtomicBool> = (0..8).map(|_| AtomicBool::new(false)).collect();
        let permits = Permits::new(3);
        thread::scope(|scope| {
            for granted in &flags {
                let (permits, inside, most) = (&permits, &inside, &most);
                scope.spawn(move || {
                    for _ in 0..200 {
                        permits.take(granted);
                        most.fetch_max(inside.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                        thread::yield_now();
                        inside.fetch_sub(1, Ordering::SeqCst);
                        permits.give();
                    }
                });
            }
        });
        assert!(most.into_inner() <= 3);
        assert_eq!(permits.locked().free, 3, "every permit came back");
    }
}
