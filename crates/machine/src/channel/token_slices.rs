//! Token slices: a limit on the I/Os a second that may start, kept in slices as Linux's blk-throttle keeps one.
//!
//! Tokens do not come one by one.  Those of a whole slice are there at its beginning, and an I/O that finds none waits
//! for the next slice.

use crate::ids::Exposure;
use crate::plan::IoLimitPlan;
use std::collections::VecDeque;
use units::{Span, Tod};

/// The limit of a volume, and the I/Os that wait for its tokens.
#[derive(Clone, Debug)]
pub struct TokenSlices {
    /// Thousandths of an I/O a second.
    rate: u128,
    /// Length of a slice, in ticks of the clock.
    slice: u64,
    /// A tick of the clock, in TOD-clock units.
    tick: u64,
    /// How long before the start of the run the clock was zero.
    offset: u64,
    /// One tick where the clock ticks: a timer is never early, so it ends in the tick after its last.
    late: u64,
    /// The tick from which tokens are counted.
    start: u64,
    /// After this tick a volume that nothing waits for begins anew.
    end: u64,
    /// Tokens used since `start`.
    used: u64,
    /// I/Os without a token, first come, first served.
    waiting: VecDeque<Exposure>,
}

/// TOD-clock units of a thousand seconds: with thousandths of an I/O a second, the tokens of a tick are whole.
const THOUSAND_SECONDS: u128 = 1_000_000 * Span::from_ms(1).units() as u128;

impl TokenSlices {
    /// A limit that has given no token yet; at most `room` I/Os wait.  `drawn`, from 0 to 1, is the position of its clock
    /// in a slice.
    pub fn new(plan: &IoLimitPlan, room: usize, drawn: f64) -> Self {
        let (tick, ticks) = (plan.tick.units().max(1), !plan.tick.is_zero());
        let offset = if ticks { (drawn * plan.slice.units() as f64) as u64 } else { 0 };
        TokenSlices {
            rate: u128::from(plan.per_1000_s),
            slice: plan.slice.units() / tick,
            tick,
            offset,
            late: u64::from(ticks),
            start: 0,
            end: 0,
            used: 0,
            waiting: VecDeque::with_capacity(room),
        }
    }

    /// The I/O that has waited longest.
    pub(super) fn first(&self) -> Option<Exposure> {
        self.waiting.front().copied()
    }

    /// Whether this I/O waits for a token.
    pub(super) fn has_waiting(&self, exposure: Exposure) -> bool {
        self.waiting.contains(&exposure)
    }

    /// An I/O takes a token if none waits and there is one (`tg_within_limit`).
    pub(super) fn admit(&mut self, now: Tod) -> bool {
        let now = self.ticks(now);
        let admitted = self.waiting.is_empty() && self.wait(now) == 0;
        if admitted {
            self.charge(now);
        }
        admitted
    }

    /// An I/O that has found no token waits behind the others; when the timer is to end, if it is the first.
    pub(super) fn join(&mut self, exposure: Exposure, now: Tod) -> Option<Tod> {
        self.waiting.push_back(exposure);
        (self.waiting.len() == 1).then(|| self.timer(now))
    }

    /// The I/O that has waited longest takes a token if there is one (`throtl_dispatch_tg`).
    pub(super) fn dispatch(&mut self, now: Tod) -> Option<Exposure> {
        let now = self.ticks(now);
        if self.waiting.is_empty() || self.wait(now) > 0 {
            return None;
        }
        self.charge(now);
        self.waiting.pop_front()
    }

    /// When the I/O that has waited longest looks again (`tg_update_disptime`); timers end with a tick.
    pub(super) fn timer(&mut self, now: Tod) -> Tod {
        let ticks = self.ticks(now);
        let due = (ticks + self.wait(ticks) + self.late) * self.tick;
        now + Span::from_units((due - self.offset) - now.units())
    }

    fn ticks(&self, now: Tod) -> u64 {
        (now.units() + self.offset) / self.tick
    }

    /// Tokens of this many ticks (`calculate_io_allowed`).
    fn tokens(&self, ticks: u64) -> u64 {
        (self.rate * u128::from(ticks) * u128::from(self.tick) / THOUSAND_SECONDS) as u64
    }

    /// How many ticks until there is a token: none, or the rest of the slice, and at least the time of one I/O
    /// (`tg_within_iops_limit`).  Before, a slice that is over begins anew or goes on (`tg_update_slice`).
    fn wait(&mut self, now: u64) -> u64 {
        if self.is_over(now) && self.waiting.is_empty() {
            (self.used, self.start, self.end) = (0, now, now + self.slice);
        } else {
            self.extend(now + self.slice);
        }
        let elapsed = now - self.start;
        let rounded = (elapsed + 1).next_multiple_of(self.slice);
        if self.used < self.tokens(rounded) {
            return 0;
        }
        let single = (THOUSAND_SECONDS / self.rate / u128::from(self.tick)) as u64 + 1;
        let wait = (rounded - elapsed).max(single);
        self.extend(now + wait);
        wait
    }

    /// Uses a token, and drops all slices but the last that were left behind (`throtl_trim_slice`): tokens of one
    /// slice that no I/O took may be taken in the next, older ones are lost.
    fn charge(&mut self, now: u64) {
        self.used += 1;
        if self.is_over(now) {
            return;
        }
        self.end = (now + self.slice).next_multiple_of(self.slice);
        let slices = (now - self.start) / self.slice;
        if slices < 2 {
            return;
        }
        let passed = (slices - 1) * self.slice;
        let tokens = self.tokens(passed);
        let trimmed = if tokens == 0 { self.used } else { self.used.min(tokens) };
        if trimmed > 0 {
            self.used -= trimmed;
            self.start += passed;
        }
    }

    /// `throtl_slice_used`.
    fn is_over(&self, now: u64) -> bool {
        !(self.start..=self.end).contains(&now)
    }

    /// `throtl_extend_slice`: ends are whole slices of the clock.
    fn extend(&mut self, to: u64) {
        if self.end < to {
            self.end = to.next_multiple_of(self.slice);
        }
    }
}
