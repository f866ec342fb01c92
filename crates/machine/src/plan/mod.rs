//! The machine as it is to be built: every part with its numbers, by index; what a scenario resolves to.

pub mod cec;
pub mod cfs;
mod change;
mod channel;
pub mod control_program;
mod guest;
mod partition;
mod program;
pub mod serialization;
mod thread_lock;
pub mod topology;

pub use cec::{
    CecPlan, DispatcherPlan, Dispatching, GroupPlan, Polarization, Preemption, Processors, PrsmPlan, Share, SlicesPlan,
    WeightPlan,
};
pub use cfs::{CfsPlan, CgroupPlan, LimitPlan, SharedPlan, ThreadPlan, YieldRule};
pub use change::{Change, ChangePlan};
pub use channel::{
    AliasPoolPlan, Aliasing, ChannelPlan, ControlUnitPlan, DeviceNumber, Discipline, Holds, IoLimitPlan, Redispatch,
    Selection, ServicePlan, VolumePlan,
};
pub use control_program::{
    ControlProgramPlan, ControllerPlan, CostsPlan, ExcessUse, Footprint, Handover, Homes, LockMode, LockOrder,
    LockPlan, LoopTarget, Method, PauseLoopPlan, SpinLockPlan, SpinPlan, Srm, SrmPlan, Stealing, Unparking,
    VectorOrder, VirtualMachinePlan, VmShare, Yields,
};
pub use guest::{Arrival, Batch, CachePlan, FrontEndPlan, GuestPlan, MinidiskPlan, Record, ResourcePlan, RunsInPlan};
pub use partition::{CpEnablePlan, PartitionPlan, SampleTaken, SamplerPlan};
pub use program::{Access, Choice, EnqStep, IoPlan, Step, Target, Way};
pub use serialization::{
    Answer, ComplexPlan, Costs, EnqueueAccess, EnqueuePlan, Entry, ExitChange, ExitPlan, Linkage, Point, Ret, Ring,
    Scope, SerializationPlan, Structure,
};
use std::sync::Arc;
pub use thread_lock::{ThreadLockPlan, Turns, Waiting};
pub use topology::{CacheLevel, SharedBy, Sizes, Topology};

/// A whole machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The processors, where guests share them; without any, each guest computes at full speed.
    pub cec: Option<CecPlan>,
    /// How its processors lie and which caches they share, where that matters.
    pub topology: Option<Topology>,
    /// Partitions, or domains.
    pub partitions: Vec<PartitionPlan>,
    /// Groups of partitions under one absolute cap.
    pub lpar_groups: Vec<GroupPlan>,
    /// Virtual machines of the control programs in them.
    pub virtual_machines: Vec<VirtualMachinePlan>,
    /// Spin locks of the operating systems in them.
    pub spin_locks: Vec<SpinLockPlan>,
    /// Locks that threads share.
    pub thread_locks: Vec<ThreadLockPlan>,
    /// Channel paths.
    pub channels: Vec<ChannelPlan>,
    /// Control units: a path group each.
    pub control_units: Vec<ControlUnitPlan>,
    /// HyperPAV alias pools.
    pub alias_pools: Vec<AliasPoolPlan>,
    /// Volumes.
    pub volumes: Vec<VolumePlan>,
    /// Minidisks on the volumes.
    pub minidisks: Vec<MinidiskPlan>,
    /// Resources that guests hold for a while and queue for.
    pub resources: Vec<ResourcePlan>,
    /// The service of ENQ and DEQ; without it no guest enqueues.
    pub serialization: Option<SerializationPlan>,
    /// Resources that guests enqueue on by name.
    pub enqueues: Vec<EnqueuePlan>,
    /// Processors in front of the machine through which messages come and go.
    pub front_ends: Vec<FrontEndPlan>,
    /// Groups of guests that run the same program.
    pub guests: Vec<GuestPlan>,
    /// The changes while the machine runs, in the order of time.
    pub changes: Vec<ChangePlan>,
}

impl Plan {
    /// What groups are called: guests, then the front ends and the measurement programs of partitions, which are groups of
    /// one.
    pub fn group_name(&self, group: usize) -> String {
        if let Some(guest) = self.guests.get(group) {
            return guest.name.clone();
        }
        let beyond = group - self.guests.len();
        let sampled = |at: usize| format!("RMF in {}", self.partitions[at - self.front_ends.len()].name);
        self.front_ends.get(beyond).map_or_else(|| sampled(beyond), |front_end| front_end.name.clone())
    }

    /// The part of an I/O to this control unit that holds a channel, where channels lead to it.
    pub fn held_by(&self, control_unit: usize) -> Option<Holds> {
        self.control_units[control_unit].channels.first().map(|channel| self.channels[*channel].holds)
    }

    /// How many I/Os to a volume may be in progress at a time: one on its base, one on each alias that may work for it.
    pub fn exposures_of(&self, volume: &VolumePlan) -> usize {
        1 + match &volume.aliasing {
            Aliasing::None => 0,
            Aliasing::Pav { aliases, .. } => aliases.len(),
            Aliasing::HyperPav { pool } => self.alias_pools[*pool].aliases.len(),
        }
    }

    /// How many groups there are, those of one included.
    pub fn groups(&self) -> usize {
        self.guests.len() + self.front_ends.len() + self.partitions.len()
    }

    /// Whether some logical processors of a partition are not online all the time.
    pub fn is_partly_online(&self, partition: usize) -> bool {
        let own = &self.partitions[partition];
        let varies =
            |change: &Change| matches!(change, Change::Online { partition: varied, .. } if *varied == partition);
        own.online_first() < own.logical || self.changes.iter().any(|planned| varies(&planned.change))
    }

    /// The same without what happens at stated times: no changes, no recorded arrivals.
    pub fn before_anything_stated(&self) -> Plan {
        let mut plan = self.clone();
        plan.changes.clear();
        for guest in &mut plan.guests {
            if let Arrival::Replay { records } = &mut guest.arrival {
                *records = Arc::default();
            }
        }
        plan
    }
}
