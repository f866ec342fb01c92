//! The scheduler lock against queueing theory: alone, as the one server of processors that come and go, and in a control
//! program, where virtual processors make list operations.

use super::closed_forms::{finite_source_fixed, mg1_wait, most_throughput};
use super::trial::Trial;
use crate::plans::virtual_machines::{free, machines, under};
use crate::plans::{closed, exponential};
use kernel::distribution::Distribution;
use kernel::draw::Streams;
use machine::control_program::scheduler_lock::SchedulerLock;
use machine::plan::{ControlProgramPlan, LockMode, LockPlan, SrmPlan, Step};
use monitor::{Measurement, replicate};
use units::{Span, Tod};

fn lock(hold: Span, per_waiter: Span) -> LockPlan {
    LockPlan { mode: LockMode::Exclusive, hold, per_waiter, ..LockPlan::default() }
}

/// A lock of processors that come and go: how often it is acquired per us, and how long one spins, in us.
struct Seen {
    per_us: f64,
    spin_us: f64,
}

/// This many processors, each away for an exponential time with this mean between two list operations.
fn come_and_go(plan: &LockPlan, processors: u32, away: Span, operations: u32, seed: u64) -> Seen {
    let mut lock = SchedulerLock::new(plan, processors);
    let mut draw = Streams::new(seed, 0).stream("away");
    let sampler = Distribution::Exponential { mean: away }.sampler();
    let mut next: Vec<Tod> = (0..processors).map(|_| Tod::START + sampler.draw(&mut draw)).collect();
    let (mut spun, mut now) = (Span::ZERO, Tod::START);
    for _ in 0..operations {
        let first = (0..next.len()).min_by_key(|number| next[*number]).expect("there are some");
        now = next[first];
        let work = lock.take(true, now);
        spun += work.spin;
        next[first] = now + work.spin + work.hold + sampler.draw(&mut draw);
    }
    let operations = f64::from(operations);
    let elapsed_us = now.since(Tod::START).ms() * 1e3;
    Seen { per_us: operations / elapsed_us, spin_us: spun.ms() * 1e3 / operations }
}

/// The mean of independent runs is within five standard errors of theory, and those below half a percent.
#[track_caller]
fn agrees(what: &str, values: &[f64], theory: f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let variance = values.iter().map(|value| (value - mean).powi(2)).sum::<f64>() / (n - 1.0);
    let error = (variance / n).sqrt();
    println!("{what}: {mean} against {theory}, {:+.2} standard errors", (mean - theory) / error);
    assert!(error < 0.005 * theory, "{what}: standard error {error} of {theory}");
    assert!((mean - theory).abs() < 5.0 * error, "{what}: {mean} against {theory}");
}

#[test]
fn processors_that_come_and_go_are_the_machines_of_a_repairman_with_fixed_repairs() {
    for (processors, away_us) in [(2, 3), (8, 5), (16, 30)] {
        let plan = lock(Span::from_us(1), Span::ZERO);
        let runs: Vec<Seen> =
            (0..20).map(|seed| come_and_go(&plan, processors, Span::from_us(away_us), 40_000, seed)).collect();
        let theory = finite_source_fixed(processors, away_us as f64, 1.0);
        let name = format!("M/D/1//{processors}");
        agrees(&format!("{name}, taken per us"), &runs.iter().map(|s| s.per_us).collect::<Vec<_>>(), theory.throughput);
        let spins: Vec<f64> = runs.iter().map(|seen| seen.spin_us).collect();
        agrees(&format!("{name}, spin"), &spins, theory.response - 1.0);
    }
}

/// Very many that come very rarely are Poisson arrivals: Pollaczek and Khinchine, of fixed holds.
#[test]
fn many_that_come_rarely_wait_as_in_an_open_queue() {
    let (busy, processors) = (0.6, 400);
    let plan = lock(Span::from_us(10), Span::ZERO);
    let away = Span::from_units((f64::from(processors) * 10.0 / busy * 4096.0) as u64);
    let runs: Vec<f64> = (0..20).map(|seed| come_and_go(&plan, processors, away, 60_000, seed).spin_us).collect();
    let theory = finite_source_fixed(processors, away.ms() * 1e3, 10.0);
    agrees("M/D/1//400, spin", &runs, theory.response - 10.0);
    let open = mg1_wait(busy / 10.0, 10.0, 0.0);
    assert!((theory.response - 10.0) / open > 0.97, "a finite source is almost an open one");
}

/// All processors always want it: each holds it for what it takes alone and what those that were there add.
#[test]
fn none_away_all_wait() {
    for (processors, per_waiter_us) in [(1, 5), (4, 0), (16, 2)] {
        let plan = lock(Span::from_us(1), Span::from_us(per_waiter_us));
        let seen = come_and_go(&plan, processors, Span::from_units(1), 20_000, 1);
        let hold = 1.0 + (per_waiter_us * u64::from(processors - 1)) as f64;
        assert!((seen.per_us * hold - 1.0).abs() < 2e-3, "{} per us, not 1/{hold}", seen.per_us);
        assert!((seen.spin_us / hold - f64::from(processors - 1)).abs() < 2e-2 * hold, "{} us", seen.spin_us);
    }
}

/// Virtual processors that always compute, in slices: each end of a slice is a list operation.  All slices are alike, so
/// that the processors fall into a fixed order. N processors do `1 / hold` of them in all. With less load they do as many
/// as if each had a lock of its own, `N / (slice + hold)` (Lazowska 5.2, which fixed times reach).
#[test]
fn slices_are_bounded_by_the_list_operations_that_they_end_with() {
    for (processors, slice_us, hold_us) in [(1, 500, 20), (4, 500, 20), (8, 400, 50), (16, 400, 60)] {
        let control_program = ControlProgramPlan {
            srm: SrmPlan { slice: Span::from_us(slice_us), ..free().srm },
            lock: lock(Span::from_us(hold_us), Span::ZERO),
            ..free()
        };
        let virtuals = 2 * processors;
        let always = closed(virtuals, vec![Step::Compute(Distribution::Constant(Span::SECOND * 60))]);
        let plan = under(control_program, processors, [(machines(virtuals, 1), always)]);
        let measurement =
            Measurement { warm_up: Span::from_ms(100), interval: Span::SECOND, intervals: 1, sample: Span::SECOND };
        let run = replicate(&plan, &Streams::new(1, 0), &measurement, "lock", |_| true).expect("the laws hold");
        let (row, all) = (&run[0].locks[0], &run[0].control_programs[0]);
        let most = most_throughput(processors, slice_us as f64, &[hold_us as f64]) * 1e6;
        let close = |seen: f64, expected: f64| (seen - expected).abs() <= 2e-3 * expected.max(1.0);
        assert!(close(row.taken_per_s.value, most), "{} list operations, not {most}", row.taken_per_s.value);
        let guests = most * slice_us as f64 / 1e4;
        assert!(close(all.guests_percent.value, guests), "{} of guests, not {guests}", all.guests_percent.value);
        let spun = 100.0 * f64::from(processors) - most * (slice_us + hold_us) as f64 / 1e4;
        assert!(close(row.spin_percent.value, spun), "{} % spun, not {spun}", row.spin_percent.value);
    }
}

/// With think times and bursts that vary, the lock has no more than it can hold, and all busy time is charged.
#[test]
fn bursts_are_bounded_by_the_list_operations_that_they_make() {
    for (virtuals, hold_us) in [(4, 20), (16, 20), (16, 60)] {
        let control_program = ControlProgramPlan { lock: lock(Span::from_us(hold_us), Span::ZERO), ..free() };
        let program = vec![Step::Think(exponential(500)), Step::Compute(exponential(300))];
        let plan = under(control_program, virtuals, [(machines(virtuals, 1), closed(virtuals, program))]);
        let trial = Trial::run(&format!("lock of {hold_us} us, {virtuals} virtual processors"), &plan, 2);
        let mean = |seen: fn(&measures::IntervalTotals) -> f64| trial.of(seen).iter().sum::<f64>() / 30.0;
        let bursts = mean(|interval| interval.guests[0].cycles_per_s.value / 1e3);
        let taken = mean(|interval| interval.locks[0].taken_per_s.value / 1e3);
        let (spun, held) = (mean(|interval| interval.locks[0].spin_s_per_s.value), taken * hold_us as f64 / 1e3);
        assert!(
            (taken / bursts - 2.0).abs() < 0.01,
            "a virtual processor joins and leaves once a burst: {taken} and {bursts}"
        );
        assert!(held <= 1.002, "one at a time: {held}");
        let system = mean(|interval| interval.control_programs[0].nonchargeable_cp_percent.value / 100.0);
        assert!((system / (spun + held) - 1.0).abs() < 1e-3, "{system} is spinning, {spun}, and holding, {held}");
        // At most one list operation of a cycle, that of leaving, goes on while the guest thinks.
        let most = most_throughput(virtuals, 0.8, &[hold_us as f64 / 1e3]).min(1e3 / (2 * hold_us) as f64);
        assert!(bursts <= most * 1.005, "{bursts} bursts per ms, at most {most}");
    }
}
