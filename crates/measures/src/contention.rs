//! The log of contention: at the end of an interval, the holders and waiters of each contended resource, and their
//! blockers.

use crate::table::totals;

/// A resource, as queues know it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contended {
    /// Its name in the scenario.
    pub enqueue: String,
    /// Its major name.
    pub qname: String,
    /// Its minor name, with the number of the member.
    pub rname: String,
    /// How far the name turned out to reach.
    pub scope: String,
}

/// A request in its queue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contender {
    /// The name of the task's partition.
    pub partition: String,
    /// The task: its group, and its number among all.
    pub task: String,
    /// "EXCLUSIVE" or "SHARE".
    pub access: String,
    /// "OWN" or "WAIT".
    pub status: String,
    /// The tasks that have to release it first, one behind the other.
    pub blockers: String,
}

totals! {
    /// A request in the queue of a resource that is in contention, at the end of an interval.
    struct ContentionRow of "contention":
        "A log: a row per holder and waiter of a contended resource, at the ends of intervals of replication 0.";
    identity {
        /// The contended resource.
        what: Contended,
        /// The task that holds it or waits for it.
        who: Contender,
    }
    keys {
        "enqueue" ("name of the resource in the scenario") = |row| row.what.enqueue.as_str();
        "qname" ("its major name") = |row| row.what.qname.as_str();
        "rname" ("its minor name, with the number of the member") = |row| row.what.rname.as_str();
        "scope" ("how far the name turned out to reach") = |row| row.what.scope.as_str();
        "partition" ("name of the task's partition") = |row| row.who.partition.as_str();
        "task" ("the task: its group, and its number among all") = |row| row.who.task.as_str();
        "access" ("EXCLUSIVE or SHARE") = |row| row.who.access.as_str();
        "status" ("OWN or WAIT") = |row| row.who.status.as_str();
        "blockers" ("of a waiter, the tasks that have to release it first: the first 32, and the number of others") = |row| row.who.blockers.as_str();
    }
    counters {
        at_s ["at", "s", Significant] Measured Instant "when, from the start of the first interval"
            from "DISPLAY GRS,C: at an instant";
        since_ms ["since", "ms", Time] Measured Instant "time for which the task has held it, or has waited"
            from "DISPLAY GRS,ANALYZE, elapsed time";
        deadlock ["deadlock", "1", Significant]
            Derived Instant "number of the deadlock that the task is in, from 1; else 0"
            from "DISPLAY GRS,ANALYZE,DEPENDENCY";
    }
}
