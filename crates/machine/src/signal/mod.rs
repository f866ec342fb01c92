//! The signals that leave the machine, one way, for its observers.

pub mod control_program;
pub mod serialization;

use crate::ids::{
    ChannelPath, Exposure, FrontEnd, Group, Logical, LparGroup, Minidisk, Partition, Paths, Physical, Pool, Requester,
    Resource, SpinLock, ThreadLock, Virtual, Volume,
};
use crate::io::{Access, Io, Transfer};
pub use crate::vocabulary::phase::Phase;
pub use crate::vocabulary::way::Way;
pub use control_program::{Control, Decision, Diagnosed, Dispatch, Distance, ListWork, Placed, Spent, VirtualStanding};
pub use serialization::{LockUse, Queueing, Request, Serializing};
use units::{Span, Tod};

/// Something that just happened.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Signal {
    /// A request found its base and every alias it may use busy, and waits at the base.
    Queued(Volume, Requester),
    /// An I/O starts on an exposure; it had waited in the queue or had not.
    Started(Io, Exposure, Requester, Waited),
    /// The I/O that just started, to this volume, stays pending for this reason.
    Held(Volume, Exposure, Hold),
    /// The I/O of this exposure was held and is pending no longer.
    LetGo(Volume, Exposure),
    /// An I/O ends.
    Ended(Io, Exposure, Service),
    /// The control program asked a pool for an alias when this many were free.
    AliasTried(Pool, u32),
    /// An alias came back to its pool; this many are free now.
    AliasFreed(Pool, u32),
    /// From now on this many aliases of a pool are online, and this many of them are free.
    PoolVaried(Pool, u32, u32),
    /// From now on this many bound aliases of a volume are online.
    BoundVaried(Volume, u32),
    /// From now on this many paths of a control unit are online.
    PathsVaried(Paths, u32),
    /// A channel carries an I/O, or has carried it.
    Channel(ChannelPath, Carrying),
    /// Another system reserved a volume.
    Reserved(Volume),
    /// The other system released it.
    Released(Volume),
    /// A partition is there or is not, or is promised something else.
    PartitionVaried(Partition, Varied),
    /// A logical processor is online from now on, or offline.
    Configured(Logical, bool),
    /// From now on the cap of a group of partitions passes over a member that wants a processor, or no more.
    GroupCapped(LparGroup, bool),
    /// A physical processor does something else from now on.
    Carries(Physical, Phase),
    /// The state of a logical processor changes, and this occupies it.
    Stands(Logical, Standing, Occupant),
    /// A requester needs a processor of a partition, and none is free for it or its own was taken away.
    Ready(Partition, Requester),
    /// The I/O of an exposure has ended, and its partition has not handled the interrupt.
    InterruptPending(Volume, Exposure),
    /// The interrupt of an exposure has been handled, so long after the I/O ended.
    Cleared(Volume, Exposure, Span),
    /// A logical processor takes an I/O interrupt, in this way.
    Taken(Logical, Taken),
    /// From now on this many processors of a partition are enabled for I/O interrupts while they have work.
    Enabled(Partition, u32),
    /// The measurement program of a partition takes a sample, or loses one.
    Sample(Partition, Sample),
    /// A requester waits for, has or releases a resource.
    Resource(Resource, Use),
    /// A requester spins for, has or releases a spin lock.
    SpinLock(SpinLock, Use),
    /// Something with a lock of threads.
    ThreadLock(ThreadLock, Locking),
    /// A message arrives at a front end, is on an I/O or is through.
    Message(FrontEnd, Carriage),
    /// Something in the control program of a partition.
    Control(Control),
    /// Something among the threads of a group.
    Threading(Partition, Threading),
    /// A requester begins to run its group's program.
    Joined(Group, Requester),
    /// A requester that came from outside is through and leaves.
    Left(Group, Requester),
    /// A requester was thinking so long.
    Thought(Group, Span),
    /// A requester was computing so long.
    Computed(Group, Span),
    /// A minidisk is in use, and a requester waits for its turn.
    TurnAwaited(Minidisk, Requester),
    /// A requester that waited so long for its turn at a minidisk takes it.
    TurnTaken(Group, Minidisk, Requester, Span),
    /// The minidisk cache saved a requester an I/O, which took so long.
    Avoided(Group, Minidisk, Span),
    /// The I/O of a requester through a minidisk took so long from its turn to its end.
    ThroughMinidisk(Minidisk, Span),
    /// The I/O of a requester took so long from the request in the control program to its end.
    Responded(Group, Volume, Span),
    /// The exchange of a requester with another group took so long from the request to the end of the reply.
    Exchanged(Group, Span),
    /// Something in the service of ENQ and DEQ.
    Serialization(Serializing),
    /// A requester waited so long inside a request to that service.
    Enqueued(Group, Span),
    /// All of a request is over except the grant of the name: its requester waits for the name from now on.
    AwaitsName(Requester),
    /// A requester reached the end of its program, so long after its beginning.
    Cycled(Group, Span),
}

/// The signals of the threads of a group.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Threading {
    /// So many more run or want to.
    Runnable(i32),
    /// A thread of a guest that woke runs for the first time since, so long after it woke.
    Ran(Group, Span),
    /// A thread of a guest is on another processor from now on.
    Migrated(Group),
    /// The limit of the group stops so many more run queues, with so many more threads.
    Stopped {
        /// Run queues.
        queues: i32,
        /// Threads in them.
        threads: i32,
    },
    /// A period of the group is over.
    Period {
        /// Whether it was stopped somewhere at the end.
        throttled: bool,
        /// How much more than its quota it used.
        over: Span,
    },
}

/// A transition of a partition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Varied {
    /// It is there from now on.
    Added,
    /// It is not there any more.
    Deleted,
    /// The first of its logical processors are to be online, this many.
    Online(u32),
    /// Its weight is this.
    Weight(u32),
    /// Its target and its maximum are these, in millionths.
    Target(u32, u32),
}

/// The state of a logical processor.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Standing {
    /// It has nothing to do, and no physical processor carries it.
    #[default]
    Off,
    /// It has work, and no physical processor carries it.
    Pending,
    /// It is carried and has nothing to do.
    Waiting,
    /// It is carried and runs what programs need.
    Working,
    /// It is carried and handles an interrupt.
    Interrupted,
}

/// Whose work a logical processor has, carried or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Occupant {
    /// No requester's.
    #[default]
    Nobody,
    /// That of a requester.
    Requester(Requester),
    /// The handler's, for the interrupt of an exposure.
    Handler(Exposure),
    /// That of a virtual processor.
    Virtual(Virtual),
    /// The control program's own.
    ControlProgram,
}

/// The outcome of a sample.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sample {
    /// It is taken, so long after the timer popped.
    Taken(Span),
    /// The timer popped when the sample before was still to be taken.
    Lost,
}

/// A transition of a requester with a resource, or with a spin lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// None is free, and it waits for one.
    Awaited(Requester),
    /// It has one, at once or after this wait.
    Taken(Group, Requester, Option<Span>),
    /// It releases it after this holding time.
    Given(Requester, Span),
}

/// A transition of a thread with a lock that threads share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Locking {
    /// It waits for the lock, has it or releases it.
    Used(Use),
    /// It has tried in vain, and yields its processor.
    Yielded,
    /// It has tried in vain, and sleeps.
    Slept,
}

/// A transition of a message.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carriage {
    /// It has come and waits for its I/O.
    Queued(Way, Requester),
    /// The I/O that carries it starts, so long after it came.
    Started(Way, Span),
    /// It is through, so long after it came.
    Through(Group, Requester, Span),
}

/// How an interrupt is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Taken {
    /// It interrupts what a processor does, or its wait.
    Slih,
    /// A handler that is about to leave tests for it (TPI).
    Tpi,
}

/// A channel and an I/O that it carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Carrying {
    /// It carries the I/O from now on.
    Begun {
        /// The direction of the I/O.
        access: Access,
    },
    /// It has carried the I/O.
    Ended {
        /// The transfer of the I/O.
        transfer: Transfer,
        /// For how long the channel carried it, alone.
        took: Span,
        /// How much longer it took since it asked: its wait, and while the channel carried others beside it.
        waited: Span,
    },
}

/// Why an I/O that has started stays pending.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Hold {
    /// Another system has reserved the volume.
    Reserved,
    /// No path to the control unit is online.
    NoPath,
    /// The limit of the volume has no token for it.
    NoToken,
}

/// Whether an I/O waited before it started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Waited {
    /// It waited in the queue at the base.
    InQueue,
    /// It started when it was requested.
    NotAtAll,
}

/// The parts of one I/O's service as the channel subsystem measures them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Service {
    /// Pending, held or not.
    pub pend: Span,
    /// The part of pending in which the volume was reserved by another system, or had no path or no token.
    pub held: Span,
    /// Disconnected.
    pub disconnect: Span,
    /// Connected, as long as it took beside the others on the paths.
    pub connect: Span,
    /// Connected, as long as it would have taken alone.
    pub connect_alone: Span,
}

impl Service {
    /// Pend + disconnect + connect.
    #[inline]
    pub fn total(&self) -> Span {
        self.pend + self.disconnect + self.connect
    }
}

/// An observer; it can change nothing.
pub trait Probe {
    /// Takes notice of what happens at an instant.
    fn signal(&mut self, now: Tod, signal: Signal);
}

/// No observer; costs nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoProbe;

impl Probe for NoProbe {
    #[inline]
    fn signal(&mut self, _now: Tod, _signal: Signal) {}
}

impl<P: Probe, Q: Probe> Probe for (P, Q) {
    #[inline]
    fn signal(&mut self, now: Tod, signal: Signal) {
        self.0.signal(now, signal);
        self.1.signal(now, signal);
    }
}
