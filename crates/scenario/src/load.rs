//! The load that arrivals offer to each part of the machine, against what that part can do at most.

mod offered;
mod reach;

use crate::language::{
    ALIAS_POOLS, CGROUPS, ENQUEUES, FRONT_ENDS, LPAR_GROUPS, MINIDISKS, PARTITIONS, RESOURCES, SHARED_PROCESSORS,
    SPIN_LOCKS, VIRTUAL_MACHINES, VOLUMES,
};
use crate::problems::Problems;
use crate::resolved::Table;
use machine::cec::Rotation;
use machine::plan::{
    Aliasing, CecPlan, CgroupPlan, Change, DispatcherPlan, PartitionPlan, Plan, Processors, VirtualMachinePlan,
    WeightPlan,
};
use offered::{Load, offered};
use units::Problem;

/// The load of a part of the machine, and its capacity, in this unit.
struct Asked {
    load: f64,
    most: f64,
    unit: &'static str,
    /// The remedy.
    remedy: &'static str,
}

const EXPOSURES: (&str, &str) = ("exposures", "fewer arrivals, shorter service, more aliases");
const PROCESSOR: (&str, &str) = ("processors", "fewer arrivals, less computing, more processors");

/// Warns of everything that more is asked of than it can do.
pub fn check(root: &Table, plan: &Plan, warnings: &mut Problems<'_>) {
    let load = offered(plan);
    check_volumes((root, plan), &load, warnings);
    for (table, load) in root.tables(&MINIDISKS).iter().zip(&load.minidisks) {
        let remedy = "fewer arrivals, shorter service, more minidisks";
        warn(table, &Asked { load: *load, most: 1.0, unit: "I/Os at a time", remedy }, warnings);
    }
    for ((table, load), resource) in root.tables(&RESOURCES).iter().zip(&load.resources).zip(&plan.resources) {
        let most = f64::from(resource.count) * f64::from(resource.members);
        let remedy = "fewer arrivals, shorter holds, more units";
        warn(table, &Asked { load: *load, most, unit: "units", remedy }, warnings);
    }
    for (table, load) in root.tables(&FRONT_ENDS).iter().zip(&load.front_ends) {
        let remedy = "fewer messages, more of them on an I/O, shorter service";
        warn(table, &Asked { load: *load, most: 1.0, unit: "I/Os at a time", remedy }, warnings);
    }
    check_holders((root, plan), &load, warnings);
    check_processors((root, plan), &load, warnings);
}

fn check_volumes((root, plan): (&Table, &Plan), load: &Load, warnings: &mut Problems<'_>) {
    let asked = |load, most| Asked { load, most, unit: EXPOSURES.0, remedy: EXPOSURES.1 };
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
        warn(&root.tables(&VOLUMES)[index], &asked(load.volumes[index], servers as f64), warnings);
    }
    for (table, (load, servers)) in root.tables(&ALIAS_POOLS).iter().zip(pools) {
        warn(table, &asked(load, servers), warnings);
    }
}

/// Of each name and each spin lock there is one holder at a time.
fn check_holders((root, plan): (&Table, &Plan), load: &Load, warnings: &mut Problems<'_>) {
    for ((table, resources), enqueue) in root.tables(&ENQUEUES).iter().zip(&load.enqueues).zip(&plan.enqueues) {
        // Each address space or system that means a resource of its own has a queue of its own; one warning is enough.
        let load = resources.values().copied().fold(0.0, f64::max);
        let (most, remedy) = (f64::from(enqueue.members), "fewer arrivals, shorter holds, more members");
        warn(table, &Asked { load, most, unit: "exclusive holders", remedy }, warnings);
    }
    for ((table, load), lock) in root.tables(&SPIN_LOCKS).iter().zip(&load.spin_locks).zip(&plan.spin_locks) {
        let machines = plan.virtual_machines[lock.machines].count;
        let (most, remedy) = (f64::from(lock.count) * f64::from(machines), "fewer arrivals, shorter holds, more locks");
        warn(table, &Asked { load: *load, most, unit: "holders", remedy }, warnings);
    }
}

fn check_processors((root, plan): (&Table, &Plan), load: &Load, warnings: &mut Problems<'_>) {
    let Some(cec) = &plan.cec else { return };
    let remedy = "fewer arrivals, less computing, a larger share";
    // There are no partitions where there are groups of threads.
    let holders = root.tables(&PARTITIONS).iter().chain(root.tables(&CGROUPS));
    for (index, (table, load)) in holders.zip(&load.partitions).enumerate() {
        let most = processors(index, cec, plan);
        warn(table, &Asked { load: *load, most, unit: PROCESSOR.0, remedy }, warnings);
    }
    check_groups((root, plan), load, warnings);
    let remedy = "fewer arrivals, less computing, more virtual processors, a higher limit";
    let machines = root.tables(&VIRTUAL_MACHINES).iter().zip(&load.virtual_machines).zip(&plan.virtual_machines);
    for ((table, load), kind) in machines {
        let most = virtual_processors(kind, plan);
        warn(table, &Asked { load: *load, most, unit: PROCESSOR.0, remedy }, warnings);
    }
    let Some(table) = root.table(&SHARED_PROCESSORS) else { return };
    let asked = |load, most| Asked { load, most, unit: PROCESSOR.0, remedy: PROCESSOR.1 };
    for (number, load) in &load.pinned {
        add(table, (&format!("cec: processor {number}"), &asked(*load, 1.0)), warnings);
    }
    if !matches!(cec.dispatcher, DispatcherPlan::Slices(_)) {
        let shares =
            |(index, own): &(usize, &PartitionPlan)| own.processors != Processors::Dedicated && stays(*index, plan);
        let shared = plan.partitions.iter().enumerate().filter(shares).map(|(index, _)| load.partitions[index]).sum();
        warn(table, &asked(shared, f64::from(shared_processors(cec, plan))), warnings);
    }
}

/// The members of a group have no more than its cap together.
fn check_groups((root, plan): (&Table, &Plan), load: &Load, warnings: &mut Problems<'_>) {
    let remedy = "fewer arrivals, less computing, a higher cap";
    for (number, (table, group)) in root.tables(&LPAR_GROUPS).iter().zip(&plan.lpar_groups).enumerate() {
        let is_member = |partition: &PartitionPlan| matches!(partition.processors, Processors::Weighted(weight) if weight.group == Some(number));
        let members = plan.partitions.iter().zip(&load.partitions).filter(|(partition, _)| is_member(partition));
        let load = members.map(|(_, load)| load).sum();
        warn(table, &Asked { load, most: group.cap, unit: PROCESSOR.0, remedy }, warnings);
    }
}

/// Whether a partition is there all the time.
fn stays(index: usize, plan: &Plan) -> bool {
    let goes = |change: &Change| *change == Change::Delete { partition: index };
    plan.partitions[index].active && !plan.changes.iter().any(|planned| goes(&planned.change))
}

/// How many processors' worth virtual machines of a kind get at most.
fn virtual_processors(kind: &VirtualMachinePlan, plan: &Plan) -> f64 {
    let logical = f64::from(plan.partitions[kind.partition].logical);
    let limit = kind.limit.map_or(logical, |limit| logical * limit.fraction());
    (f64::from(kind.count) * f64::from(kind.virtual_processors).min(limit)).min(logical)
}

/// How many processors no partition has for itself.
fn shared_processors(cec: &CecPlan, plan: &Plan) -> u32 {
    let dedicated = plan.partitions.iter().filter(|partition| partition.processors == Processors::Dedicated);
    cec.processors - dedicated.map(|partition| partition.logical).sum::<u32>()
}

/// How many processors' worth a partition gets at most.
fn processors(index: usize, cec: &CecPlan, plan: &Plan) -> f64 {
    let logical = f64::from(plan.partitions[index].logical);
    if plan.partitions[index].processors == Processors::Dedicated {
        return logical;
    }
    let DispatcherPlan::Slices(slices) = cec.dispatcher else {
        // The rest of the others is available, as far as caps allow.
        return most_by_weight(&plan.partitions[index], f64::from(shared_processors(cec, plan)), plan);
    };
    let rotation = Rotation::planned(slices.slice, &plan.partitions);
    let mut turns = (0..plan.partitions.len()).filter_map(|number| rotation.turn(number));
    let own = turns.find(|turn| turn.partition.is_some_and(|partition| partition.index() == index));
    let slice = own.map_or(0.0, |turn| turn.slice.seconds());
    let lost = cec.switch.seconds() + plan.partitions[index].reload.seconds();
    let lost = if rotation.switches() { lost } else { 0.0 };
    logical * (slice - lost) / rotation.frame().seconds()
}

/// The same by weight, and of a group of threads.
fn most_by_weight(partition: &PartitionPlan, shared: f64, plan: &Plan) -> f64 {
    let logical = f64::from(most_online(partition, plan)).min(shared);
    match partition.processors {
        Processors::Weighted(weight) => {
            let by_weight = if weight.capped { capped_share(&weight, plan) * shared } else { logical };
            let of_group = weight.group.map_or(logical, |group| plan.lpar_groups[group].cap);
            logical.min(by_weight).min(weight.cap.unwrap_or(logical)).min(of_group)
        }
        Processors::Cgroup(CgroupPlan { limit, shared, .. }) => {
            let most = limit.map_or(logical, |limit| logical.min(limit.quota.seconds() / limit.period.seconds()));
            // Beside a thread that runs there are, in the mean over processor time, at least as many others as this.
            let others = (most - 1.0).max(0.0);
            most / (1.0 + shared.map_or(0.0, |shared| shared.near as f64 / 1e6) * others)
        }
        Processors::Shared { .. } | Processors::Dedicated => logical,
    }
}

/// How many of its logical processors are online at most.
fn most_online(partition: &PartitionPlan, plan: &Plan) -> u32 {
    let own = |number: usize| plan.partitions[number].name == partition.name;
    let varied = plan.changes.iter().filter_map(|planned| match planned.change {
        Change::Online { partition, online } if own(partition) => Some(online),
        _ => None,
    });
    varied.chain([partition.online_first()]).max().unwrap_or(partition.logical)
}

/// Its part of the shared processors by weight; all of them where weights, or the partitions, change.
fn capped_share(own: &WeightPlan, plan: &Plan) -> f64 {
    let moves = |change: &Change| matches!(change, Change::Share { .. } | Change::Add { .. } | Change::Delete { .. });
    if plan.changes.iter().any(|planned| moves(&planned.change)) {
        return 1.0;
    }
    let weights =
        plan.partitions.iter().filter(|partition| partition.active).map(|partition| match partition.processors {
            Processors::Weighted(weight) => weight.weight,
            Processors::Shared { .. } | Processors::Cgroup(_) | Processors::Dedicated => 0,
        });
    f64::from(own.weight) / f64::from(weights.sum::<u32>().max(own.weight))
}

fn warn(table: &Table, asked: &Asked, warnings: &mut Problems<'_>) {
    add(table, (table.title(), asked), warnings);
}

/// Warns of a part of the machine with this name, where more is asked of it than it can do.
fn add(table: &Table, (name, asked): (&str, &Asked), warnings: &mut Problems<'_>) {
    let Asked { load, most, unit, remedy } = asked;
    if load < most || *load == 0.0 {
        return;
    }
    let what = if *most > 0.0 {
        let percent = 100.0 * load / most;
        let unit = if *most == 1.0 { singular(unit) } else { (*unit).to_owned() };
        format!("arrivals ask for {percent:.0} % of what it can do: {load:.2} of {} {unit}", number(*most))
    } else {
        format!("arrivals ask for {load:.2} {unit}, and it gets none")
    };
    let why = "the queue grows without end, and results depend on how long it was watched";
    warnings.add(table.at, Problem::new(what).key(name).because(why).allowed([*remedy]));
}

/// "I/Os at a time" of one.
fn singular(unit: &str) -> String {
    unit.split(' ').map(|word| word.strip_suffix('s').unwrap_or(word)).collect::<Vec<_>>().join(" ")
}

fn number(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value:.0}") } else { format!("{value:.2}") }
}
