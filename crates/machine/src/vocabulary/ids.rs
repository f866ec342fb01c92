//! Dense numbers by which the parts of a machine know each other.

use super::access::Access;

macro_rules! id {
    ($(#[$meta:meta])* $name:ident) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl $name {
            /// As an index into the vector of such parts.
            #[inline]
            pub const fn index(self) -> usize {
                self.0 as usize
            }
        }
    };
}

id! {
    /// A volume, as in the plan.
    Volume
}
id! {
    /// An exposure: the bases in the order of the volumes, then bound aliases, then the aliases of the pools.
    Exposure
}
id! {
    /// An alias pool, as in the plan.
    Pool
}
id! {
    /// A minidisk, as in the plan.
    Minidisk
}
id! {
    /// A resource that guests hold, as in the plan.
    Resource
}
id! {
    /// A spin lock in a virtual machine: those of the first kind of lock first, machine by machine.
    SpinLock
}
id! {
    /// A resource that guests enqueue on by name, as in the plan; all members together.
    Enqueue
}
id! {
    /// A front-end processor, as in the plan.
    FrontEnd
}
id! {
    /// The path group of a control unit, as in the plan.
    Paths
}
id! {
    /// A channel path, as in the plan.
    ChannelPath
}
id! {
    /// One direction of a channel path: twice its number for reads, one more for writes.
    Lane
}
id! {
    /// A partition or domain, as in the plan.
    Partition
}
id! {
    /// A group of partitions under one cap, as in the plan.
    LparGroup
}
id! {
    /// A logical processor: those of the first partition first.
    Logical
}
id! {
    /// A virtual machine: those of the first kind first.
    Machine
}
id! {
    /// A virtual processor: those of the first virtual machine of the first kind first.
    Virtual
}
id! {
    /// A lock of threads, as in the plan.
    ThreadLock
}
id! {
    /// A physical processor: dedicated ones first.
    Physical
}
id! {
    /// A requester, which runs a program or represents one: the guests of closed populations first, then the drivers of
    /// front ends, then the measurement programs of partitions, then guests that pass through.
    Requester
}
id! {
    /// A group of guests, as in the plan.
    Group
}

impl Lane {
    /// The lane of a channel path for an access: without full duplex reads and writes share one.
    #[inline]
    pub const fn of(channel: ChannelPath, access: Access, full_duplex: bool) -> Self {
        Lane(2 * channel.0 + (full_duplex && matches!(access, Access::Write)) as u32)
    }

    /// Its channel path.
    #[inline]
    pub const fn channel(self) -> ChannelPath {
        ChannelPath(self.0 / 2)
    }

    /// Its number among the lanes of its channel path, 0 or 1.
    #[inline]
    pub const fn direction(self) -> usize {
        (self.0 % 2) as usize
    }
}
