//! Laws of spin locks: one holder at a time, and levels that add up to the spans of passages.
//!
//! Holders are known twice, from the signals and from the machine, and both have to agree.

use crate::laws::{UnderWay, Violation, within};
use crate::spin_locks::{Row, RowCounts, SpinLockCounts, row_of, rows};
use machine::guest::Guests;
use machine::ids::Requester;
use machine::plan::Plan;
use units::Tod;

/// The locks of one name in one machine at an instant.
#[derive(Clone, Copy, Debug, Default)]
pub struct SoFar {
    /// The spin times so far of those that spin, summed, and their number.
    spun: u128,
    spinning: u32,
    /// How long each has been held that is held, summed, and how many are.
    held: u128,
    holding: u32,
}

/// All spin locks of a plan at an instant.
pub fn so_far(guests: &Guests, plan: &Plan, now: Tod) -> Vec<SoFar> {
    let mut so_far = vec![SoFar::default(); rows(plan).count()];
    if so_far.is_empty() {
        return so_far;
    }
    let row_of = row_of(plan);
    for (number, requester) in (0..).zip(&guests.requesters) {
        if let Some(lock) = guests.spins_for(Requester(number)) {
            let row = &mut so_far[row_of[lock.index()] as usize];
            row.spun += u128::from((now - requester.since).units());
            row.spinning += 1;
        }
    }
    for (lock, since) in guests.held_spin_locks() {
        let row = &mut so_far[row_of[lock.index()] as usize];
        row.held += u128::from((now - since).units());
        row.holding += 1;
    }
    so_far
}

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
