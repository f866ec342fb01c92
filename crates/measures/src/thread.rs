//! Totals of the threads of a guest under Linux's fair scheduler: how late they run after they wake, and how often they move.
//!
//! It leaves out what they do when they run, which the table of guests has.

use crate::table::totals;

totals! {
    /// The threads of one guest over one interval.
    struct ThreadTotals of "threads";
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
        wakes ["1"] Measured "times one of them ran for the first time after it woke" from "counted at each";
        wakes_per_s ["1/s"] Measured "the same, over the interval" from "counted at each";
        wake_ms ["ms"] Measured "from the end of its wait to its first run, per wake" from "timed at each";
        wake_p50_ms ["ms"] Measured "half of the wakes took at most this" from "histogram of wakes";
        wake_p90_ms ["ms"] Measured "90 % of the wakes took at most this" from "histogram of wakes";
        wake_p95_ms ["ms"] Measured "95 % of the wakes took at most this" from "histogram of wakes";
        wake_p99_ms ["ms"] Measured "99 % of the wakes took at most this" from "histogram of wakes";
        wake_max_ms ["ms"] Measured "the longest that a wake took" from "timed at each";
        migrations_per_s ["1/s"] Measured "times one of them went to another processor, over the interval"
            from "counted at each";
    }
}
