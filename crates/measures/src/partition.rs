//! Totals of a partition or domain: where the time of its logical processors goes, and how its I/O interrupts fare.

use crate::table::totals;

totals! {
    /// One partition over one interval.
    struct PartitionTotals of "partitions":
        "A row per partition or domain: its logical processors and its I/O interrupts.";
    identity {
        /// The name of the partition.
        partition: String,
        /// How many logical processors it has.
        logical_processors: u64,
    }
    keys {
        "partition" ("name of the partition or domain") = |row| row.partition.as_str();
    }
    attributes {
        "logical_processors" ("logical processors") = |row| row.logical_processors;
    }
    counters {
        dispatched_percent ["dispatched", "%", Decimals(1)]
            Measured Mean "share of the time of its logical processors in which a physical one carried them"
            from "Partitioning Large Processors, 1.0";
        effective_percent ["effective", "%", Decimals(1)]
            Measured Mean "share of that time carried and busy with programs or interrupts"
            from "RMF PARTITION DATA, EFFECTIVE";
        wait_percent ["wait", "%", Decimals(1)] Measured Mean "share of that time carried and without work"
            from "a domain that waits keeps its slice";
        pending_percent ["pending", "%", Decimals(1)] Measured Mean "share of that time with work and not carried"
            from "conservation of time";
        management_percent ["management", "%", Decimals(1)]
            Measured Mean "share of that time spent on switching processors to it" from "RMF PARTITION DATA, LPAR MGMT";
        cpu_percent ["CPU", "%", Decimals(1)]
            Measured Mean "processors' worth of work done: effective time over elapsed time"
            from "Partitioning Large Processors, table 3, CPU";
        interrupts_per_s ["interrupts per s", "1/s", Significant]
            Measured Mean "I/O interrupts handled over the interval" from "RMF CPU ACTIVITY";
        tpi_percent ["TPI", "%", Decimals(1)]
            Measured Mean(interrupts_per_s) "share of them that a handler found by testing before it left"
            from "100 TPI / (SLIH + TPI): RMF CPU ACTIVITY, % VIA TPI";
        enabled ["enabled", "1", Significant]
            Measured Mean "time average of processors enabled for I/O interrupts while they have work"
            from "IEAOPT, CPENABLE(LO,HI)";
        hold_ms ["hold", "ms", Time]
            Measured Mean(interrupts_per_s) "from the end of an I/O until its interrupt was handled, per I/O"
            from "Partitioning Large Processors, figure 1: t2 to t5; not measured at its time";
        interrupts_pending ["interrupts pending", "1", Significant]
            Measured Mean "time average of I/Os that have ended and were not handled"
            from "Little's law: interrupts_per_s x hold_ms";
        weight ["weight", "1", Count] Measured Last "weight by which PR/SM shares processors; 0 for dedicated ones"
            from "RMF PARTITION DATA, WGT; SMF70BPS; not known where processors go in slices, nor in a simulation";
        machine_processors ["processors of the machine", "1", Count]
            Measured Last "general processors of the machine, in each row the same"
            from "RMF PARTITION DATA, NUM CP; SMF70CTN; not known in a simulation";
        hypervisor_percent ["hypervisor", "%", Decimals(1)]
            Measured Mean "processors' worth that PR/SM took for no partition, in each row the same"
            from "RMF PARTITION DATA, *PHYSICAL*; SMF70PDT of the row PHYSICAL; not known in a simulation";
        samples_due ["samples due", "1", Count]
            Derived Sum "samples that its own measurement program should take: the interval over its cycle"
            from "Partitioning Large Processors, 2.0: validate the number of samples";
        samples_taken ["samples taken", "1", Count] Measured Sum "samples that this program took"
            from "RMF, TOTAL SAMPLES";
        samples_lost ["samples lost", "1", Count]
            Measured Sum "pops that found the sample before them still to be taken"
            from "Partitioning Large Processors, 2.0: a missed sample";
        sample_delay_ms ["samples late", "ms", Time]
            Measured Mean(samples_taken) "from the pop until the sample was taken, per sample"
            from "Partitioning Large Processors, 2.0: a delay in taking the sample";
    }
}
