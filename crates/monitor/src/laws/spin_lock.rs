//! Laws of spin locks: one holder at a time, and levels that add up to the spans of passages.
//!
//! Holders are known twice, from the signals and from the machine, and both have to agree.

use super::so_far::SpinLocksSoFar as SoFar;
use super::under_way::{UnderWay, within};
use super::violation::Violation;
use crate::counts::spin_lock::{Row, RowCounts, SpinLockCounts, rows};
use machine::plan::Plan;
use units::Tod;

/// Checks the spin locks over an interval that ends now.
///
/// # Errors
/// The first law that does not hold.
pub fn check(
    plan: &Plan,
    counts: &SpinLockCounts,
    (start, end): (&UnderWay, &UnderWay),
    now: Tod,
) -> Result<(), Violation> {
    agree("mutual exclusion", &|| "all spin locks".into(), counts.broken.into(), 0)?;
    for ((row, counts), (start, end)) in rows(plan).zip(&counts.rows).zip(start.spin_locks.iter().zip(&end.spin_locks))
    {
        check_row(&|| name(plan, &row), counts, (start, end), now)?;
    }
    Ok(())
}

fn check_row(
    of: &impl Fn() -> String,
    counts: &RowCounts,
    (start, end): (&SoFar, &SoFar),
    now: Tod,
) -> Result<(), Violation> {
    let (holding, before) = counts.holding();
    agree("what is held is what was taken", of, holding.into(), end.holding.into())?;
    agree("what is taken is given back or held", of, u128::from(before) + u128::from(counts.taken), {
        u128::from(holding) + u128::from(counts.given)
    })?;
    agree("a guest that began to spin spins or has taken it", of, counts.spinning.level().into(), end.spinning.into())?;
    let spun = within(counts.wait, start.spun, end.spun);
    agree("Little's law", &|| format!("guests that spin for {}", of()), counts.spinning.area(now), spun)?;
    let held = within(counts.held, start.held, end.held);
    agree("Little's law", &|| format!("holders of {}", of()), counts.area(now), held)
}

/// "spin lock dcache of CLIENT 1".
fn name(plan: &Plan, row: &Row) -> String {
    let kind = &plan.virtual_machines[row.lock.machines];
    format!("spin lock {} of {} {}", row.lock.name, kind.name, row.machine)
}

fn agree(law: &'static str, of: &impl Fn() -> String, area: u128, spans: u128) -> Result<(), Violation> {
    if area == spans { Ok(()) } else { Err(Violation { law, of: of(), area, spans }) }
}
