//! Totals of a minidisk: how its guests wait for their turn, and what its cache saves them.

use crate::table::totals;

totals! {
    /// One minidisk over one interval.
    struct MinidiskTotals of "minidisks": "A row per minidisk.";
    identity {
        /// The name of the minidisk.
        minidisk: String,
        /// The label of the volume it lies on.
        volume: String,
    }
    keys {
        "minidisk" ("name of the minidisk") = |row| row.minidisk.as_str();
    }
    attributes {
        "volume" ("label of the volume it lies on") = |row| row.volume.as_str();
    }
    counters {
        io_per_s ["I/O per s", "1/s", Significant]
            Measured Mean "I/Os through the minidisk that were started and ended, over the interval"
            from "counted at the end of each";
        avoided_per_s ["avoided", "1/s", Significant]
            Measured Mean "reads that the minidisk cache saved, over the interval"
            from "FCX108 DEVICE, Avoid; VMDMDCIA";
        queue_depth ["waiting", "1", Significant] Measured Mean "time average of guests that wait for their turn"
            from "one I/O at a time: z/VM HyperPAV Support, DASD Tuning via Classic PAV";
        wait_ms ["wait", "ms", Time]
            Measured Mean(io_per_s, avoided_per_s) "wait for the turn per I/O, avoided ones included"
            from "Little's law: queue_depth over the rate";
        response_ms ["resp", "ms", Time]
            Measured Mean(io_per_s, avoided_per_s) "from asking for the I/O to its end, the turn and avoided ones included, per I/O"
            from "as its guests see it";
    }
}
