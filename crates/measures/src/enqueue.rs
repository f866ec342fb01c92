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
        requests_per_s ["requests per s", "1/s", Significant]
            Measured Mean "requests queued for it or refused, over the interval" from "counted at each";
        contended_per_s ["waited", "1/s", Significant] Measured Mean "of them those that had to wait"
            from "counted at each";
        refused_per_s ["refused", "1/s", Significant]
            Measured Mean "of them those that did not wait and were refused, by USE or CHNG"
            from "ENF 51, waitless contention";
        released_per_s ["released per s", "1/s", Significant]
            Measured Mean "times a task released it, over the interval" from "counted at each";
        changed_per_s ["changed", "1/s", Significant]
            Measured Mean "changes of control that were done, from shared to exclusive, by CHNG" from "counted at each";
        tested_per_s ["tested", "1/s", Significant]
            Measured Mean "questions whether it could be had, by TEST, which takes nothing" from "counted at each";
        contentions ["contentions", "1", Significant] Measured Sum "times that a first task began to wait"
            from "SMF77EVT";
        contention_min_ms ["shortest", "ms", Time]
            Measured Min(contention_max_ms) "shortest time in contention, of those that ended in the interval"
            from "SMF77WTM";
        contention_max_ms ["longest contention", "ms", Time]
            Measured Max "longest time in contention, of those that ended in the interval" from "SMF77WTX";
        contention_total_ms ["in contention", "ms", Time]
            Measured Sum "time in contention within the interval, over all members" from "SMF77WTT";
        contention_mean_ms ["each", "ms", Time]
            Measured Mean(contentions) "time in contention, per contention that ended in the interval"
            from "RMF ENQUEUE ACTIVITY, AVG";
        queue_1_percent ["queue of 1", "%", Decimals(1)]
            Measured Mean(contention_total_ms) "share of the time in contention in which one request waited"
            from "SMF77QL1";
        queue_2_percent ["queue of 2", "%", Decimals(1)] Measured Mean(contention_total_ms) "the same with two"
            from "SMF77QL2";
        queue_3_percent ["queue of 3", "%", Decimals(1)] Measured Mean(contention_total_ms) "the same with three"
            from "SMF77QL3";
        queue_4_percent ["queue of 4 or more", "%", Decimals(1)]
            Measured Mean(contention_total_ms) "the same with four or more" from "SMF77QL4";
        queue_depth ["waiting", "1", Significant] Measured Mean "time average of tasks that wait"
            from "Little's law: contended_per_s x wait_ms";
        owners ["owners", "1", Significant] Measured Mean "time average of tasks that hold it"
            from "Little's law: released_per_s x held_ms";
        wait_ms ["wait", "ms", Time]
            Measured Mean(contended_per_s) "from being queued to having it, per request that waited"
            from "measured at each";
        longest_wait_ms ["longest", "ms", Time] Measured Max "the longest of these waits" from "measured at each";
        held_ms ["held", "ms", Time] Measured Mean(released_per_s) "from having it to its release, per release"
            from "measured at each";
        exclusive_waiters_max ["most exclusive waiters", "1", Count]
            Measured Max "most requests that waited for exclusive use at once" from "SMF77EXX";
        shared_waiters_max ["most shared waiters", "1", Count]
            Measured Max "most requests that waited for shared use at once" from "SMF77SHX";
        owners_at_end ["owners at end", "1", Count] Measured Last "tasks that hold it when the interval ends"
            from "DISPLAY GRS,C";
        waiters_at_end ["waiters at end", "1", Count] Measured Last "tasks that wait when the interval ends"
            from "DISPLAY GRS,C";
    }
}
