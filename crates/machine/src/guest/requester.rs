//! Somebody who runs a program: where in it, what he is doing and since when.

use super::program::{Asked, Position};
use crate::ids::{FrontEnd, Group, Machine, Minidisk, Partition, Volume};
use crate::io::Io;
use crate::plan::Way;
use units::{Span, Tod};

/// What a requester is doing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activity {
    /// Letting time pass.
    Thinking,
    /// Using his processor.
    Computing,
    /// Using his virtual processor until he was charged what he needs.
    Pacing,
    /// Having an instruction simulated by his control program.
    Intercepted,
    /// Using his processor to start an I/O.
    Starting(Asked),
    /// Getting a virtual processor, to take a spin lock of this kind as that of this depth.
    Arriving(u32, usize),
    /// Spinning for the spin lock of this depth.
    Spinning(usize),
    /// Sending a request to this group; the reply will be so long on its way.
    Requesting(Group, Span),
    /// Being answered, or waiting for the reply that is on its way.
    Exchanging,
    /// Taking a sample of his partition.
    Sampling(Partition),
    /// Using his processor for a request to the service of ENQ and DEQ.
    Serializing,
    /// Waiting for what he enqueued on, for the lock of that service, or for other systems.
    Enqueued,
    /// Waiting for the resource of his innermost hold, which is so deep.
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
    /// Whether who has just done this has a virtual processor still, where he runs in a virtual machine.
    pub(super) fn has_processor(self) -> bool {
        match self {
            Activity::Computing
            | Activity::Pacing
            | Activity::Intercepted
            | Activity::Arriving(..)
            | Activity::Spinning(_) => true,
            Activity::Thinking
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

/// A requester.
#[derive(Clone, Copy, Debug)]
pub struct RequesterState {
    /// Whose program he runs.
    pub group: Group,
    /// What he is doing.
    pub activity: Activity,
    /// Since when.
    pub since: Tod,
    /// How much of a processor he needs; counts where he competes for one.
    pub needs: Span,
    /// His virtual machine; counts where he runs in one.
    pub machine: Machine,
    /// When he came.
    pub came: Tod,
    /// When his program began; again each time for who is always there.
    pub began: Tod,
    /// How much of a virtual processor has been charged to him since; counts where he has one.
    pub charged: Span,
    /// Where in the program.
    pub position: Position,
    /// The I/O he asked for last.
    pub io: Io,
    /// The minidisk it goes through, while it is his turn there.
    pub minidisk: Option<Minidisk>,
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

    /// What has to be charged to him until that is this share of the time since he came, while he runs at once and is
    /// charged for all of it; none where it already is.
    pub(super) fn behind(&self, share: f64, now: Tod) -> Option<Span> {
        let due = share * (now - self.came).units() as f64 - self.charged.units() as f64;
        let needs = due / (1.0 - share);
        (needs >= 1.0).then(|| Span::from_units(needs as u64))
    }
}
