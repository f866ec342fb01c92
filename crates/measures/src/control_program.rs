//! Totals of a control program: where the time of its processors goes, and what its dispatching did.
//!
//! It leaves out its processors and its virtual machines one by one, and the scheduler lock: they have tables of their own.

use crate::table::totals;

totals! {
    /// One control program over one interval; 100 % is one processor's worth.
    struct ControlProgramTotals of "control_programs";
    identity {
        /// The name of its partition.
        partition: String,
    }
    keys { "partition" ("name of the partition that holds it") = |row| row.partition.as_str(); }
    counters {
        total_percent ["%"] Derived "guests_percent + chargeable_cp_percent + nonchargeable_cp_percent; 100 is one processor"
            from "z/VM HiperDispatch, table 1, %Total";
        guests_percent ["%"] Measured "processors' worth of running guests' instructions (emulation)"
            from "z/VM HiperDispatch, table 1, %Guests";
        chargeable_cp_percent ["%"] Measured "processors' worth in the control program, charged to guests"
            from "z/VM HiperDispatch, table 1, %c-CP";
        nonchargeable_cp_percent ["%"] Measured "processors' worth in the control program, charged to nobody"
            from "z/VM HiperDispatch, table 1, %nc-CP";
        wait_percent ["%"] Measured "processors' worth of unparked processors that were carried and had no work"
            from "conservation of time: total, wait, parked and not carried add up to all its processors";
        tv_ratio ["1"] Derived "total_percent / guests_percent; nothing where no guest ran"
            from "z/VM HiperDispatch, table 1, T/V ratio";
        unparked ["1"] Measured "time average of processors that are not parked"
            from "z/VM HiperDispatch, table 1, unparked LPUs";
        work_percent ["%"] Measured "processors' worth of guests' instructions, had every cache been warm"
            from "guests_percent without what cold caches cost: the external throughput rate (ETR) is proportional to it";
        dispatches_per_s ["1/s"] Measured "times a virtual processor was dispatched, over the interval"
            from "counted at each";
        moved_percent ["%"] Measured "share of them on another processor than the last time" from "counted at each";
        moved_off_chip_percent ["%"] Measured "share of them on another chip than the last time" from "counted at each";
        stolen_per_s ["1/s"] Measured "dispatches from the vector of another processor, over the interval"
            from "counted at each";
        looks_per_s ["1/s"] Measured "times a processor without work looked at the vectors of others, over the interval"
            from "counted at each search, however many vectors";
        ready ["1"] Measured "time average of virtual processors that wait for a processor" from "CPU wait";
        decisions ["1"] Measured "times it decided how many processors to use" from "counted at each; every 2 s";
    }
}
