//! The log of contention: at the end of an interval, who has what others wait for, who waits, and behind whom.

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
    /// The name of the partition of who asks.
    pub partition: String,
    /// Who asks: his group, and his number among all.
    pub task: String,
    /// "EXCLUSIVE" or "SHARE".
    pub access: String,
    /// "OWN" or "WAIT".
    pub status: String,
    /// Who has to be done with it before, one behind the other.
    pub blockers: String,
}

totals! {
    /// A request in the queue of a resource that is in contention, at the end of an interval.
    struct ContentionRow of "contention":
        "A log: a row per request where somebody waits, at the ends of intervals of replication 0.";
    identity {
        /// What is in contention.
        what: Contended,
        /// Who has it or waits for it.
        who: Contender,
    }
    keys {
        "enqueue" ("name of the resource in the scenario") = |row| row.what.enqueue.as_str();
        "qname" ("its major name") = |row| row.what.qname.as_str();
        "rname" ("its minor name, with the number of the member") = |row| row.what.rname.as_str();
        "scope" ("how far the name turned out to reach") = |row| row.what.scope.as_str();
        "partition" ("name of the partition of who asks") = |row| row.who.partition.as_str();
        "task" ("who asks: the group, and its number among all that are there") = |row| row.who.task.as_str();
        "access" ("EXCLUSIVE or SHARE") = |row| row.who.access.as_str();
        "status" ("OWN or WAIT") = |row| row.who.status.as_str();
        "blockers" ("of who waits, those who have to be done with it before: the first 32, and how many more") = |row| row.who.blockers.as_str();
    }
    counters {
        at_s ["s"] Measured Instant "when, from the start of the first interval" from "DISPLAY GRS,C: at an instant";
        since_ms ["ms"] Measured Instant "for how long he has had it, or has waited"
            from "DISPLAY GRS,ANALYZE, elapsed time";
        deadlock ["1"] Derived Instant "number of the deadlock that he is in, from 1; else 0"
            from "DISPLAY GRS,ANALYZE,DEPENDENCY";
    }
}
