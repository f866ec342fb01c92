//! Totals of a resource that guests enqueue on by name: requests, waits, contention, its queues.

use crate::table::totals;

totals! {
    /// One resource by name, all members and all queues of it together, over one interval.
    struct EnqueueTotals of "enqueues":
        "A row per resource that guests enqueue on by name, all members and queues of it together.";
    identity {
        /// Its name in the scenario.
        enqueue: String,
        /// Its major name: "SYSDSN".
        qname: String,
        /// Its minor name; that of members has a period and their number behind it.
        rname: String,
        /// How far the name is asked for to reach: "SYSTEM".
        scope: String,
        /// How many members it has.
        members: u64,
    }
    keys {
        "enqueue" ("name of the resource in the scenario") = |row| row.enqueue.as_str();
    }
    attributes {
        "qname" ("its major name") = |row| row.qname.as_str();
        "rname" ("its minor name, without the numbers of members") = |row| row.rname.as_str();
        "scope" ("how far the name is asked for to reach") = |row| row.scope.as_str();
        "members" ("how many members it has") = |row| row.members;
    }
    counters {
        requests_per_s ["1/s"] Measured Mean "requests queued for it or refused, over the interval"
            from "counted at each";
        contended_per_s ["1/s"] Measured Mean "of them those that had to wait" from "counted at each";
        refused_per_s ["1/s"] Measured Mean "of them those that did not wait and were refused, by USE or CHNG"
            from "ENF 51, waitless contention";
        released_per_s ["1/s"] Measured Mean "times a task released it, over the interval" from "counted at each";
        changed_per_s ["1/s"] Measured Mean "changes of control that were done, from shared to exclusive, by CHNG"
            from "counted at each";
        tested_per_s ["1/s"] Measured Mean "questions whether it could be had, by TEST, which takes nothing"
            from "counted at each";
        contentions ["1"] Measured Sum "times that a first task began to wait" from "SMF77EVT";
        contention_min_ms ["ms"]
            Measured Min(contention_max_ms) "shortest time in contention, of those that ended in the interval"
            from "SMF77WTM";
        contention_max_ms ["ms"] Measured Max "longest time in contention, of those that ended in the interval"
            from "SMF77WTX";
        contention_total_ms ["ms"] Measured Sum "time in contention within the interval, over all members"
            from "SMF77WTT";
        contention_mean_ms ["ms"]
            Measured Mean(contentions) "time in contention, per contention that ended in the interval"
            from "RMF ENQUEUE ACTIVITY, AVG";
        queue_1_percent ["%"]
            Measured Mean(contention_total_ms) "share of the time in contention in which one request waited"
            from "SMF77QL1";
        queue_2_percent ["%"] Measured Mean(contention_total_ms) "the same with two" from "SMF77QL2";
        queue_3_percent ["%"] Measured Mean(contention_total_ms) "the same with three" from "SMF77QL3";
        queue_4_percent ["%"] Measured Mean(contention_total_ms) "the same with four or more" from "SMF77QL4";
        queue_depth ["1"] Measured Mean "time average of tasks that wait" from "Little's law: contended_per_s x wait_ms";
        owners ["1"] Measured Mean "time average of tasks that hold it"
            from "Little's law: released_per_s x held_ms";
        wait_ms ["ms"] Measured Mean(contended_per_s) "from being queued to having it, per request that waited"
            from "measured at each";
        longest_wait_ms ["ms"] Measured Max "the longest of these waits" from "measured at each";
        held_ms ["ms"] Measured Mean(released_per_s) "from having it to its release, per release"
            from "measured at each";
        exclusive_waiters_max ["1"] Measured Max "most requests that waited for exclusive use at once" from "SMF77EXX";
        shared_waiters_max ["1"] Measured Max "most requests that waited for shared use at once" from "SMF77SHX";
        owners_at_end ["1"] Measured Last "tasks that hold it when the interval ends" from "DISPLAY GRS,C";
        waiters_at_end ["1"] Measured Last "tasks that wait when the interval ends" from "DISPLAY GRS,C";
    }
}
