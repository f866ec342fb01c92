//! A lane of a timeline: something that one holder at a time occupies.

use machine::plan::{Aliasing, DeviceNumber};

/// Something that one holder at a time occupies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Lane {
    /// A device number, as printed: "522A"; of a processor its partition and its number there: "PEMDFI 0"; of a virtual one
    /// its machine and its number there: "LIGHT 7 VP 2"; of a lock its partition and its name: "ZVM SRMSLOCK"; of a spin
    /// lock its machine and its name: "CLIENT 1 dcache"; of a resource its major and minor name.
    pub name: String,
    /// What it is.
    pub kind: LaneKind,
    /// Which volume, pool, partition, kind of virtual machines or resource it is of.
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
    /// A virtual processor of a virtual machine.
    VirtualProcessor,
    /// A lock of a control program, or the ENQ/DEQ lock of an operating system.
    Lock,
    /// A spin lock of the operating system in a virtual machine.
    SpinLock,
    /// A resource by name.
    Enqueue,
}

impl LaneKind {
    /// As pictures and tables call it.
    pub const fn word(self) -> &'static str {
        match self {
            LaneKind::Base => "base",
            LaneKind::BoundAlias => "bound-alias",
            LaneKind::PoolAlias => "pool-alias",
            LaneKind::LogicalProcessor => "logical-processor",
            LaneKind::VirtualProcessor => "virtual-processor",
            LaneKind::Lock => "lock",
            LaneKind::SpinLock => "spin-lock",
            LaneKind::Enqueue => "enqueue",
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
