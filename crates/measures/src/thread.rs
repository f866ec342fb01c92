//! Totals of the threads of a guest under Linux's fair scheduler: how late they run after they wake, and how often they move.

use crate::table::totals;

totals! {
    /// The threads of one guest over one interval.
    struct ThreadTotals of "threads": "A row per guest whose members are threads.";
    identity {
        /// The name of the guest.
        guest: String,
        /// The name of the group in which they run.
        cgroup: String,
    }
    keys {
        "guest" ("name of the group of guests whose threads they are") = |row| row.guest.as_str();
        "cgroup" ("name of the group in which they run") = |row| row.cgroup.as_str();
    }
    counters {
        wakes ["wakes", "1", Count] Measured Sum "times one of them ran for the first time after it woke"
            from "counted at each";
        wakes_per_s ["wakes per s", "1/s", Significant] Measured Mean "the same, over the interval"
            from "counted at each";
        wake_ms ["late", "ms", Time] Measured Mean(wakes) "from the end of its wait to its first run, per wake"
            from "timed at each";
        wake_p50_ms ["50 %", "ms", Time] Measured Whole(wakes) "half of the wakes took at most this"
            from "histogram of wakes";
        wake_p90_ms ["90 %", "ms", Time] Measured Whole(wakes) "90 % of the wakes took at most this"
            from "histogram of wakes";
        wake_p95_ms ["95 %", "ms", Time] Measured Whole(wakes) "95 % of the wakes took at most this"
            from "histogram of wakes";
        wake_p99_ms ["99 %", "ms", Time] Measured Whole(wakes) "99 % of the wakes took at most this"
            from "histogram of wakes";
        wake_max_ms ["longest", "ms", Time] Measured Max "the longest that a wake took" from "timed at each";
        migrations_per_s ["moves per s", "1/s", Significant]
            Measured Mean "times one of them went to another processor, over the interval" from "counted at each";
    }
}
