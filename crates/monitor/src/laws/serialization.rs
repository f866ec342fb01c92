//! Laws of ENQ and DEQ: what is queued is what the service has, levels add up to spans, and what is priced is what is spent.
//!
//! Owners are known three times, from the signals, from the tasks and from the service's own queues, and all have to
//! agree.

use super::under_way::{UnderWay, within};
use super::violation::Violation;
use crate::counts::enqueue::EnqueueCounts;
use crate::counts::monitor::Monitor;
use crate::counts::serialization::ServiceCounts;
use machine::plan::Plan;
use machine::serialization::{QueuesSoFar, SoFar};
use units::Tod;

/// Checks the service over an interval that ends now.
///
/// # Errors
/// The first law that does not hold.
pub fn check(plan: &Plan, counts: &Monitor, now: Tod, (start, end): (&UnderWay, &UnderWay)) -> Result<(), Violation> {
    let (start, end) = (&start.service_of_names, &end.service_of_names);
    let rows = plan.enqueues.iter().zip(&counts.enqueues).zip(start.queues.iter().zip(&end.queues));
    for ((enqueue, counts), so_far) in rows {
        queue(&format!("resource {}", enqueue.name), counts, so_far, now)?;
    }
    let sum = |level: fn(&EnqueueCounts) -> u32| counts.enqueues.iter().map(|own| u128::from(level(own))).sum();
    agree(
        "the service has the signalled owners",
        "all resources",
        sum(|own| own.owners.level()),
        end.queued[0].into(),
    )?;
    agree(
        "the service has the signalled waiters",
        "all resources",
        sum(|own| own.waiters.level()),
        end.queued[1].into(),
    )?;
    let rows = plan.partitions.iter().zip(&counts.services).zip(start.systems.iter().zip(&end.systems));
    for ((partition, counts), so_far) in rows {
        service(&format!("ENQ and DEQ in {}", partition.name), counts, so_far, now)?;
    }
    Ok(())
}

fn queue(
    of: &str,
    counts: &EnqueueCounts,
    (start, end): (&QueuesSoFar, &QueuesSoFar),
    now: Tod,
) -> Result<(), Violation> {
    agree("no task shares what is exclusive, or waits for what is free", of, counts.broken.into(), 0)?;
    agree("signalled owners have it", of, counts.owners.level().into(), end.owning.0.into())?;
    agree("signalled waiters wait", of, counts.waiters.level().into(), end.waiting.0.into())?;
    let taken = u128::from(counts.before[0]) + u128::from(counts.at_once) + u128::from(counts.waits.count());
    agree("what is taken is released or held", of, taken, {
        u128::from(counts.holds.count()) + u128::from(counts.owners.level())
    })?;
    let asked = u128::from(counts.before[1]) + u128::from(counts.awaited);
    agree("a waiter gets it, leaves with its system or waits on", of, asked, {
        u128::from(counts.waits.count() + counts.withdrawn.count()) + u128::from(counts.waiters.level())
    })?;
    let waited = within(counts.waits.sum() + counts.withdrawn.sum(), start.waiting.1, end.waiting.1);
    agree("Little's law", &format!("waiters for {of}"), counts.waiters.area(now), waited)?;
    let held = within(counts.holds.sum(), start.owning.1, end.owning.1);
    agree("Little's law", &format!("owners of {of}"), counts.owners.area(now), held)
}

fn service(of: &str, counts: &ServiceCounts, (start, end): (&SoFar, &SoFar), now: Tod) -> Result<(), Violation> {
    agree("one at a time has the ENQ/DEQ lock", of, counts.broken.into(), 0)?;
    agree("what is called is over or under way", of, counts.under_way.level().into(), end.requests.0.into())?;
    let elapsed = counts.over.iter().map(|tally| tally.sum()).sum::<u128>() + counts.lost.sum();
    let elapsed = within(elapsed, start.requests.1, end.requests.1);
    agree("Little's law", of, counts.under_way.area(now), elapsed)?;
    let spent = counts.spent() + counts.unspent;
    agree("what is priced is spent or left", of, start.left + counts.priced, spent + end.left)?;
    let waited = within(counts.waits.sum() + counts.withdrawn.sum(), start.lock_waits, end.lock_waits);
    agree("Little's law", &format!("waiters for the lock of {of}"), counts.waiting.area(now), waited)?;
    let held = within(counts.holds.sum(), start.lock_held, end.lock_held);
    agree("Little's law", &format!("the lock of {of}"), counts.held.area(now), held)
}

fn agree(law: &'static str, of: &str, one: u128, other: u128) -> Result<(), Violation> {
    if one == other { Ok(()) } else { Err(Violation { law, of: of.to_string(), area: one, spans: other }) }
}
