//! Somebody who runs a program: where in it, what he is doing and since when.
//!
//! It leaves out where his I/O stands in a queue.

use super::program::{Asked, Position};
use crate::ids::{FrontEnd, Group, Minidisk, Partition, Volume};
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
    /// Using his processor to start an I/O.
    Starting(Asked),
    /// Taking a sample of his partition.
    Sampling(Partition),
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
    /// Where in the program.
    pub position: Position,
    /// The I/O he asked for last.
    pub io: Io,
    /// The minidisk it goes through, while it is his turn there.
    pub minidisk: Option<Minidisk>,
}

impl RequesterState {
    pub(super) fn new(group: Group) -> Self {
        RequesterState {
            group,
            activity: Activity::Absent,
            since: Tod::START,
            needs: Span::ZERO,
            position: Position::default(),
            io: Io::to(Volume(0)),
            minidisk: None,
        }
    }
}
