//! Totals of the logical processors of a partition, one by one: where their time goes, and how they take interrupts.

use crate::table::totals;

totals! {
    /// One logical processor over one interval.
    struct LogicalProcessorTotals of "logical_processors": "A row per logical processor of a partition.";
    identity {
        /// The name of its partition.
        partition: String,
        /// Which of the partition's it is, counted from zero.
        number: u64,
    }
    keys {
        "partition" ("name of the partition or domain") = |row| row.partition.as_str();
        "number" ("which of its logical processors, counted from zero") = |row| row.number;
    }
    counters {
        dispatched_percent ["dispatched", "%", Decimals(1)]
            Measured Mean "share of the interval in which a physical processor carried it"
            from "RMF CPU ACTIVITY: LPAR BUSY is this and management_percent";
        effective_percent ["effective", "%", Decimals(1)]
            Measured Mean "share of the interval carried and busy with programs or interrupts"
            from "Partitioning Large Processors, 1.0";
        wait_percent ["wait", "%", Decimals(1)] Measured Mean "share of the interval carried and without work"
            from "a domain that waits keeps its slice";
        pending_percent ["pending", "%", Decimals(1)] Measured Mean "share of the interval with work and not carried"
            from "conservation of time";
        management_percent ["management", "%", Decimals(1)]
            Measured Mean "share of the interval in which a physical processor switched to it"
            from "RMF PARTITION DATA, LPAR MGMT";
        busy_percent ["with work", "%", Decimals(1)]
            Measured Mean "share of the interval with work, carried or not: effective + pending"
            from "RMF CPU ACTIVITY, MVS BUSY";
        interrupts_per_s ["interrupts per s", "1/s", Significant]
            Measured Mean "I/O interrupts that it took over the interval" from "RMF CPU ACTIVITY";
        tpi_percent ["TPI", "%", Decimals(1)]
            Measured Mean(interrupts_per_s) "share of them that its handler found by testing before it left"
            from "100 TPI / (SLIH + TPI): RMF CPU ACTIVITY, % VIA TPI";
    }
}
