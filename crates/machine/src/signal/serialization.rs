//! The signals of the service of ENQ and DEQ: requests, their cost, the lock, the queues.

use crate::ids::{Enqueue, Partition, Requester};
use crate::plan::EnqueueAccess;
use crate::vocabulary::piece::{Calls, Piece};
use units::Span;

/// Something that just happened in the service.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Serializing {
    /// A request begins in a system, an ENQ or a DEQ; its path will cost this much processor time, all stretches together.
    Called(Partition, Request, Span),
    /// So much more than that turned out to be due: it was the last request of its system in a queue.
    Added(Partition, Span),
    /// A stretch of a request is over: this much processor time was spent on this.
    Spent(Partition, Piece, Span),
    /// A request has called exits so often.
    Exits(Partition, Calls),
    /// This many exits failed and were removed.
    Removed(Partition, u32),
    /// A global request was on its way to the other systems and back for so long.
    Delayed(Partition, Span),
    /// A request is over, so long after it began.
    Over(Partition, Request, Span),
    /// The system of a request that was under way so long left, and with it what its way would still have cost.
    Lost(Partition, Span, Span),
    /// A requester wants, has or releases the lock under which a system serves requests.
    Lock(Partition, LockUse),
    /// A queue of a resource changes: of all queues of this name it is that of this number.
    Queue(Enqueue, u32, Queueing),
}

/// The kind of request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A resource, by ENQ or RESERVE.
    Enq,
    /// Its release.
    Deq,
}

/// A transition of the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockUse {
    /// Another has it, and a requester waits for it.
    Awaited(Requester),
    /// A requester has it, at once or after so long.
    Taken(Requester, Option<Span>),
    /// It is released after this long.
    Given(Requester, Span),
    /// A requester that waited for it this long has left with its system.
    Withdrawn(Requester, Span),
}

/// A transition of a request for a resource.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queueing {
    /// It has what it asked for at once.
    Granted(Requester, EnqueueAccess),
    /// It waits.
    Awaited(Requester, EnqueueAccess),
    /// It has what it waited for so long.
    Passed(Requester, EnqueueAccess, Span),
    /// It waited for it so long, and left with its system.
    Withdrawn(Requester, EnqueueAccess, Span),
    /// It does not wait, and is refused.
    Refused(Requester),
    /// Nothing is taken: it could be had, or not.
    Tested(Requester, bool),
    /// A task that held it in this way becomes exclusive.
    Changed(Requester, EnqueueAccess),
    /// It is released after it had what it asked for so long.
    Released(Requester, EnqueueAccess, Span),
}
