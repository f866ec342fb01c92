//! A thread that starts a wait, and notes when the wait was over and when it saw that.

use crate::clock::{now, own_time, sleep_until};
use crate::read::Scratch;
use crate::setup::{Seen, Start, Wait, Waited, Waiter};
use kernel::draw::Draw;
use std::time::Duration;
use units::Problem;

/// A start counts when the thread had the processor within this time of the instant drawn.
const PUNCTUAL_NS: u64 = 250_000;

/// The part of a measurement that one waiter needs to know: when it began and when no wait begins any more.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// The instant that all others are counted from.
    pub origin: u64,
    /// From this instant on no wait begins.
    pub end: u64,
}

enum Waiting {
    Timer(u64),
    Read(Scratch),
}

/// A waiter with everything that it needs opened and drawn.
pub struct Prepared {
    waiting: Waiting,
    start: Start,
    draw: Draw,
    waited: Waited,
}

impl Prepared {
    /// Open what a waiter reads.
    ///
    /// # Errors
    /// When it cannot be read.
    pub fn new(waiter: &Waiter, draw: Draw) -> Result<Self, Box<Problem>> {
        let waiting = match &waiter.wait {
            Wait::Timer(length) => Waiting::Timer(nanoseconds(*length)),
            Wait::Read { path, bytes } => Waiting::Read(Scratch::open(path, *bytes)?),
        };
        Ok(Prepared {
            waiting,
            start: waiter.start,
            draw,
            waited: Waited { waits: Vec::with_capacity(4096), missed: 0 },
        })
    }

    /// Wait again and again until the window is over.
    ///
    /// # Errors
    /// When a read fails.
    pub fn wait(mut self, window: Window) -> Result<Waited, Box<Problem>> {
        let mut last = now();
        while let Some((began, started)) = self.begin(last, window.end) {
            let due = match &mut self.waiting {
                Waiting::Timer(length) => {
                    sleep_until(started + *length);
                    Some(started + *length)
                }
                Waiting::Read(scratch) => {
                    scratch.read(&mut self.draw)?;
                    None
                }
            };
            last = now();
            let from = |instant: u64| instant.saturating_sub(window.origin);
            self.waited.waits.push(Seen {
                began: from(began),
                started: from(started),
                due: due.map(from),
                seen: from(last),
            });
        }
        Ok(self.waited)
    }

    /// When the next wait starts and when work before it began; none when the time is over.
    fn begin(&mut self, last: u64, end: u64) -> Option<(u64, u64)> {
        match self.start {
            Start::Locked(work) => {
                let until = own_time() + nanoseconds(work);
                while own_time() < until {}
                let started = now();
                (started < end).then_some((last, started))
            }
            Start::Uniform(spread) => loop {
                let at = now() + (self.draw.unit() * nanoseconds(spread) as f64) as u64;
                if at >= end {
                    return None;
                }
                sleep_until(at);
                let started = now();
                if started - at <= PUNCTUAL_NS {
                    return Some((started, started));
                }
                self.waited.missed += 1;
            },
        }
    }
}

fn nanoseconds(length: Duration) -> u64 {
    length.as_nanos() as u64
}
