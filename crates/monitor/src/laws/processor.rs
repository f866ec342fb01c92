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
    for (number, processor) in counts.physical.iter().enumerate() {
        agree(&format!("physical processor {number}"), processor.all(now), elapsed)?;
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
    let of = |processor: &PhysicalCounts, number: usize| processor.of(number, &counts.owner, now);
    let sums = |number: usize| {
        let own = counts.physical.iter().map(|processor| of(processor, number));
        own.fold((0, 0), |(carried, switched), own| (carried + own.0, switched + own.1))
    };
    let given: Vec<(u128, u128)> = (0..plan.partitions.len()).map(sums).collect();
    let idle = counts.physical.iter().map(|processor| processor.idle(now)).sum();
    for (number, plan) in plan.partitions.iter().enumerate() {
        let own = counts.logical[counts.logical_of(number)].iter();
        let carried = own.map(|logical| logical.carried(now)).sum();
        let all = counts.physical.len() as u128 * elapsed;
        partition((&plan.name, number), (&given, idle), (carried, all))?;
    }
    Ok(())
}

/// Effective and wait time of a partition's logical processors, the management of physical ones for it, and the rest
/// add up to all time: effective + management + wait + not given.
fn partition(
    (name, number): (&str, usize),
    (given, idle): (&[(u128, u128)], u128),
    (effective_and_wait, all): (u128, u128),
) -> Result<(), Violation> {
    let (carried, management) = given[number];
    agree(&format!("partition {name}, carried"), carried, effective_and_wait)?;
    let others = given.iter().enumerate().filter(|(other, _)| *other != number);
    let others: u128 = others.map(|(_, (carried, switched))| carried + switched).sum();
    agree(&format!("partition {name}"), effective_and_wait + management + others + idle, all)
}

fn agree(of: &str, area: u128, spans: u128) -> Result<(), Violation> {
    let law = "conservation of processor time";
    if area == spans { Ok(()) } else { Err(Violation { law, of: of.into(), area, spans }) }
}
