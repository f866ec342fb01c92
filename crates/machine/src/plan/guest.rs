//! Guests, and what they queue for beside volumes, as they are to be built.

use super::cfs::ThreadPlan;
use super::program::{Access, Step, Target};
use kernel::distribution::Distribution;
use std::sync::Arc;
use units::{PerSecond, Percent, Span};

/// A part of a volume that does one I/O at a time, for all guests.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MinidiskPlan {
    /// Its name in the scenario.
    pub name: String,
    /// Index into [`super::Plan::volumes`].
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
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ResourcePlan {
    /// Its name in the scenario.
    pub name: String,
    /// How many there are of each.
    pub count: u32,
    /// The number of different ones; a guest needs a certain one, each equally likely.
    pub members: u32,
}

/// A front-end processor: messages wait in it, in and out by turns, and ride together on one I/O of its device.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct FrontEndPlan {
    /// Its name in the scenario.
    pub name: String,
    /// The volume that stands for its subchannel: index into [`super::Plan::volumes`].
    pub volume: usize,
    /// How many messages an I/O takes along on average, one of the two whole numbers beside this; at most what waits.
    pub messages: f64,
    /// The same for the first I/O after its partition was dispatched, where that takes another number along.
    pub first_messages: Option<f64>,
}

/// A group of guests that run one program.
#[derive(Clone, Debug, Default, PartialEq)]
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
        /// Index into [`super::Plan::partitions`]; it has no control program.
        partition: usize,
        /// The priority on its processors: the higher number first.
        priority: u8,
    },
    /// In the virtual machines of a kind, by turns.
    VirtualMachine {
        /// Index into [`super::Plan::virtual_machines`].
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
#[derive(Clone, Debug, Default, PartialEq)]
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
    #[default]
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
