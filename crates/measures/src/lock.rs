//! Totals of a lock of a control program: how often it is taken, and the time of processors that spin for it.

use crate::table::totals;

totals! {
    /// One lock over one interval.
    struct LockTotals of "locks": "A row per lock of a control program.";
    identity {
        /// The name of the partition that holds the control program.
        partition: String,
        /// The name of the lock: "SRMSLOCK".
        lock: String,
    }
    keys {
        "partition" ("name of the partition that holds the control program") = |row| row.partition.as_str();
        "lock" ("name of the lock") = |row| row.lock.as_str();
    }
    counters {
        taken_per_s ["taken per s", "1/s", Significant] Measured Mean "times it was taken, over the interval"
            from "counted at each";
        exclusive_per_s ["exclusive per s", "1/s", Significant]
            Measured Mean "times it was taken exclusive, over the interval" from "counted at each";
        shared_per_s ["shared per s", "1/s", Significant] Measured Mean "times it was taken shared, over the interval"
            from "counted at each";
        collisions_per_s ["collisions per s", "1/s", Significant]
            Measured Mean "requests that had to spin for it, over the interval"
            from "FCX265 LOCKLOG, Combined, Colls/sec";
        spin_us_per_collision ["us per collision", "us", Significant]
            Measured Mean(collisions_per_s) "time spun, per collision" from "FCX265 LOCKLOG, Combined, AvgSpin usec";
        spin_s_per_s ["spinning", "1", Significant]
            Measured Mean "processors' worth of spinning: seconds per second, over all processors"
            from "z/VM HiperDispatch, table 1, SRMSLOCK spin sec/sec";
        spin_percent ["spin", "%", Decimals(1)] Derived Mean "100 x spin_s_per_s"
            from "FCX265 LOCKLOG, Combined, Spin %Busy";
        hold_us ["held", "us", Significant]
            Measured Mean(taken_per_s) "time from having it to giving it back, per time taken" from "counted at each";
        exclusive_collisions_per_s ["their collisions", "1/s", Significant]
            Measured Mean "collisions of exclusive requests, over the interval"
            from "FCX265 LOCKLOG, Exclusive, Colls/sec";
        exclusive_spin_us_per_collision ["their us per collision", "us", Significant]
            Measured Mean(exclusive_collisions_per_s) "time spun by them, per collision"
            from "FCX265 LOCKLOG, Exclusive, AvgSpin usec";
        exclusive_spin_percent ["their spin", "%", Decimals(1)] Measured Mean "processors' worth of spinning by them"
            from "FCX265 LOCKLOG, Exclusive, Spin %Busy";
        shared_collisions_per_s ["collisions, shared", "1/s", Significant]
            Measured Mean "collisions of shared requests, over the interval" from "FCX265 LOCKLOG, Shared, Colls/sec";
        shared_spin_us_per_collision ["us per collision, shared", "us", Significant]
            Measured Mean(shared_collisions_per_s) "time spun by them, per collision"
            from "FCX265 LOCKLOG, Shared, AvgSpin usec";
        shared_spin_percent ["spin, shared", "%", Decimals(1)] Measured Mean "processors' worth of spinning by them"
            from "FCX265 LOCKLOG, Shared, Spin %Busy";
        yields_per_s ["yields per s", "1/s", Significant]
            Measured Mean "DIAGNOSEs X'44' and X'9C' to PR/SM by processors that spun for it, over the interval"
            from "FCX102 SYSTEM, CP issued Diag.X'44'";
        directed_per_s ["directed", "1/s", Significant]
            Measured Mean "of these the ones that named a holder which was not carried, and gave way to it"
            from "counted at each";
        sensed_per_s ["sensed running", "1/s", Significant]
            Measured Mean "times it was not issued, since the holder was carried (SIGP Sense Running Status)"
            from "counted at each";
    }
}
