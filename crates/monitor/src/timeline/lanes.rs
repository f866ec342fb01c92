//! The lanes of a timeline: the logical processors of a plan, then its exposures, each base with its bound aliases below
//! it, then the pools.
//!
//! It leaves out who holds them.

use machine::plan::{Aliasing, DeviceNumber, Plan};

/// Something that one holder at a time occupies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// A device number, as printed: "522A"; of a processor its partition and its number there: "PEMDFI 0".
    pub name: String,
    /// What it is.
    pub kind: LaneKind,
    /// Which volume, pool or partition it is of.
    pub of: String,
}

/// What a lane stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LaneKind {
    /// The base exposure of a volume.
    Base,
    /// A classic alias of a volume.
    BoundAlias,
    /// An alias of a pool.
    PoolAlias,
    /// A logical processor of a partition.
    LogicalProcessor,
}

impl LaneKind {
    /// As pictures and tables call it.
    pub const fn word(self) -> &'static str {
        match self {
            LaneKind::Base => "base",
            LaneKind::BoundAlias => "bound-alias",
            LaneKind::PoolAlias => "pool-alias",
            LaneKind::LogicalProcessor => "logical-processor",
        }
    }
}

/// Bound aliases of a volume, if it has any.
pub(super) fn bound(aliasing: &Aliasing) -> &[DeviceNumber] {
    match aliasing {
        Aliasing::Pav { aliases, .. } => aliases,
        Aliasing::None | Aliasing::HyperPav { .. } => &[],
    }
}

/// The lanes of a plan, and the lane of each place; places are bases, then bound aliases, those of pools, and processors.
pub(super) fn lanes(plan: &Plan) -> (Vec<Lane>, Vec<usize>) {
    let lane = |device: &DeviceNumber, kind, of: &str| Lane { name: format!("{:04X}", device.0), kind, of: of.into() };
    let mut lanes = Vec::new();
    for partition in &plan.partitions {
        let own = |number| (format!("{} {number}", partition.name), LaneKind::LogicalProcessor, partition.name.clone());
        lanes.extend((0..partition.logical).map(own).map(|(name, kind, of)| Lane { name, kind, of }));
    }
    let mut processors = (0..lanes.len()).collect();
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
