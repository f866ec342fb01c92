//! The machine as it is to be built: every part with its numbers, by index; what a scenario resolves to.

pub use crate::channel::redispatch::Redispatch;
pub use crate::control_program::plan::{
    CacheLevel, ControlProgramPlan, ControllerPlan, CostsPlan, ExcessUse, Footprint, Homes, LockMode, LockOrder,
    LockPlan, Method, SharedBy, SpinLockPlan, SpinPlan, Srm, SrmPlan, Stealing, Topology, Unparking, VectorOrder,
    VirtualMachinePlan, VmShare, Yields,
};
pub use crate::processors::{
    CecPlan, CfsPlan, CgroupPlan, DispatcherPlan, Dispatching, LimitPlan, Polarization, Preemption, Processors,
    PrsmPlan, Share, SlicesPlan, ThreadPlan, WeightPlan,
};
pub use crate::serialization::plan::{
    Answer, ComplexPlan, Costs, EnqStep, EnqueueAccess, EnqueuePlan, Entry, ExitChange, ExitPlan, Linkage, Point, Ret,
    Scope, SerializationPlan, Structure,
};
use kernel::distribution::Distribution;
use std::sync::Arc;
use units::{PerSecond, Percent, Span};

/// A whole machine.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Plan {
    /// The processors, where guests share them; without any, each guest computes at full speed.
    pub cec: Option<CecPlan>,
    /// How its processors lie and which caches they share, where that matters.
    pub topology: Option<Topology>,
    /// Partitions, or domains.
    pub partitions: Vec<PartitionPlan>,
    /// Virtual machines of the control programs in them.
    pub virtual_machines: Vec<VirtualMachinePlan>,
    /// Spin locks of the operating systems in them.
    pub spin_locks: Vec<SpinLockPlan>,
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
    /// What groups are called: guests, then the front ends and the measurement programs of partitions, which are groups
    /// of one.
    pub fn group_name(&self, group: usize) -> String {
        if let Some(guest) = self.guests.get(group) {
            return guest.name.clone();
        }
        let beyond = group - self.guests.len();
        let sampled = |at: usize| format!("RMF in {}", self.partitions[at - self.front_ends.len()].name);
        self.front_ends.get(beyond).map_or_else(|| sampled(beyond), |front_end| front_end.name.clone())
    }

    /// How many groups there are, those of one included.
    pub fn groups(&self) -> usize {
        self.guests.len() + self.front_ends.len() + self.partitions.len()
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

/// A partition, or domain: an operating system with processors of its own.
#[derive(Clone, Debug, PartialEq)]
pub struct PartitionPlan {
    /// Its name in the scenario.
    pub name: String,
    /// How many logical processors it has.
    pub logical: u32,
    /// Whether it is there from the start; otherwise a change adds it.
    pub active: bool,
    /// Which physical processors carry them.
    pub processors: Processors,
    /// How long its second-level interrupt handler takes for one interrupt.
    pub slih: Distribution,
    /// How many of its logical processors are enabled for I/O interrupts while they have work; those in wait always are.
    pub enabled: u32,
    /// How that number follows the interrupts; without it, it stays.
    pub cpenable: Option<CpEnablePlan>,
    /// The cost of a start to the program that requests an I/O, before the channel subsystem has it (SSCH).
    pub ssch: Option<Distribution>,
    /// What a logical processor loses at the beginning of a slice: storage that others have pushed out of the caches.
    pub reload: Span,
    /// The measurement program inside it.
    pub sampler: Option<SamplerPlan>,
    /// The control program inside it; without one an operating system runs guests itself.
    pub control_program: Option<ControlProgramPlan>,
}

impl PartitionPlan {
    /// A partition with these processors whose handler needs no time, and nothing else.
    pub fn new(name: &str, logical: u32, processors: Processors) -> PartitionPlan {
        PartitionPlan {
            name: name.into(),
            logical,
            active: true,
            processors,
            slih: Distribution::Constant(Span::ZERO),
            enabled: 1,
            cpenable: None,
            ssch: None,
            reload: Span::ZERO,
            sampler: None,
            control_program: None,
        }
    }
}

/// A measurement program that runs inside the partition that it measures (RMF).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SamplerPlan {
    /// How far apart its timer pops.
    pub cycle: Span,
    /// How far at most a pop strays from that: its clock and the slices are not in step.
    pub jitter: Span,
    /// How a sample is taken once the timer has popped.
    pub taken: SampleTaken,
}

/// How a sample is taken.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SampleTaken {
    /// Where the interrupt of the timer is handled, before any I/O interrupt, as soon as the partition is dispatched.
    AtTheTimer,
    /// By a task that competes for the processors of the partition.
    ByTask {
        /// Its dispatching priority: the higher number goes first.
        priority: u8,
        /// Its processor time.
        takes: Distribution,
    },
}

/// The thresholds between which a partition keeps the share of interrupts that handlers find by testing: `CPENABLE`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CpEnablePlan {
    /// Below this share of TPI one processor fewer is enabled.
    pub low: Percent,
    /// Above this share of TPI one more is enabled.
    pub high: Percent,
    /// How often it is looked at.
    pub every: Span,
}

/// A control unit and the path group that leads to it.
#[derive(Clone, Debug, PartialEq)]
pub struct ControlUnitPlan {
    /// Its name in the scenario.
    pub name: String,
    /// Channel paths, as reports print them.
    pub paths: u32,
    /// How much connected I/Os slow each other: with n connected each progresses at 1 / (1 + sharing (n - 1)).
    /// 0 is no contention, 1 is one path shared evenly by all (M/G/1 processor sharing).
    pub sharing: f64,
}

/// A device number, as in "522A".
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct DeviceNumber(pub u16);

/// Aliases that any volume of the pool may borrow for one I/O.
#[derive(Clone, Debug, PartialEq)]
pub struct AliasPoolPlan {
    /// Its name in the scenario.
    pub name: String,
    /// The device numbers of its aliases; may be none.
    pub aliases: Vec<DeviceNumber>,
    /// The next work of a freed alias.
    pub redispatch: Redispatch,
}

/// How a volume comes by more than one exposure.
#[derive(Clone, Debug, PartialEq)]
pub enum Aliasing {
    /// It has its base only.
    None,
    /// Classic PAV: these aliases belong to this base.
    Pav {
        /// The device numbers of the bound aliases.
        aliases: Vec<DeviceNumber>,
        /// The next work of a freed alias; `PoolFifo` is `SameVolume` here.
        redispatch: Redispatch,
    },
    /// HyperPAV: any alias of this pool (index into [`Plan::alias_pools`]), for one I/O.
    HyperPav {
        /// Which pool.
        pool: usize,
    },
}

/// A disk volume with its base exposure.
#[derive(Clone, Debug, PartialEq)]
pub struct VolumePlan {
    /// Its name in the scenario, printed as its label.
    pub name: String,
    /// The base device number.
    pub device: DeviceNumber,
    /// Device type as printed, "3390-3".
    pub device_type: String,
    /// Index into [`Plan::control_units`]; without one, connected I/Os do not slow each other.
    pub control_unit: Option<usize>,
    /// How it comes by aliases.
    pub aliasing: Aliasing,
    /// The parts of an I/O's service.
    pub service: ServicePlan,
    /// Path length of the control program between an I/O's end and the next start on the same exposure.
    pub gap: Span,
    /// Whose it is (index into [`Plan::partitions`]): its I/Os end with an interrupt that this partition has to handle.
    pub partition: Option<usize>,
}

/// Service of one I/O: pend + disconnect + connect.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ServicePlan {
    /// From the start until the device accepts the first command.
    pub pend: Distribution,
    /// Working without the path.
    pub disconnect: Distribution,
    /// Transferring over the path, alone on it.
    pub connect: Distribution,
    /// Linear form: each I/O in service at the volume when this one starts, this one included, adds this much to
    /// the mean of `connect`.  Drawn connect times are scaled.  Zero where the path group does the slowing.
    pub connect_per_concurrent: Span,
    /// The addition per KiB of an I/O to its connect time alone.
    pub connect_per_kib: Span,
}

/// A part of a volume that does one I/O at a time, for all guests.
#[derive(Clone, Debug, PartialEq)]
pub struct MinidiskPlan {
    /// Its name in the scenario.
    pub name: String,
    /// Index into [`Plan::volumes`].
    pub volume: usize,
    /// The minidisk cache that avoids some of its I/Os, if it has one.
    pub cache: Option<CachePlan>,
}

/// A minidisk cache: reads that it holds are not started on any exposure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CachePlan {
    /// Which share of the reads it holds.
    pub read_hits: Percent,
    /// How long an avoided I/O takes.
    pub time: Distribution,
}

/// A number of units, held by guests for a while; a guest that finds none free waits, first come, first served.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ResourcePlan {
    /// Its name in the scenario.
    pub name: String,
    /// How many there are of each.
    pub count: u32,
    /// The number of different ones; a guest needs a certain one, each equally likely.
    pub members: u32,
}

/// A front-end processor: messages wait in it, in and out by turns, and ride together on one I/O of its device.
#[derive(Clone, Debug, PartialEq)]
pub struct FrontEndPlan {
    /// Its name in the scenario.
    pub name: String,
    /// The volume that stands for its subchannel: index into [`Plan::volumes`].
    pub volume: usize,
    /// How many messages an I/O takes along on average, one of the two whole numbers beside this; at most what waits.
    pub messages: f64,
    /// The same for the first I/O after its partition was dispatched, where that takes another number along.
    pub first_messages: Option<f64>,
}

/// A group of guests that run one program.
#[derive(Clone, Debug, PartialEq)]
pub struct GuestPlan {
    /// Its name in the scenario.
    pub name: String,
    /// The number of guests that run it, or the rate at which they arrive to run it once.
    pub arrival: Arrival,
    /// Where they run; without a partition they compute at full speed.
    pub runs_in: Option<RunsInPlan>,
    /// Its steps, in order.  A closed population starts over at the end; a guest from outside leaves.
    pub program: Vec<Step>,
}

/// Where guests run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunsInPlan {
    /// In a partition.
    Partition {
        /// Index into [`Plan::partitions`]; it has no control program.
        partition: usize,
        /// The priority on its processors: the higher number first.
        priority: u8,
    },
    /// In the virtual machines of a kind, by turns.
    VirtualMachine {
        /// Index into [`Plan::virtual_machines`].
        machines: usize,
    },
    /// As threads of a group.
    Cgroup(ThreadPlan),
}

impl RunsInPlan {
    /// The partition whose operating system runs them itself.
    pub fn partition(self) -> Option<usize> {
        match self {
            RunsInPlan::Partition { partition, .. } => Some(partition),
            RunsInPlan::VirtualMachine { .. } | RunsInPlan::Cgroup(_) => None,
        }
    }
}

/// Where the users of a program come from.
#[derive(Clone, Debug, PartialEq)]
pub enum Arrival {
    /// This many guests that are always there.
    Closed {
        /// How many.
        count: u32,
    },
    /// Arrivals from outside, a Poisson process.
    Open {
        /// How many a second; of batches, where they come in batches.
        rate: PerSecond,
        /// How many come at once.
        batch: Batch,
    },
    /// Guests that other programs spawn.
    Spawned,
    /// Arrivals as they were recorded; each does its one I/O and leaves, so there is no program.
    Replay {
        /// The recorded I/Os, in the order of time.
        records: Arc<[Record]>,
    },
}

/// How many arrive at one instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Batch {
    /// A constant number, at least one.
    Of(u32),
    /// At least one, geometrically distributed with this mean.
    Geometric {
        /// The mean, at least 1.
        mean: f64,
    },
}

/// One recorded I/O.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    /// When it arrives, since the start of the first interval.
    pub at: Span,
    /// Where it goes.
    pub target: Target,
    /// Its transfer, in bytes.
    pub bytes: u32,
    /// Which way.
    pub access: Access,
}

/// Which way an I/O transfers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Access {
    /// From the volume.
    #[default]
    Read,
    /// To the volume.
    Write,
}

/// One step of a program.
#[derive(Clone, Debug, PartialEq)]
pub enum Step {
    /// Let time pass.
    Think(Distribution),
    /// Use a processor: the guest's own, or those of its partition.
    Compute(Distribution),
    /// Use a virtual processor until what has been charged is this share of the time since the guest began.
    Pace(Percent),
    /// Issue an instruction that the control program simulates for so long; the virtual processor may lose its processor.
    Intercept(Span),
    /// One I/O; go on when it is done.
    Io(IoPlan),
    /// Do the steps this many times.
    Repeat {
        /// How often, at least once.
        times: u32,
        /// The steps.
        steps: Vec<Step>,
    },
    /// Do the steps this many times on average, one of the two neighbouring whole numbers each time.
    RepeatMean {
        /// How often, above zero.
        mean: f64,
        /// The steps.
        steps: Vec<Step>,
    },
    /// Hold a resource while doing the steps; wait for it before.
    Hold {
        /// Index into [`Plan::resources`].
        resource: usize,
        /// The steps meanwhile.
        steps: Vec<Step>,
    },
    /// Hold a spin lock of the own virtual machine while computing; spin for it before.
    Lock {
        /// Index into [`Plan::spin_locks`]; its machines are those the guest runs in.
        lock: usize,
        /// What to do meanwhile: nothing that gives a virtual processor up.
        steps: Vec<Step>,
    },
    /// Enqueue on a resource by name, and wait for it; the guest runs in a partition without a control program.
    Enq(EnqStep),
    /// Release what was enqueued on without steps, if it is held.
    Deq {
        /// Index into [`Plan::enqueues`].
        enqueue: usize,
    },
    /// Have a guest of another group answer: send a request, let it run its program once, and wait for the reply.
    Exchange {
        /// Index into [`Plan::guests`]; its arrival is [`Arrival::Spawned`].
        guest: usize,
        /// How long the request is on its way.
        request: Span,
        /// How long the reply is on its way.
        reply: Span,
    },
    /// Do one of these, each with its weight, above zero.
    Choose(Vec<(f64, Vec<Step>)>),
    /// Have a message carried through a front end; go on when it is through.
    Message {
        /// Index into [`Plan::front_ends`].
        front_end: usize,
        /// Which way.
        way: Way,
    },
    /// Start another guest, which runs the program of a group once, and go on at once.
    Spawn {
        /// Index into [`Plan::guests`]; its arrival is [`Arrival::Spawned`].
        guest: usize,
    },
}

/// Which way a message goes through a front end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// From a terminal into the partition.
    In,
    /// From the partition to a terminal.
    Out,
}

/// An I/O of a program.
#[derive(Clone, Debug, PartialEq)]
pub struct IoPlan {
    /// Where it goes.
    pub choice: Choice,
    /// Its transfer, in bytes.
    pub bytes: u32,
    /// Which share of them are reads; the others are writes.
    pub reads: Percent,
}

impl IoPlan {
    /// Always a read of 4 KiB.
    pub fn reading(choice: Choice) -> IoPlan {
        IoPlan { choice, bytes: 4096, reads: Percent::new(100.0) }
    }

    /// Always a read of 4 KiB of this volume.
    pub fn of_volume(volume: usize) -> IoPlan {
        IoPlan::reading(Choice::Fixed(Target::Volume(volume)))
    }
}

/// Where an I/O goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// A volume, index into [`Plan::volumes`].
    Volume(usize),
    /// A minidisk, index into [`Plan::minidisks`].
    Minidisk(usize),
}

/// How an I/O chooses where it goes.
#[derive(Clone, Debug, PartialEq)]
pub enum Choice {
    /// Always there.
    Fixed(Target),
    /// Each equally likely.
    Uniform(Vec<Target>),
    /// Each with its weight, above zero.
    Weighted(Vec<(Target, f64)>),
    /// To that of the member of a resource which the requester holds.
    Own {
        /// Index into [`Plan::resources`]; the I/O is inside a hold of it.
        resource: usize,
        /// Each target belongs to its part of the members, in their order, by its weight above zero.
        weights: Vec<(Target, f64)>,
    },
}

/// A change while the machine runs.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ChangePlan {
    /// When, since the start of the first interval.
    pub at: Span,
    /// The change.
    pub change: Change,
}

/// The kinds of changes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Change {
    /// From now on the first aliases of a pool are online, this many; one that is busy leaves when its I/O ends.
    PoolAliases {
        /// Index into [`Plan::alias_pools`].
        pool: usize,
        /// How many, at most as many as it was built with.
        online: u32,
    },
    /// From now on the first bound aliases of a volume are online, this many.
    BoundAliases {
        /// Index into [`Plan::volumes`].
        volume: usize,
        /// How many, at most as many as it was built with.
        online: u32,
    },
    /// From now on this many paths to a control unit are online.
    Paths {
        /// Index into [`Plan::control_units`].
        control_unit: usize,
        /// How many, at most as many as it was built with; with none, no I/O gets past pending.
        online: u32,
    },
    /// Another system reserves a volume: I/Os in progress finish, those that start stay pending.
    Reserve {
        /// Index into [`Plan::volumes`].
        volume: usize,
    },
    /// The other system releases it.
    Release {
        /// Index into [`Plan::volumes`].
        volume: usize,
    },
    /// The share of a partition, from the next slice or dispatch on.
    Share {
        /// Index into [`Plan::partitions`].
        partition: usize,
        /// The share.
        share: Share,
    },
    /// A partition that was not there is there (A on the Configuration Attributes screen).
    Add {
        /// Index into [`Plan::partitions`].
        partition: usize,
    },
    /// A partition that was there is there no more (D): what it was doing stays as it is, but for what it enqueued on.
    Delete {
        /// Index into [`Plan::partitions`].
        partition: usize,
    },
    /// The settings of SET SRM in the control program of a partition.
    Srm {
        /// Index into [`Plan::partitions`].
        partition: usize,
        /// The settings.
        srm: Srm,
    },
    /// An exit before ENQ and DEQ is added or deleted in all systems.
    Exit(ExitChange),
}
