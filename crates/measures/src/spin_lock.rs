//! Totals of a spin lock of the operating system in a virtual machine: takes, spins, holding times.

use crate::table::totals;

totals! {
    /// A lock of one virtual machine, all of that name together, over one interval.
    struct SpinLockTotals of "spin_locks": "A row per spin lock of a virtual machine, those of one name together.";
    identity {
        /// The name of the partition that holds the control program of its virtual machine.
        partition: String,
        /// Of which kind the virtual machine is.
        virtual_machine: String,
        /// Which of its kind, counted from zero.
        number: u64,
        /// The name of the lock: "dcache".
        lock: String,
    }
    keys {
        "partition" ("name of the partition that holds its control program") = |row| row.partition.as_str();
        "virtual_machine" ("name of the kind of its virtual machine") = |row| row.virtual_machine.as_str();
        "number" ("which of its kind the virtual machine is, counted from zero") = |row| row.number;
        "lock" ("name of the lock; those of one name in a machine are one row") = |row| row.lock.as_str();
    }
    counters {
        taken_per_s ["taken per s", "1/s", Significant] Measured Mean "times one of them was taken, over the interval"
            from "counted at each";
        contended_per_s ["contended per s", "1/s", Significant] Measured Mean "takes after spinning, over the interval"
            from "counted at each";
        released_per_s ["released per s", "1/s", Significant]
            Measured Mean "times one of them was given back, over the interval" from "counted at each";
        contended_percent ["contended", "%", Decimals(1)] Measured Mean(taken_per_s) "share of takes after spinning"
            from "counted at each";
        wait_us ["wait", "us", Significant]
            Measured Mean(contended_per_s) "from the first try to having it, per contended taking, times without a processor included"
            from "Little's law: spinning / contended_per_s";
        longest_wait_ms ["longest", "ms", Time] Measured Max "the longest of these times that ended in the interval"
            from "timed at each";
        held_us ["held", "us", Significant]
            Measured Mean(released_per_s) "from having it to giving it back, per time given back, times without a processor included"
            from "timed at each";
        held_percent ["held", "%", Decimals(1)] Measured Mean "share of the interval in which one of them was held"
            from "timed at each";
        spinning ["spinning", "1", Significant]
            Measured Mean "time average of guests that spin for one, with a processor or without"
            from "Little's law: contended_per_s x wait_us";
    }
}
