//! Conservation of time in control programs: the use of time by processors, and the states of virtual processors.
//!
//! The state of a logical processor and its use of time are separate accounts, and so are charges by account and by
//! place.

use super::under_way::UnderWay;
use super::violation::Violation;
use crate::counts::control_program::{ControlCounts, LockCounts, Sums, Windows};
use crate::counts::diagnose::{Diagnoses, Outcomes};
use crate::counts::monitor::Monitor;
use crate::counts::virtual_processor as virtuals;
use machine::plan::Plan;
use machine::signal::VirtualStanding;
use units::{Span, Tod};

/// Checks the control programs over an interval of this length that ends now.
///
/// # Errors
/// The first law that does not hold.
pub fn check(
    plan: &Plan,
    counts: &Monitor,
    (start, end): (&UnderWay, &UnderWay),
    (elapsed, now): (Span, Tod),
) -> Result<(), Violation> {
    let control = &counts.control;
    if control.logical.is_empty() {
        return Ok(());
    }
    let (logical, virtual_sums) = control.within(&start.spent, &end.spent);
    for (number, (spent, stood)) in logical.iter().zip(&counts.logical).enumerate() {
        let own = &plan.partitions[counts.owner[number]];
        if own.control_program.is_none() {
            continue;
        }
        let of = || format!("logical processor {number}, of partition {}", own.name);
        agree("conservation of processor time", of, stood.busy(now), spent.busy().into())?;
        at_most("spinning is a part of the control program's time", of, spent.spin, spent.system)?;
        at_most("guests spin in their own time", of, spent.spinning, spent.emulation)?;
    }
    at_most("warm caches are no slower than cold ones", || "all stretches".into(), control.contradicted, 0)?;
    for (number, (counts, standing)) in control.virtuals.iter().zip(&end.standings).enumerate() {
        let of = || virtuals::name(plan, number);
        agree("states are those that were signalled", of, counts.standing() as u128, *standing as u128)?;
    }
    charged(plan, counts, (&logical, &virtual_sums))?;
    diagnosed(plan, counts)?;
    intercepted(plan, counts)?;
    looped(plan, counts)?;
    stood(plan, control, &virtual_sums, (elapsed, now))
}

/// The charges of virtual processors equal the charges by their partition's logical processors.
fn charged(plan: &Plan, counts: &Monitor, (logical, by_number): (&[Sums], &[Sums])) -> Result<(), Violation> {
    let mut by_virtual = vec![0u128; plan.partitions.len()];
    for (kind, own) in virtuals::kinds(plan) {
        by_virtual[kind.partition] += u128::from(Sums::together(&by_number[own]).charged());
    }
    let mut by_logical = vec![0u128; plan.partitions.len()];
    for (spent, owner) in logical.iter().zip(&counts.owner) {
        by_logical[*owner] += u128::from(spent.charged());
    }
    for (number, partition) in plan.partitions.iter().enumerate() {
        let of = || format!("charged time of partition {}", partition.name);
        agree("conservation of processor time", of, by_logical[number], by_virtual[number])?;
    }
    Ok(())
}

/// The outcomes of yields on the logical processors of a partition equal the yields of its virtual processors.
fn diagnosed(plan: &Plan, counts: &Monitor) -> Result<(), Violation> {
    let control = &counts.control;
    for (number, partition) in plan.partitions.iter().enumerate() {
        let own = control.logical[counts.logical_of(number)].iter();
        let came = Outcomes::together(own.map(|counts| &counts.yields)).issued();
        let own = virtuals::kinds(plan).filter(|(kind, _)| kind.partition == number).flat_map(|(_, own)| own);
        let issued = Diagnoses::together(own.map(|own| &control.virtuals[own].diagnoses));
        let each = |all: Diagnoses| [all.fast_x44, all.slow_x44, all.x9c, all.sensed, all.halts, all.kicks, all.loops];
        for (came, issued) in each(came).into_iter().zip(each(issued)) {
            let of = || format!("yields in partition {}", partition.name);
            agree("every DIAGNOSE has an outcome", of, came.into(), issued.into())?;
        }
    }
    Ok(())
}

/// Loops are intercepted after windows between the first and the longest.
fn looped(plan: &Plan, counts: &Monitor) -> Result<(), Violation> {
    for (number, partition) in plan.partitions.iter().enumerate() {
        let Some(program) = &partition.control_program else { continue };
        let seen = Windows::together(counts.control.logical[counts.logical_of(number)].iter().map(|own| &own.windows));
        let of = || format!("loops in partition {}", partition.name);
        let [first, most] =
            [program.pause_loop.window, program.pause_loop.most].map(|window| seen.exits * window.units());
        at_most("a window is no shorter than the first one", of, first, seen.length)?;
        at_most("a window is no longer than the longest one", of, seen.length, most)?;
    }
    Ok(())
}

/// The intercepts on the logical processors of a partition equal those of its virtual processors.
fn intercepted(plan: &Plan, counts: &Monitor) -> Result<(), Violation> {
    let mut by_virtual = vec![0u64; plan.partitions.len()];
    for (kind, own) in virtuals::kinds(plan) {
        by_virtual[kind.partition] += counts.control.virtuals[own].iter().map(|own| own.intercepts).sum::<u64>();
    }
    let mut by_logical = vec![0u64; plan.partitions.len()];
    for (processor, owner) in counts.control.logical.iter().zip(&counts.owner) {
        by_logical[*owner] += processor.intercepts;
    }
    for (number, partition) in plan.partitions.iter().enumerate() {
        let of = || format!("intercepts in partition {}", partition.name);
        let (on, by) = (by_logical[number], by_virtual[number]);
        agree("every instruction is issued on a processor", of, on.into(), by.into())?;
    }
    Ok(())
}

/// A virtual processor is in one state at a time, and is charged only for the time that it ran.
fn stood(plan: &Plan, control: &ControlCounts, sums: &[Sums], (elapsed, now): (Span, Tod)) -> Result<(), Violation> {
    for (number, (counts, spent)) in control.virtuals.iter().zip(sums).enumerate() {
        let of = || virtuals::name(plan, number);
        let all: u64 = STANDINGS.iter().map(|standing| counts.area(*standing, now)).sum();
        agree("conservation of virtual processors", of, all.into(), elapsed.units().into())?;
        let running = counts.area(VirtualStanding::Running, now);
        at_most("a virtual processor is charged only while it runs", of, spent.charged(), running)?;
    }
    let locks = control.logical.iter().flat_map(|counts| &counts.lock);
    let lock = LockCounts::together(locks);
    at_most("a collision is a time that a lock was taken", || "all scheduler locks".into(), lock.collisions, lock.taken)
}

const STANDINGS: [VirtualStanding; 7] = [
    VirtualStanding::Idle,
    VirtualStanding::Waking,
    VirtualStanding::Ready,
    VirtualStanding::Running,
    VirtualStanding::Interrupted,
    VirtualStanding::Limited,
    VirtualStanding::Halted,
];

fn at_most(law: &'static str, of: impl Fn() -> String, part: u64, whole: u64) -> Result<(), Violation> {
    if part <= whole { Ok(()) } else { Err(Violation { law, of: of(), area: whole.into(), spans: part.into() }) }
}

fn agree(law: &'static str, of: impl Fn() -> String, area: u128, spans: u128) -> Result<(), Violation> {
    if area == spans { Ok(()) } else { Err(Violation { law, of: of(), area, spans }) }
}
