//! Conservation of processor time: what physical processors gave away is what logical ones had, and both add up to
//! elapsed time, in whole units of the TOD clock.
//!
//! Logical and physical processors are counted apart, and elapsed time is that of the machine's clock.

use super::violation::Violation;
use crate::counts::monitor::Monitor;
use crate::counts::processor::PhysicalCounts;
use machine::plan::Plan;
use units::{Span, Tod};

/// Checks the processors over an interval of this length that ends now.
///
/// # Errors
/// The first law that does not hold.
pub fn check(plan: &Plan, counts: &Monitor, elapsed: Span, now: Tod) -> Result<(), Violation> {
    let elapsed = u128::from(elapsed.units());
    let mut physical = counts.physical.clone();
    physical.iter_mut().for_each(|processor| processor.close(now, &counts.owner));
    for (number, processor) in physical.iter().enumerate() {
        agree(&format!("physical processor {number}"), processor.all(), elapsed)?;
    }
    for (number, logical) in counts.logical.iter().enumerate() {
        let name = &plan.partitions[counts.owner[number]].name;
        let all = logical.carried(now) + logical.not_carried(now);
        let title = format!("logical processor {number}, of partition {name}");
        agree(&title, all, elapsed)?;
        let (carried, online) = (logical.carried(now), counts.online[number].area(now));
        if carried > online {
            return Err(Violation { law: "no dispatch offline", of: title, area: carried, spans: online });
        }
    }
    for number in 0..plan.partitions.len() {
        partition(plan, counts, (&physical, number), (elapsed, now))?;
    }
    Ok(())
}

/// Effective and wait time of a partition's logical processors, the management of physical ones for it, and the rest
/// add up to all time: effective + management + wait + not given.
fn partition(
    plan: &Plan,
    counts: &Monitor,
    (physical, number): (&[PhysicalCounts], usize),
    (elapsed, now): (u128, Tod),
) -> Result<(), Violation> {
    let name = &plan.partitions[number].name;
    let own = counts.logical.iter().zip(&counts.owner).filter(|(_, owner)| **owner == number);
    let effective_and_wait: u128 = own.map(|(logical, _)| logical.carried(now)).sum();
    let sum = |of: &dyn Fn(&PhysicalCounts) -> u128| physical.iter().map(of).sum::<u128>();
    agree(&format!("partition {name}, carried"), sum(&|processor| processor.of(number).0), effective_and_wait)?;
    let management = sum(&|processor| processor.of(number).1);
    let others = (0..plan.partitions.len()).filter(|other| *other != number);
    let given: u128 = others.map(|other| sum(&|processor| processor.of(other).0 + processor.of(other).1)).sum();
    let not_given = given + sum(&PhysicalCounts::idle);
    let all = effective_and_wait + management + not_given;
    agree(&format!("partition {name}"), all, physical.len() as u128 * elapsed)
}

fn agree(of: &str, area: u128, spans: u128) -> Result<(), Violation> {
    let law = "conservation of processor time";
    if area == spans { Ok(()) } else { Err(Violation { law, of: of.into(), area, spans }) }
}
