//! The clock that everything here is timed by, and sleeping until it shows an instant.

use rustix::thread::{ClockId, clock_nanosleep_absolute};
use rustix::time::{Timespec, clock_getres, clock_gettime};
use std::num::NonZeroU64;

const SECOND: u64 = 1_000_000_000;

/// Nanoseconds on the monotonic clock.
pub fn now() -> u64 {
    nanoseconds(clock_gettime(ClockId::Monotonic))
}

/// Nanoseconds of processor time that this thread has had.
pub fn own_time() -> u64 {
    nanoseconds(clock_gettime(ClockId::ThreadCPUTime))
}

/// Sleep until the monotonic clock shows `instant`; not at all when it is past.
pub fn sleep_until(instant: u64) {
    let until = Timespec { tv_sec: (instant / SECOND) as i64, tv_nsec: (instant % SECOND) as i64 };
    while clock_nanosleep_absolute(ClockId::Monotonic, &until).is_err() {
        if now() >= instant {
            return;
        }
    }
}

/// Have this thread's timers end when they are due, not up to 50 us later to save wake-ups.
pub fn end_timers_on_time() {
    // Where the system refuses, timers keep their usual slack, and the waits show it.
    let _ = rustix::thread::set_current_timer_slack(NonZeroU64::new(1));
}

/// The step of the clock that the timer tick moves on.
pub fn tick_ns() -> u64 {
    nanoseconds(clock_getres(ClockId::MonotonicCoarse))
}

fn nanoseconds(time: Timespec) -> u64 {
    time.tv_sec as u64 * SECOND + time.tv_nsec as u64
}
