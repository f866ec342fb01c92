//! The load that arrivals offer to volumes, pools, minidisks and partitions, against what they can do at most.
//!
//! It leaves out waiting, growth of service and recorded arrivals: what is too much here is too much for certain, and
//! queues grow without end.

use crate::language::{ALIAS_POOLS, MINIDISKS, PARTITIONS, VOLUMES};
use crate::problems::Problems;
use crate::resolved::Table;
use machine::cec::Rotation;
use machine::plan::{
    Aliasing, Arrival, Batch, CecPlan, Choice, IoPlan, MinidiskPlan, Plan, Processors, ServicePlan, Step, Target,
};
use units::Problem;

/// Warns of every volume, pool, minidisk and partition that more is asked of than it can do.
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
    let Some(cec) = &plan.cec else { return };
    for (index, (table, load)) in root.tables(&PARTITIONS).iter().zip(load.partitions).enumerate() {
        let most = processors(index, cec, plan);
        if load >= most && load > 0.0 {
            let what = format!("arrivals ask for {load:.2} processors where a partition gets {most:.2}");
            warn(table, what, "fewer arrivals, less computing, a larger share", warnings);
        }
    }
}

/// How many processors' worth a partition gets at most.
fn processors(index: usize, cec: &CecPlan, plan: &Plan) -> f64 {
    let logical = f64::from(plan.partitions[index].logical);
    if plan.partitions[index].processors == Processors::Dedicated {
        return logical;
    }
    let rotation = Rotation::new(cec, &plan.partitions);
    let sharing = plan.partitions.iter().filter(|partition| partition.processors != Processors::Dedicated).count();
    let mut turns = (0..sharing).filter_map(|number| rotation.turn(number));
    let own = turns.find(|turn| turn.partition.is_some_and(|partition| partition.index() == index));
    let slice = own.map_or(0.0, |turn| turn.slice.seconds());
    let switch = if rotation.switches() { cec.switch.seconds() } else { 0.0 };
    logical * (slice - switch) / (cec.slice.seconds() * sharing as f64)
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

/// How many exposures of each volume, of each minidisk how much, and how many processors of each partition the arrivals
/// from outside keep busy.
struct Load {
    volumes: Vec<f64>,
    minidisks: Vec<f64>,
    partitions: Vec<f64>,
}

fn offered(plan: &Plan) -> Load {
    let none = |count: usize| vec![0.0; count];
    let (volumes, minidisks) = (none(plan.volumes.len()), none(plan.minidisks.len()));
    let mut load = Load { volumes, minidisks, partitions: none(plan.partitions.len()) };
    for guest in &plan.guests {
        if let Arrival::Open { rate, batch } = &guest.arrival {
            let at_once = match batch {
                Batch::Of(size) => f64::from(*size),
                Batch::Geometric { mean } => *mean,
            };
            let partition = guest.runs_in.map(|runs_in| runs_in.partition);
            load.add((&guest.program, partition), rate.per_second() * at_once, plan);
        }
    }
    load
}

impl Load {
    /// A program, and the partition in which it runs, so many times a second.
    fn add(&mut self, (steps, partition): (&[Step], Option<usize>), per_second: f64, plan: &Plan) {
        for step in steps {
            match step {
                Step::Think(_) => {}
                Step::Compute(span) => {
                    if let Some(partition) = partition {
                        self.partitions[partition] += per_second * span.mean().seconds();
                    }
                }
                Step::Io(io) => {
                    for (target, share) in shares(&io.choice) {
                        self.add_io(io, target, per_second * share, plan);
                    }
                }
                Step::Repeat { times, steps } => self.add((steps, partition), per_second * f64::from(*times), plan),
            }
        }
    }

    fn add_io(&mut self, io: &IoPlan, target: Target, per_second: f64, plan: &Plan) {
        let service = |volume: usize| service_seconds(io, &plan.volumes[volume].service);
        let exposure = |volume: usize| service(volume) + plan.volumes[volume].gap.seconds();
        match target {
            Target::Volume(volume) => {
                self.volumes[volume] += per_second * exposure(volume);
                self.add_interrupts(volume, per_second, plan);
            }
            Target::Minidisk(minidisk) => {
                // An avoided I/O has its turn like any other.
                let MinidiskPlan { volume, cache, .. } = plan.minidisks[minidisk];
                let avoided = cache.map_or(0.0, |cache| cache.read_hits.fraction() * io.reads.fraction());
                let hit = cache.map_or(0.0, |cache| cache.time.mean().seconds());
                self.volumes[volume] += per_second * (1.0 - avoided) * exposure(volume);
                self.add_interrupts(volume, per_second * (1.0 - avoided), plan);
                self.minidisks[minidisk] += per_second * ((1.0 - avoided) * service(volume) + avoided * hit);
            }
        }
    }

    /// Each I/O of a partition ends with an interrupt, which takes one of its processors.
    fn add_interrupts(&mut self, volume: usize, per_second: f64, plan: &Plan) {
        if let Some(partition) = plan.volumes[volume].partition {
            self.partitions[partition] += per_second * plan.partitions[partition].slih.mean().seconds();
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
