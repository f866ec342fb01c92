//! Totals of a lock that threads share: takes, waits, holding times, and what waiting threads do.

use crate::table::totals;

totals! {
    /// A lock of threads over one interval.
    struct ThreadLockTotals of "thread_locks": "A row per lock that threads share.";
    identity {
        /// The name of the lock: "L".
        lock: String,
    }
    keys {
        "lock" ("name of the lock") = |row| row.lock.as_str();
    }
    counters {
        taken_per_s ["taken per s", "1/s", Significant] Measured Mean "times it was taken, over the interval"
            from "counted at each";
        contended_per_s ["contended per s", "1/s", Significant] Measured Mean "takes after a wait, over the interval"
            from "counted at each";
        released_per_s ["released per s", "1/s", Significant] Measured Mean "times it was given back, over the interval"
            from "counted at each";
        contended_percent ["contended", "%", Decimals(1)] Measured Mean(taken_per_s) "share of takes after a wait"
            from "counted at each";
        wait_us ["wait", "us", Significant]
            Measured Mean(taken_per_s) "from the first try to having it, per taking, times without a processor included"
            from "Little's law: waiting / taken_per_s";
        wait_p50_us ["50 %", "us", Significant] Measured Whole(taken_per_s) "half of the takes waited at most this"
            from "histogram of waits";
        wait_p95_us ["95 %", "us", Significant] Measured Whole(taken_per_s) "95 % of the takes waited at most this"
            from "histogram of waits";
        wait_p99_us ["99 %", "us", Significant] Measured Whole(taken_per_s) "99 % of the takes waited at most this"
            from "histogram of waits";
        longest_wait_ms ["longest", "ms", Time] Measured Max "the longest of these times that ended in the interval"
            from "timed at each";
        held_us ["held", "us", Significant]
            Measured Mean(released_per_s) "from having it to giving it back, per time given back, times without a processor included"
            from "timed at each";
        held_percent ["held", "%", Decimals(1)] Measured Mean "share of the interval in which it was held"
            from "timed at each";
        waiting ["waiting", "1", Significant]
            Measured Mean "time average of threads that wait for it, with a processor or without"
            from "Little's law: taken_per_s x wait_us";
        yields_per_s ["yields per s", "1/s", Significant]
            Measured Mean "times a thread that waited yielded its processor, over the interval" from "counted at each";
        sleeps_per_s ["sleeps per s", "1/s", Significant]
            Measured Mean "times a thread that waited went to sleep, over the interval" from "counted at each";
    }
}
