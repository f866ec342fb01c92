//! What guests hold for a while and queue for: several servers, members that are alike, terminals, and message regions in
//! which a transaction computes and does I/O.

use super::closed_forms::{mmc_queue, repairman};
use super::domains::dedicated;
use super::region_chain::Regions;
use super::trial::Trial;
use crate::plans::{closed, exponential, io, open, plan, volume};
use machine::plan::{GuestPlan, Plan, ResourcePlan, Step};

fn hold(steps: Vec<Step>) -> Step {
    Step::Hold { resource: 0, steps }
}

fn think(us: u64) -> Step {
    Step::Think(exponential(us))
}

fn compute(us: u64) -> Step {
    Step::Compute(exponential(us))
}

/// Guests and something that they hold, this many of it.
fn holding(guests: GuestPlan, count: u32, members: u32) -> Plan {
    let resources = vec![ResourcePlan { name: "REGION".into(), count, members, ..Default::default() }];
    Plan { resources, ..plan(Vec::new(), vec![guests]) }
}

#[test]
fn mmc() {
    for (count, busy, seconds) in [(1, 0.6, 80), (3, 0.7, 30), (10, 0.85, 20)] {
        let load = busy * f64::from(count);
        let plan = holding(open(1e3 * load, vec![hold(vec![think(1_000)])]), count, 1);
        let trial = Trial::run(&format!("resource, M/M/{count} at {busy}"), &plan, seconds);
        let queue = mmc_queue(count, load);
        trial.agrees("in use", |interval| interval.resources[0].in_use.value, load);
        trial.agrees("hold", |interval| interval.resources[0].hold_ms.value, 1.0);
        trial.agrees("response", |interval| interval.guests[0].cycle_ms.value, 1.0 + queue / load);
        trial.agrees("present", |i| i.resources[0].queue_depth.value + i.resources[0].in_use.value, queue + load);
    }
}

/// Poisson arrivals of which each needs a certain one of several alike: a Poisson process at each (Gross, chapter 1).
#[test]
fn mm1_of_each_member() {
    let (members, busy) = (8, 0.6);
    let load = busy * f64::from(members);
    let plan = holding(open(1e3 * load, vec![hold(vec![think(1_000)])]), 1, members);
    let trial = Trial::run("resource of 8 members", &plan, 20);
    trial.agrees("response", |interval| interval.guests[0].cycle_ms.value, 1.0 / (1.0 - busy));
    let queue = f64::from(members) * mmc_queue(1, busy);
    trial.agrees("present", |i| i.resources[0].queue_depth.value + i.resources[0].in_use.value, queue + load);
}

#[test]
fn repairman_by_resources() {
    for (count, guests, think_us) in [(1, 10, 12_000), (4, 12, 2_500)] {
        let program = vec![think(think_us), hold(vec![think(1_000)])];
        let trial =
            Trial::run(&format!("resource, M/M/{count}//{guests}"), &holding(closed(guests, program), count, 1), 40);
        let theory = repairman(count, guests, think_us as f64 / 1e3, 1.0);
        trial.agrees("takes per ms", |interval| interval.resources[0].takes_per_s.value / 1e3, theory.throughput);
        trial.agrees("waiting", |interval| interval.resources[0].queue_depth.value, theory.waiting);
    }
}

/// More regions than processors: waits for a region and waits for a processor have one cause, so both together
/// are M/M/c//N.
#[test]
fn regions_before_processors() {
    let (processors, regions, terminals) = (2, 3, 10);
    let program = vec![think(8_000), hold(vec![compute(2_000)])];
    let plan = dedicated(holding(closed(terminals, program), regions, 1), processors);
    let trial = Trial::run("regions before processors", &plan, 40);
    let theory = repairman(processors, terminals, 8.0, 2.0);
    trial.agrees("transactions per ms", |i| i.guests[0].cycles_per_s.value / 1e3, theory.throughput);
    trial.agrees("response", |i| i.guests[0].transaction_ms.value, theory.response);
}

/// A transaction computes and does an I/O in its region; the processor and the volume have queues within.
#[test]
fn regions_in_which_transactions_compute_and_do_io() {
    for regions in [1, 2, 4] {
        let theory = Regions { terminals: 9, regions, think: 20.0, compute: 1.5, io: 2.5 }.solve();
        let mut plan = holding(closed(9, vec![think(20_000), hold(vec![compute(1_500), io(0)])]), regions as u32, 1);
        plan.volumes = vec![volume("DISK", exponential(2_500))];
        let trial = Trial::run(&format!("{regions} regions"), &dedicated(plan, 1), 120);
        trial.agrees("transactions per ms", |i| i.guests[0].cycles_per_s.value / 1e3, theory.throughput);
        trial.agrees("waiting for a region", |i| i.resources[0].queue_depth.value, theory.waiting);
        trial.agrees("at the processor", |i| i.guests[0].compute_ms.value * theory.throughput, theory.computing);
        trial.agrees("response", |i| i.guests[0].transaction_ms.value, 9.0 / theory.throughput - 20.0);
    }
}
