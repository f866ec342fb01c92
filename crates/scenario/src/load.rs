//! The load that arrivals offer to volumes, pools and minidisks, against what they can do at most.
//!
//! It leaves out waiting, growth of service and recorded arrivals: what is too much here is too much for certain, and
//! queues grow without end.

use crate::language::{ALIAS_POOLS, MINIDISKS, VOLUMES};
use crate::problems::Problems;
use crate::resolved::Table;
use machine::plan::{Aliasing, Arrival, Batch, Choice, IoPlan, MinidiskPlan, Plan, ServicePlan, Step, Target};
use units::Problem;

/// Warns of every volume, pool and minidisk that more is asked of than it can do.
pub fn check(root: &Table, plan: &Plan, warnings: &mut Problems<'_>) {
    let load = offered(plan);
    let mut pools: Vec<(f64, f64)> = plan.alias_pools.iter().map(|pool| (0.0, pool.aliases.len() as f64)).collect();
    for (index, volume) in plan.volumes.iter().enumerate() {
        let servers = match &volume.aliasing {
            Aliasing::None => 1,
            Aliasing::Pav { aliases, .. } => 1 + aliases.len(),
            Aliasing::HyperPav { pool } => {
                let (load_of_pool, servers) = &mut pools[*pool];
                *load_of_pool += load.volumes[index];
                *servers += 1.0;
                1 + plan.alias_pools[*pool].aliases.len()
            }
        };
        warn_exposures(&root.tables(&VOLUMES)[index], (load.volumes[index], servers as f64), warnings);
    }
    for (table, load) in root.tables(&ALIAS_POOLS).iter().zip(pools) {
        warn_exposures(table, load, warnings);
    }
    for (table, load) in root.tables(&MINIDISKS).iter().zip(load.minidisks) {
        if load >= 1.0 {
            let what = format!("arrivals ask for {load:.1} times what a minidisk can do, one I/O at a time");
            warn(table, what, "fewer arrivals, shorter service, more minidisks", warnings);
        }
    }
}

fn warn_exposures(table: &Table, (load, servers): (f64, f64), warnings: &mut Problems<'_>) {
    if load >= servers && load > 0.0 {
        let what = format!("arrivals keep {load:.1} exposures busy where there are {servers}");
        warn(table, what, "fewer arrivals, shorter service, more aliases", warnings);
    }
}

fn warn(table: &Table, what: String, allowed: &str, warnings: &mut Problems<'_>) {
    let why = "the queue grows without end, and results depend on how long it was watched";
    warnings.add(table.at, Problem::new(what).key(table.title()).because(why).allowed([allowed]));
}

/// How many exposures of each volume, and of each minidisk how much, the arrivals from outside keep busy.
struct Load {
    volumes: Vec<f64>,
    minidisks: Vec<f64>,
}

fn offered(plan: &Plan) -> Load {
    let mut load = Load { volumes: vec![0.0; plan.volumes.len()], minidisks: vec![0.0; plan.minidisks.len()] };
    for guest in &plan.guests {
        if let Arrival::Open { rate, batch } = &guest.arrival {
            let at_once = match batch {
                Batch::Of(size) => f64::from(*size),
                Batch::Geometric { mean } => *mean,
            };
            load.add(&guest.program, rate.per_second() * at_once, plan);
        }
    }
    load
}

impl Load {
    fn add(&mut self, steps: &[Step], per_second: f64, plan: &Plan) {
        for step in steps {
            match step {
                Step::Think(_) | Step::Compute(_) => {}
                Step::Io(io) => {
                    for (target, share) in shares(&io.choice) {
                        self.add_io(io, target, per_second * share, plan);
                    }
                }
                Step::Repeat { times, steps } => self.add(steps, per_second * f64::from(*times), plan),
            }
        }
    }

    fn add_io(&mut self, io: &IoPlan, target: Target, per_second: f64, plan: &Plan) {
        let service = |volume: usize| service_seconds(io, &plan.volumes[volume].service);
        let exposure = |volume: usize| service(volume) + plan.volumes[volume].gap.seconds();
        match target {
            Target::Volume(volume) => self.volumes[volume] += per_second * exposure(volume),
            Target::Minidisk(minidisk) => {
                // An avoided I/O has its turn like any other.
                let MinidiskPlan { volume, cache, .. } = plan.minidisks[minidisk];
                let avoided = cache.map_or(0.0, |cache| cache.read_hits.fraction() * io.reads.fraction());
                let hit = cache.map_or(0.0, |cache| cache.time.mean().seconds());
                self.volumes[volume] += per_second * (1.0 - avoided) * exposure(volume);
                self.minidisks[minidisk] += per_second * ((1.0 - avoided) * service(volume) + avoided * hit);
            }
        }
    }
}

/// Which part of the I/Os goes where.
fn shares(choice: &Choice) -> Vec<(Target, f64)> {
    match choice {
        Choice::Fixed(target) => vec![(*target, 1.0)],
        Choice::Uniform(targets) => targets.iter().map(|target| (*target, 1.0 / targets.len() as f64)).collect(),
        Choice::Weighted(weights) => {
            let total: f64 = weights.iter().map(|(_, weight)| weight).sum();
            weights.iter().map(|(target, weight)| (*target, weight / total)).collect()
        }
    }
}

/// How long an I/O that is alone takes.
fn service_seconds(io: &IoPlan, service: &ServicePlan) -> f64 {
    let parts =
        [service.pend.mean(), service.disconnect.mean(), service.connect.mean(), service.connect_per_concurrent];
    let transfer = service.connect_per_kib.seconds() * f64::from(io.bytes) / 1_024.0;
    parts.into_iter().map(|span| span.seconds()).sum::<f64>() + transfer
}
