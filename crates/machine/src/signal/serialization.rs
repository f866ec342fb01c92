//! What happens in the service of ENQ and DEQ: requests, what they cost, who has the lock, who is queued for what.

use crate::ids::{Enqueue, Partition, Requester};
use crate::plan::EnqueueAccess;
use crate::vocabulary::piece::{Calls, Piece};
use units::Span;

/// Something that just happened in the service.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Serializing {
    /// A request begins in a system, an ENQ or a DEQ; its way will cost so much of a processor, all stretches together.
    Called(Partition, Request, Span),
    /// So much more than that turned out to be due: it was the last request of its system in a queue.
    Added(Partition, Span),
    /// A stretch of a request is over: so much of a processor was spent on this.
    Spent(Partition, Piece, Span),
    /// A request has called exits so often.
    Exits(Partition, Calls),
    /// So many exits failed and were removed.
    Removed(Partition, u32),
    /// A global request was on its way to the other systems and back for so long.
    Delayed(Partition, Span),
    /// A request is over, so long after it began.
    Over(Partition, Request, Span),
    /// The system of a request that was under way so long left, and with it what its way would still have cost.
    Lost(Partition, Span, Span),
    /// Somebody wants, has or gives back the lock under which a system serves requests.
    Lock(Partition, LockUse),
    /// A queue of a resource changes: of all queues of this name it is that of this number.
    Queue(Enqueue, u32, Queueing),
}

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Request {
    /// A resource, by ENQ or RESERVE.
    Enq,
    /// Its release.
    Deq,
}

/// What becomes of the lock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LockUse {
    /// Somebody has it, and a requester waits for it.
    Awaited(Requester),
    /// A requester has it, at once or after so long.
    Taken(Requester, Option<Span>),
    /// He gives it back after he had it so long.
    Given(Requester, Span),
    /// Somebody who waited for it so long has left with his system.
    Withdrawn(Requester, Span),
}

/// What becomes of a request for a resource.
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
    /// Who has it, so far in this way, has it for himself.
    Changed(Requester, EnqueueAccess),
    /// It is released after it had what it asked for so long.
    Released(Requester, EnqueueAccess, Span),
}
