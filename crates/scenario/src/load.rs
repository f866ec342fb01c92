//! The load that arrivals offer to volumes, pools, minidisks, resources, front ends, partitions and virtual machines,
//! against what they can do at most.
//!
//! It leaves out waiting, growth of service and recorded arrivals: what is too much here is too much for certain, and
//! queues grow without end.

mod offered;

use crate::language::{ALIAS_POOLS, CGROUPS, FRONT_ENDS, MINIDISKS, PARTITIONS, RESOURCES, VIRTUAL_MACHINES, VOLUMES};
use crate::problems::Problems;
use crate::resolved::Table;
use machine::cec::Rotation;
use machine::plan::{
    Aliasing, CecPlan, CgroupPlan, DispatcherPlan, PartitionPlan, Plan, Processors, VirtualMachinePlan, WeightPlan,
};
use offered::offered;
use units::Problem;

/// Warns of everything that more is asked of than it can do.
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
    for ((table, load), resource) in root.tables(&RESOURCES).iter().zip(load.resources).zip(&plan.resources) {
        let units = f64::from(resource.count) * f64::from(resource.members);
        if load >= units {
            let what = format!("arrivals hold {load:.1} units of a resource where there are {units}");
            warn(table, what, "fewer arrivals, shorter holds, more units", warnings);
        }
    }
    for (table, load) in root.tables(&FRONT_ENDS).iter().zip(load.front_ends) {
        if load >= 1.0 {
            let what = format!("arrivals ask for {load:.1} times what a front end can carry, one I/O at a time");
            warn(table, what, "fewer messages, more of them on an I/O, shorter service", warnings);
        }
    }
    let Some(cec) = &plan.cec else { return };
    // There are no partitions where there are groups of threads.
    let holders = root.tables(&PARTITIONS).iter().chain(root.tables(&CGROUPS));
    for (index, (table, load)) in holders.zip(load.partitions).enumerate() {
        let most = processors(index, cec, plan);
        if load >= most && load > 0.0 {
            let what = format!("arrivals ask for {load:.2} processors where {} gets {most:.2}", table.spec.noun());
            warn(table, what, "fewer arrivals, less computing, a larger share", warnings);
        }
    }
    for ((table, load), kind) in
        root.tables(&VIRTUAL_MACHINES).iter().zip(load.virtual_machines).zip(&plan.virtual_machines)
    {
        let most = virtual_processors(kind, plan);
        if load >= most {
            let what = format!("arrivals ask for {load:.2} processors where virtual machines get {most:.2}");
            warn(table, what, "fewer arrivals, less computing, more virtual processors, a higher limit", warnings);
        }
    }
}

/// How many processors' worth virtual machines of a kind get at most.
fn virtual_processors(kind: &VirtualMachinePlan, plan: &Plan) -> f64 {
    let logical = f64::from(plan.partitions[kind.partition].logical);
    let limit = kind.limit.map_or(logical, |limit| logical * limit.fraction());
    (f64::from(kind.count) * f64::from(kind.virtual_processors).min(limit)).min(logical)
}

/// How many processors' worth a partition gets at most.
fn processors(index: usize, cec: &CecPlan, plan: &Plan) -> f64 {
    let logical = f64::from(plan.partitions[index].logical);
    if plan.partitions[index].processors == Processors::Dedicated {
        return logical;
    }
    let dedicated = plan.partitions.iter().filter(|partition| partition.processors == Processors::Dedicated);
    let DispatcherPlan::Slices(slices) = cec.dispatcher else {
        // What the others leave may be had, as far as caps let it.
        let own: u32 = dedicated.map(|partition| partition.logical).sum();
        return most_by_weight(&plan.partitions[index], f64::from(cec.processors - own));
    };
    let rotation = Rotation::planned(slices.slice, &plan.partitions);
    let mut turns = (0..plan.partitions.len()).filter_map(|number| rotation.turn(number));
    let own = turns.find(|turn| turn.partition.is_some_and(|partition| partition.index() == index));
    let slice = own.map_or(0.0, |turn| turn.slice.seconds());
    let lost = cec.switch.seconds() + plan.partitions[index].reload.seconds();
    let lost = if rotation.switches() { lost } else { 0.0 };
    logical * (slice - lost) / rotation.frame().seconds()
}

/// The same by weight; that a share may be a cap depends on who is there, and is left out.
fn most_by_weight(partition: &PartitionPlan, shared: f64) -> f64 {
    let logical = f64::from(partition.logical).min(shared);
    match partition.processors {
        Processors::Weighted(WeightPlan { cap: Some(cap), .. }) => logical.min(cap),
        Processors::Cgroup(CgroupPlan { limit: Some(limit), .. }) => {
            logical.min(limit.quota.seconds() / limit.period.seconds())
        }
        Processors::Weighted(_) | Processors::Shared { .. } | Processors::Cgroup(_) | Processors::Dedicated => logical,
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
