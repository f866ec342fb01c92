//! Totals of virtual machines: processor time, states of their virtual processors, dispatches.

use crate::table::totals;

totals! {
    /// One virtual machine over one interval.
    struct VirtualMachineTotals of "virtual_machines": "A row per virtual machine; 100 % is one processor's worth.";
    identity {
        /// The name of the partition that holds its control program.
        partition: String,
        /// Of which kind it is.
        virtual_machine: String,
        /// Which of its kind, counted from zero.
        number: u64,
    }
    keys {
        "partition" ("name of the partition that holds its control program") = |row| row.partition.as_str();
        "virtual_machine" ("name of its kind") = |row| row.virtual_machine.as_str();
        "number" ("which of its kind, counted from zero") = |row| row.number;
    }
    counters {
        emulation_percent ["emulation", "%", Decimals(1)]
            Measured Mean "processors' worth of running its instructions; 100 is one processor"
            from "conservation of time";
        chargeable_cp_percent ["c-CP", "%", Decimals(1)]
            Measured Mean "processors' worth in the control program, charged to it" from "conservation of time";
        charged_percent ["charged", "%", Decimals(1)] Derived Mean "emulation_percent + chargeable_cp_percent"
            from "what shares and limits are about";
        work_percent ["work", "%", Decimals(1)]
            Measured Mean "processors' worth of its instructions, had every cache been warm"
            from "emulation_percent without what cold caches cost";
        running ["running", "1", Significant]
            Measured Mean "time average of its virtual processors that have a processor" from "conservation of time";
        ready_wait ["CPU wait", "1", Significant]
            Measured Mean "time average of those that wait for a processor (CPU wait)" from "conservation of time";
        waking ["waking", "1", Significant]
            Measured Mean "time average of those that have work of which the control program does not know yet"
            from "conservation of time";
        interrupted ["interrupted", "1", Significant]
            Measured Mean "time average of those whose processor handles an interrupt for another"
            from "conservation of time";
        idle ["idle", "1", Significant] Measured Mean "time average of those in enabled wait"
            from "conservation of time";
        limited ["limited", "1", Significant]
            Measured Mean "time average of those that have had all that their limit grants" from "limit list";
        halted ["halted", "1", Significant]
            Measured Mean "time average of those that have halted until a spin lock is released for them"
            from "conservation of time; not among idle";
        dispatches_per_s ["dispatches per s", "1/s", Significant]
            Measured Mean "times one of them was dispatched, over the interval" from "counted at each";
        moved_percent ["moved", "%", Decimals(1)]
            Measured Mean(dispatches_per_s) "share of these on another processor than the last time"
            from "counted at each";
        share ["share", "%", Decimals(1)]
            Derived Mean "what its share promises it of the processors of the partition, when all want them"
            from "CP SET SHARE: absolute shares first, what they leave in proportion to relative ones";
        resident ["resident", "1", Share]
            Measured Mean(dispatches_per_s) "how much of its storage the innermost caches hold when it is dispatched, on average"
            from "1: all of it";
        spinning_percent ["spinning", "%", Decimals(1)]
            Measured Mean "processors' worth of spinning for its own locks, part of emulation_percent"
            from "emulation that gets no work done";
        x44_per_s ["X'44' per s", "1/s", Significant]
            Measured Mean "DIAGNOSE X'44' that it issued, on the fast path too, over the interval"
            from "counted at each";
        fast_x44_per_s ["fast X'44' per s", "1/s", Significant]
            Measured Mean "of these, those that found an empty vector and returned at once (fast path)"
            from "counted at each";
        x9c_per_s ["X'9C' per s", "1/s", Significant] Measured Mean "DIAGNOSE X'9C' that it issued, over the interval"
            from "counted at each";
        halts_per_s ["halts per s", "1/s", Significant]
            Measured Mean "times one of them that spun halted, over the interval" from "counted at each";
        kicks_per_s ["kicks per s", "1/s", Significant]
            Measured Mean "times one of them released a lock and kicked the next, which had halted, over the interval"
            from "counted at each";
        loop_exits_per_s ["loop exits per s", "1/s", Significant]
            Measured Mean "times the loop of one of them was intercepted, over the interval" from "counted at each";
        loop_window_us ["window", "us", Significant] Measured Mean(loop_exits_per_s) "mean window after which that was"
            from "counted at each";
        intercepts_per_s ["intercepts per s", "1/s", Significant]
            Measured Mean "instructions of steps `intercept` that were simulated for it, over the interval"
            from "counted at each";
    }
}
