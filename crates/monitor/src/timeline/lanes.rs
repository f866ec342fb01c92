//! The lanes of a timeline.  First come the logical processors of a plan.  Below them are the lock, the virtual
//! processors and the spin locks of a control program, or the ENQ/DEQ lock.  Then come names, then exposures, each base
//! with its bound aliases below it, then the pools.

use super::lane::{Lane, LaneKind, bound};
use super::names::Names;
use crate::counts::{spin_lock as spin_locks, virtual_processor as virtuals};
use crate::totals::control_program::SCHEDULER_LOCK;
use machine::ids::SpinLock;
use machine::plan::{DeviceNumber, Plan};

/// The lanes of a plan, and the lane of each place.  Places are bases, then bound aliases, those of pools, processors,
/// virtual processors, and the locks of partitions with a control program.  Then spin locks, ENQ/DEQ locks, and names.
pub(super) fn lanes(plan: &Plan, names: &Names) -> (Vec<Lane>, Vec<usize>) {
    let lane = |device: &DeviceNumber, kind, of: &str| Lane { name: format!("{:04X}", device.0), kind, of: of.into() };
    let mut lanes = Vec::new();
    let mut processors = processors(plan, names, &mut lanes);
    processors.append(&mut names.add_queues(plan, &mut lanes));
    let (mut bases, mut others) = (Vec::new(), Vec::new());
    for volume in &plan.volumes {
        bases.push(lanes.len());
        lanes.push(lane(&volume.device, LaneKind::Base, &volume.name));
        for alias in bound(&volume.aliasing) {
            others.push(lanes.len());
            lanes.push(lane(alias, LaneKind::BoundAlias, &volume.name));
        }
    }
    for pool in &plan.alias_pools {
        for alias in &pool.aliases {
            others.push(lanes.len());
            lanes.push(lane(alias, LaneKind::PoolAlias, &pool.name));
        }
    }
    bases.append(&mut others);
    bases.append(&mut processors);
    (lanes, bases)
}

/// Adds the lanes of processors, partition by partition; says which is that of each, of each virtual one and of each
/// lock of all sorts.
fn processors(plan: &Plan, names: &Names, lanes: &mut Vec<Lane>) -> Vec<usize> {
    let (mut logical, mut locks, mut service_locks) = (Vec::new(), Vec::new(), Vec::new());
    let mut virtual_ones = vec![0; virtuals::count(plan) as usize];
    let spin_locks: Vec<usize> = spin_locks::machines(plan).collect();
    let mut spin_lanes = vec![0; spin_locks.len()];
    for (number, partition) in plan.partitions.iter().enumerate() {
        for own in 0..partition.logical {
            logical.push(lanes.len());
            let name = format!("{} {own}", partition.name);
            lanes.push(Lane { name, kind: LaneKind::LogicalProcessor, of: partition.name.clone() });
        }
        if partition.control_program.is_some() {
            locks.push(lanes.len());
            let name = format!("{} {SCHEDULER_LOCK}", partition.name);
            lanes.push(Lane { name, kind: LaneKind::Lock, of: partition.name.clone() });
        }
        service_locks.extend(names.add_lock(plan, number, lanes));
        for (kind, own) in virtuals::kinds(plan).filter(|(kind, _)| kind.partition == number) {
            for virtual_one in own {
                virtual_ones[virtual_one] = lanes.len();
                let name = virtuals::name(plan, virtual_one);
                lanes.push(Lane { name, kind: LaneKind::VirtualProcessor, of: kind.name.clone() });
            }
        }
        for (lock, machines) in spin_locks.iter().map(|kind| &plan.virtual_machines[*kind]).enumerate() {
            if machines.partition == number {
                spin_lanes[lock] = lanes.len();
                let name = spin_locks::name(plan, SpinLock(lock as u32));
                lanes.push(Lane { name, kind: LaneKind::SpinLock, of: machines.name.clone() });
            }
        }
    }
    logical.append(&mut virtual_ones);
    logical.append(&mut locks);
    logical.append(&mut spin_lanes);
    logical.append(&mut service_locks);
    logical
}
