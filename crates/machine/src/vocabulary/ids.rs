//! Dense numbers by which the parts of a machine know each other.

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
    /// A partition or domain, as in the plan.
    Partition
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
