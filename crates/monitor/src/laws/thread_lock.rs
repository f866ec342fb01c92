//! Laws of locks that threads share: one holder at a time, and levels that add up to the spans of passages.
//!
//! Holders and waiters are known twice, from the signals and from the machine, and both have to agree.

use super::so_far::ThreadLockSoFar as SoFar;
use super::under_way::{UnderWay, within};
use super::violation::Violation;
use crate::counts::thread_lock::ThreadLockCounts;
use machine::plan::Plan;
use units::Tod;

/// Checks the locks of threads over an interval that ends now.
///
/// # Errors
/// The first law that does not hold.
pub fn check(
    plan: &Plan,
    counts: &[ThreadLockCounts],
    (start, end): (&UnderWay, &UnderWay),
    now: Tod,
) -> Result<(), Violation> {
    let ends = start.thread_locks.iter().zip(&end.thread_locks);
    for ((lock, counts), ends) in plan.thread_locks.iter().zip(counts).zip(ends) {
        check_lock(&format!("thread lock {}", lock.name), counts, ends, now)?;
    }
    Ok(())
}

fn check_lock(of: &str, counts: &ThreadLockCounts, (start, end): (&SoFar, &SoFar), now: Tod) -> Result<(), Violation> {
    let agree =
        |law, area, spans| if area == spans { Ok(()) } else { Err(Violation { law, of: of.into(), area, spans }) };
    let (holds, held) = counts.holding();
    agree("mutual exclusion", counts.broken.into(), 0)?;
    agree("what is held is what was taken", holds.into(), end.holding.into())?;
    agree("what is taken is given back or held", u128::from(held) + u128::from(counts.taken), {
        u128::from(holds) + u128::from(counts.given)
    })?;
    agree("a thread that began to wait waits or has taken it", counts.waiting.level().into(), end.waiting.into())?;
    let waited = within(counts.wait, start.waited, end.waited);
    agree("Little's law of waiters", counts.waiting.area(now), waited)?;
    agree("Little's law of holders", counts.holding.area(now), within(counts.held, start.held, end.held))
}
