//! The log of a control program's decisions: how many processors it uses, and what it decided from.

use crate::table::totals;

totals! {
    /// One decision of a control program; what is used is in processors' worth.
    struct DecisionRow of "decisions": "A log: a row per decision of a control program, in replication 0.";
    identity {
        /// The name of the partition that holds the control program.
        partition: String,
    }
    keys { "partition" ("name of the partition that holds the control program") = |row| row.partition.as_str(); }
    counters {
        at_s ["at", "s", Significant]
            Measured Instant "when, from the start of the first interval; less than nothing in the warm-up"
            from "simulated time";
        used ["used", "1", Significant]
            Measured Instant "processors' worth used by the whole partition since the decision before"
            from "z/VM HiperDispatch, parking: utilization";
        tv ["T/V", "1", Significant] Measured Instant "total over guests' time since then (T/V); 1 where no guest ran"
            from "z/VM HiperDispatch, parking: T/V ratio";
        predicted ["predicted", "1", Significant] Derived Instant "processors' worth expected until the next decision"
            from "a high percentile of what was used lately, and a margin";
        cpupad ["CPUPAD", "1", Significant] Derived Instant "processors' worth added to that" from "SET SRM CPUPAD";
        entitled ["entitled", "1", Significant]
            Derived Instant "processors' worth that the weight of the partition promises" from "PR/SM";
        hoped ["hoped", "1", Significant] Derived Instant "processors' worth hoped for beside that"
            from "SET SRM EXCESSUSE";
        tv_parks ["T/V parks", "1", Significant] Derived Instant "1 where T/V was high enough to park by need, else 0"
            from "z/VM HiperDispatch, parking by T/V ratio";
        before ["before", "1", Significant] Measured Instant "processors unparked before"
            from "counted when it decides";
        after ["after", "1", Significant] Measured Instant "processors unparked from then on"
            from "counted when it decides";
    }
}
