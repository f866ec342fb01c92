//! The load that arrivals offer to volumes and pools, against what they can do at most.
//!
//! It leaves out waiting and growth of service: what is too much here is too much for certain, and queues grow without
//! end.

use crate::language::{ALIAS_POOLS, VOLUMES};
use crate::problems::Problems;
use crate::resolved::Table;
use machine::plan::{Aliasing, Arrival, Choice, Plan, Step, VolumePlan};
use units::Problem;

/// Warns of every volume and pool that more is asked of than it can do.
pub fn check(root: &Table, plan: &Plan, warnings: &mut Problems<'_>) {
    let load = offered(plan);
    let mut pools: Vec<(f64, f64)> = plan.alias_pools.iter().map(|pool| (0.0, pool.aliases.len() as f64)).collect();
    for (index, volume) in plan.volumes.iter().enumerate() {
        let servers = match &volume.aliasing {
            Aliasing::None => 1,
            Aliasing::Pav { aliases, .. } => 1 + aliases.len(),
            Aliasing::HyperPav { pool } => {
                let (load_of_pool, servers) = &mut pools[*pool];
                *load_of_pool += load[index];
                *servers += 1.0;
                1 + plan.alias_pools[*pool].aliases.len()
            }
        };
        warn(&root.tables(&VOLUMES)[index], load[index], servers as f64, warnings);
    }
    for (table, (load, servers)) in root.tables(&ALIAS_POOLS).iter().zip(pools) {
        warn(table, load, servers, warnings);
    }
}

fn warn(table: &Table, load: f64, servers: f64, warnings: &mut Problems<'_>) {
    if load >= servers && load > 0.0 {
        let problem = Problem::new(format!("arrivals keep {load:.1} exposures busy where there are {servers}"))
            .key(table.title())
            .because("the queue grows without end, and results depend on how long it was watched")
            .allowed(["fewer arrivals, shorter service, more aliases"]);
        warnings.add(table.at, problem);
    }
}

/// How many exposures of each volume the arrivals from outside keep busy.
fn offered(plan: &Plan) -> Vec<f64> {
    let mut load = vec![0.0; plan.volumes.len()];
    for guest in &plan.guests {
        if let Arrival::Open { rate } = guest.arrival {
            add(&guest.program, rate.per_second(), plan, &mut load);
        }
    }
    load
}

fn add(steps: &[Step], per_second: f64, plan: &Plan, load: &mut [f64]) {
    for step in steps {
        match step {
            Step::Think(_) | Step::Compute(_) => {}
            Step::Io(choice) => {
                for (volume, share) in shares(choice) {
                    load[volume] += per_second * share * busy_seconds(&plan.volumes[volume]);
                }
            }
            Step::Repeat { times, steps } => add(steps, per_second * f64::from(*times), plan, load),
        }
    }
}

/// Which part of the I/Os goes to which volume.
fn shares(choice: &Choice) -> Vec<(usize, f64)> {
    match choice {
        Choice::Fixed(volume) => vec![(*volume, 1.0)],
        Choice::Uniform(volumes) => volumes.iter().map(|volume| (*volume, 1.0 / volumes.len() as f64)).collect(),
        Choice::Weighted(weights) => {
            let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
            weights.iter().map(|(volume, weight)| (*volume, weight / total)).collect()
        }
    }
}

/// How long an I/O that is alone keeps its exposure.
fn busy_seconds(volume: &VolumePlan) -> f64 {
    let service = &volume.service;
    let parts = [service.pend.mean(), service.disconnect.mean(), service.connect.mean()];
    let rest = [service.connect_per_concurrent, volume.gap];
    parts.into_iter().chain(rest).map(|span| span.seconds()).sum()
}
