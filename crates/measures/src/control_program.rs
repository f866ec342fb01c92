//! Totals of a control program: where the time of its processors goes, and what its dispatching did.

use crate::table::totals;

totals! {
    /// One control program over one interval; 100 % is one processor's worth.
    struct ControlProgramTotals of "control_programs":
        "A row per control program of a partition; 100 % is one processor's worth.";
    identity {
        /// The name of its partition.
        partition: String,
    }
    keys { "partition" ("name of the partition that holds it") = |row| row.partition.as_str(); }
    counters {
        total_percent ["total", "%", Decimals(1)]
            Derived Mean "guests_percent + chargeable_cp_percent + nonchargeable_cp_percent; 100 is one processor"
            from "z/VM HiperDispatch, table 1, %Total";
        guests_percent ["guests", "%", Decimals(1)]
            Measured Mean "processors' worth of running guests' instructions (emulation)"
            from "z/VM HiperDispatch, table 1, %Guests";
        chargeable_cp_percent ["c-CP", "%", Decimals(1)]
            Measured Mean "processors' worth in the control program, charged to guests"
            from "z/VM HiperDispatch, table 1, %c-CP";
        nonchargeable_cp_percent ["nc-CP", "%", Decimals(1)]
            Measured Mean "processors' worth in the control program, charged to no guest"
            from "z/VM HiperDispatch, table 1, %nc-CP";
        wait_percent ["wait", "%", Decimals(1)]
            Measured Mean "processors' worth of unparked processors that were carried and had no work"
            from "conservation of time: total, wait, parked and not carried add up to all its processors";
        tv_ratio ["T/V", "1", Significant]
            Derived Mean(guests_percent) "total_percent / guests_percent; nothing where no guest ran"
            from "z/VM HiperDispatch, table 1, T/V ratio";
        unparked ["unparked", "1", Significant] Measured Mean "time average of processors that are not parked"
            from "z/VM HiperDispatch, table 1, unparked LPUs";
        work_percent ["work", "%", Decimals(1)]
            Measured Mean "processors' worth of guests' instructions, had every cache been warm"
            from "guests_percent without what cold caches cost: the external throughput rate (ETR) is proportional to it";
        dispatches_per_s ["dispatches per s", "1/s", Significant]
            Measured Mean "times a virtual processor was dispatched, over the interval" from "counted at each";
        moved_percent ["moved", "%", Decimals(1)]
            Measured Mean(dispatches_per_s) "share of them on another processor than the last time"
            from "counted at each";
        moved_off_chip_percent ["moved off chip", "%", Decimals(1)]
            Measured Mean(dispatches_per_s) "share of them on another chip than the last time" from "counted at each";
        stolen_per_s ["stolen per s", "1/s", Significant]
            Measured Mean "dispatches from the vector of another processor, over the interval" from "counted at each";
        looks_per_s ["looks per s", "1/s", Significant]
            Measured Mean "times a processor without work looked at the vectors of others, over the interval"
            from "counted at each search, however many vectors";
        ready ["ready", "1", Significant] Measured Mean "time average of virtual processors that wait for a processor"
            from "CPU wait";
        decisions ["decisions", "1", Count] Measured Sum "times it decided how many processors to use"
            from "counted at each; every 2 s";
        spinning_percent ["spinning", "%", Decimals(1)]
            Measured Mean "processors' worth of guests spinning for locks of their own, part of guests_percent"
            from "emulation that gets no work done";
        x44_per_s ["X'44' per s", "1/s", Significant]
            Measured Mean "DIAGNOSE X'44' issued, on the fast path too, over the interval"
            from "FCX104 PRIVOP; z/VM DIAGNOSE X'9C', table 1, Total DIAG 44 Rate";
        fast_x44_per_s ["fast X'44' per s", "1/s", Significant]
            Measured Mean "of these, those that found an empty vector and returned at once (fast path)"
            from "FCX102 SYSTEM, FP simul of Diag.X'44'";
        fast_x44_percent ["fast", "%", Decimals(1)] Measured Mean(x44_per_s) "share of DIAGNOSE X'44' on the fast path"
            from "z/VM DIAGNOSE X'9C', table 1, % Fast Path";
        x9c_per_s ["X'9C' per s", "1/s", Significant] Measured Mean "DIAGNOSE X'9C' issued, over the interval"
            from "FCX104 PRIVOP";
        x9c_yielded_per_s ["yielded", "1/s", Significant]
            Measured Mean "of these the ones whose target was run in the place of the caller" from "counted at each";
        x9c_not_ready_per_s ["not ready", "1/s", Significant]
            Measured Mean "of these the ones whose target was at its limit, not woken yet or being put back"
            from "FCX102 SYSTEM, Diag.X'9C' Not Ready";
        x9c_wait_per_s ["in wait", "1/s", Significant] Measured Mean "of these the ones whose target had nothing to do"
            from "FCX102 SYSTEM, Diag.X'9C' Wait State";
        x9c_soft_wait_per_s ["in soft wait", "1/s", Significant]
            Measured Mean "of these the ones whose target had had nothing to do for a short time"
            from "FCX102 SYSTEM, Diag.X'9C' Soft Wait; soft_wait says how short";
        x9c_dispatched_per_s ["dispatched", "1/s", Significant]
            Measured Mean "of these the ones whose target had a processor" from "FCX102 SYSTEM, Diag.X'9C' Alr.Dispat.";
        sensed_per_s ["sensed running", "1/s", Significant]
            Measured Mean "times SIGP Sense Running Status said that the target runs, and there was no DIAGNOSE"
            from "counted at each";
        diagnoses_per_s ["DIAGs", "1/s", Significant] Derived Mean "x44_per_s + x9c_per_s"
            from "z/VM DIAGNOSE X'9C', table 1, Total DIAGs (44,44FP,9C)";
        halts_per_s ["halts per s", "1/s", Significant]
            Measured Mean "times a virtual processor that spun halted until the lock is released"
            from "counted at each; a halt is simulated as an enabled wait";
        kicks_per_s ["kicks per s", "1/s", Significant]
            Measured Mean "times the release of a lock woke a halted virtual processor, by a call of the releaser"
            from "counted at each";
        loop_exits_per_s ["loop exits per s", "1/s", Significant]
            Measured Mean "times the loop of a virtual processor that spun was intercepted"
            from "pause-loop exiting, counted at each";
        loop_yielded_per_s ["sibling ran", "1/s", Significant]
            Measured Mean "of these the ones in whose place another virtual processor of the machine ran"
            from "counted at each";
        loop_ended_per_s ["slice ended", "1/s", Significant]
            Measured Mean "of these the ones that ended a slice in favour of the vector" from "counted at each";
        loop_window_us ["window", "us", Significant]
            Measured Mean(loop_exits_per_s) "mean window after which loops were intercepted" from "counted at each";
        slice_ends_per_s ["slices ended", "1/s", Significant]
            Measured Mean "times a virtual processor that ran was put back to wait for a processor"
            from "its slice was over, it yielded (X'44' off the fast path, X'9C' that ran its target), or it was intercepted";
        vector_empty_percent ["vector empty", "%", Decimals(1)]
            Measured Mean(unparked) "share of time in which a dispatch vector is empty, mean over those in use"
            from "those of unparked processors; where there is one list for all, that list";
        vector_depth ["depth", "1", Significant]
            Measured Mean(unparked) "time average of virtual processors that wait in a dispatch vector, mean over those in use"
            from "those of unparked processors; where there is one list for all, that list";
        vector_empty_sampled_percent ["sampled", "%", Decimals(1)]
            Sampled Mean(unparked) "share of the vectors in use that are empty, mean over the samples"
            from "z/VM DIAGNOSE X'9C', table 1, PLDV % Empty; a sample each measure.sample";
        vector_depth_sampled ["sampled", "1", Significant]
            Sampled Mean(unparked) "virtual processors that wait in a vector in use, mean over the samples"
            from "z/VM DIAGNOSE X'9C', table 1, PLDV Queue; a sample each measure.sample";
        intercepts_per_s ["intercepts per s", "1/s", Significant]
            Measured Mean "instructions of steps `intercept` that it simulated, over the interval"
            from "counted at each; DIAGNOSEs by which guests yield are not among them";
    }
}
