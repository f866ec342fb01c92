//! A requester, which runs a program: its position there, its activity and since when.

use super::program::{Asked, Position};
use super::state::thread_lock::Trial;
use crate::ids::{FrontEnd, Group, Machine, Minidisk, Partition, ThreadLock, Volume};
use crate::io::Io;
use crate::plan::Way;
use units::{Span, Tod};

/// The activity of a requester.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Letting time pass.
    Thinking,
    /// Using its processor.
    Computing,
    /// Using its virtual processor until its need has been charged to it.
    Pacing,
    /// Having an instruction simulated by its control program.
    Intercepted,
    /// Using its processor to start an I/O.
    Starting(Asked),
    /// Getting a virtual processor, to take a spin lock of this kind as that of this depth.
    Arriving(u32, usize),
    /// Spinning for the spin lock of this depth.
    Spinning(usize),
    /// Trying to take a lock of threads, or asleep until it is released.
    Trying(ThreadLock, Trial),
    /// Sending a request to this group; the reply will be so long on its way.
    Requesting(Group, Span),
    /// Being answered, or waiting for the reply that is on its way.
    Exchanging,
    /// Taking a sample of its partition.
    Sampling(Partition),
    /// Using its processor for a request to the service of ENQ and DEQ.
    Serializing,
    /// Waiting for a resource that it enqueued on, for the lock of that service, or for other systems.
    Enqueued,
    /// Waiting for the resource of its innermost hold, of this depth.
    Queueing(usize),
    /// Having a message carried.
    Messaging(FrontEnd, Way),
    /// Waiting for its turn at a minidisk.
    InTurn(Minidisk),
    /// Being served by the cache of a minidisk.
    Avoiding(Minidisk),
    /// Waiting for an I/O to a volume to end.
    Waiting(Volume),
    /// Not there.
    Absent,
}

impl Activity {
    /// Whether a requester that has just done this still has a virtual processor, where it runs in a virtual machine.
    pub(super) fn has_processor(self) -> bool {
        match self {
            Activity::Computing
            | Activity::Pacing
            | Activity::Intercepted
            | Activity::Arriving(..)
            | Activity::Spinning(_) => true,
            Activity::Thinking
            | Activity::Trying(..)
            | Activity::Requesting(..)
            | Activity::Exchanging
            | Activity::Starting(_)
            | Activity::Sampling(_)
            | Activity::Serializing
            | Activity::Enqueued
            | Activity::Queueing(_)
            | Activity::Messaging(..)
            | Activity::InTurn(_)
            | Activity::Avoiding(_)
            | Activity::Waiting(_)
            | Activity::Absent => false,
        }
    }
}

/// A requester.  All that an I/O touches is in its first cache line.
#[derive(Clone, Copy, Debug)]
#[repr(C, align(64))]
pub struct RequesterState {
    /// Its group, whose program it runs.
    pub group: Group,
    /// Its virtual machine; counts where it runs in one.
    pub machine: Machine,
    /// Its activity.
    pub activity: Activity,
    /// Since when.
    pub since: Tod,
    /// When its program began; again each time for a closed guest.
    pub began: Tod,
    /// Where in the program.
    pub position: Position,
    /// The minidisk that it goes through, while it is its turn there.
    pub minidisk: Option<Minidisk>,
    /// The processor time that it needs; counts where it competes for a processor.
    pub needs: Span,
    /// When it came.
    pub came: Tod,
    /// The time of a virtual processor charged to it since; counts where it has one.
    pub charged: Span,
    /// Its last I/O.
    pub io: Io,
}

impl RequesterState {
    pub(super) fn new(group: Group, machine: Machine) -> Self {
        RequesterState {
            group,
            activity: Activity::Absent,
            since: Tod::START,
            needs: Span::ZERO,
            machine,
            came: Tod::START,
            began: Tod::START,
            charged: Span::ZERO,
            position: Position::default(),
            io: Io::to(Volume(0)),
            minidisk: None,
        }
    }

    /// The charge that is missing to this share of the time since it came, if it runs at once and is charged all of it.  None where the share is reached.
    pub(super) fn behind(&self, share: f64, now: Tod) -> Option<Span> {
        let due = share * (now - self.came).units() as f64 - self.charged.units() as f64;
        let needs = due / (1.0 - share);
        (needs >= 1.0).then(|| Span::from_units(needs as u64))
    }
}
