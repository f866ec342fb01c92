//! Totals of a group of threads under Linux's fair scheduler: what its `cpu.stat` would say, and how many want to run.

use crate::table::totals;

totals! {
    /// A group over one interval; what `cpu.stat` counts since the group was made is counted here from the interval's start.
    struct CgroupTotals of "cgroups":
        "A row per group of threads; what `cpu.stat` counts is counted from the start of the interval.";
    identity {
        /// Its name in the scenario.
        cgroup: String,
    }
    keys {
        "cgroup" ("name of the group") = |row| row.cgroup.as_str();
    }
    counters {
        usage_usec ["usage_usec", "us", Significant] Measured Sum "processor time of its threads in the interval"
            from "Linux, cgroup-v2: cpu.stat";
        nr_periods ["nr_periods", "1", Significant]
            Measured Sum "periods that ended in the interval; none ends while no processor takes runtime"
            from "Linux, cgroup-v2: cpu.stat";
        nr_throttled ["nr_throttled", "1", Significant]
            Measured Sum "periods at whose end the group was stopped on some processor"
            from "Linux, cgroup-v2: cpu.stat";
        throttled_usec ["throttled_usec", "us", Significant]
            Measured Sum "how long it was stopped, all processors together" from "Linux, cgroup-v2: cpu.stat";
        nr_bursts ["nr_bursts", "1", Significant] Measured Sum "periods in which more than the quota was used"
            from "Linux, cgroup-v2: cpu.stat";
        burst_usec ["burst_usec", "us", Significant] Measured Sum "what was used above the quota in these"
            from "Linux, cgroup-v2: cpu.stat";
        throttled_percent ["throttled", "%", Decimals(1)]
            Derived Mean(nr_periods) "share of the periods at whose end it was stopped"
            from "100 nr_throttled / nr_periods";
        cpu_percent ["CPU", "%", Decimals(1)] Derived Mean "processor time over the interval, one processor is 100"
            from "usage_usec / interval";
        runnable ["runnable", "1", Significant] Measured Mean "time average of its threads that run or want to"
            from "counted at each change";
        threads_throttled ["stopped", "1", Significant]
            Measured Mean "time average of its threads that want to run and that the limit stops"
            from "counted at each change";
    }
}
