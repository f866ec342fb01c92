//! A processor that is away for random spans: with more urgent work there (breakdowns), and with interrupts that are
//! handled where there is nothing else to do (vacations).

use super::closed_forms::{breakdown_number, vacation_wait};
use super::domains::dedicated;
use super::trial::Trial;
use crate::plans::{closed, exponential, io, open, plan, volume};
use kernel::distribution::Distribution;
use machine::plan::Step;
use units::Span;

/// The guest of the highest priority alternates between an exponential absence and an exponential use of the processor. To
/// the others the processor is up, and then down; they resume where they were interrupted.
#[test]
fn mm1_with_breakdowns() {
    for (per_ms, up_us, down_us) in [(0.5, 20_000, 5_000), (0.2, 4_000, 6_000)] {
        let breaks = closed(1, vec![Step::Think(exponential(up_us)), Step::Compute(exponential(down_us))]);
        let work = open(1e3 * per_ms, vec![Step::Compute(exponential(1_000))]);
        let plan = dedicated(plan(Vec::new(), vec![breaks, work]), 1);
        let trial = Trial::run(&format!("M/M/1 with breakdowns, {per_ms} per ms"), &plan, 400);
        let number = breakdown_number(per_ms, 1.0, (1e3 / up_us as f64, 1e3 / down_us as f64));
        trial.agrees("number", |interval| interval.guests[1].population.value, number);
        trial.agrees("response", |interval| interval.guests[1].cycle_ms.value, number / per_ms);
    }
}

/// A logical processor with work is not enabled for interrupts, so an interrupt is handled when the partition has no other
/// work, without interruption. There is always one, for a guest does I/Os of no length one after the other.  So handling
/// one is a vacation, and another follows where no work has arrived meanwhile.
#[test]
fn mg1_with_vacations() {
    let (half, twice) = (Span::from_us(500), Span::from_us(2_000));
    let works = [
        ("exponential", exponential(1_000), 1.0),
        ("constant", Distribution::Constant(Span::from_ms(1)), 0.0),
        ("gamma", Distribution::Gamma { mean: Span::from_ms(1), scv: 2.0 }, 2.0),
    ];
    let vacations = [
        (Distribution::Constant(twice), 2.0, 0.0),
        (Distribution::Exponential { mean: twice }, 2.0, 1.0),
        (Distribution::Hyperexponential { mean: half, scv: 4.0 }, 0.5, 4.0),
    ];
    for ((name, work, scv), (vacation, mean, vacation_scv)) in works.into_iter().zip(vacations) {
        let always = closed(1, vec![io(0)]);
        let work = open(600.0, vec![Step::Compute(work)]);
        let disk = volume("DISK", Distribution::Constant(Span::ZERO));
        let mut plan = dedicated(plan(vec![disk], vec![always, work]), 1);
        plan.partitions[0].slih = vacation;
        plan.partitions[0].enabled = 0;
        let trial = Trial::run(&format!("M/G/1 with vacations, {name}"), &plan, 100);
        let wait = vacation_wait(0.6, (1.0, scv), (mean, vacation_scv));
        trial.agrees("response", |interval| interval.guests[1].cycle_ms.value, 1.0 + wait);
    }
}
