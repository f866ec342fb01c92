//! Totals of a front-end processor: its I/Os, the messages that ride on them, and how they wait for that, in and out.

use crate::table::totals;

totals! {
    /// One front-end processor over one interval.
    struct FrontEndTotals of "front_ends": "A row per front-end processor through which messages come and go.";
    identity {
        /// The name of the front end.
        front_end: String,
    }
    keys { "front_end" ("name of the front-end processor") = |row| row.front_end.as_str(); }
    counters {
        io_per_s ["I/O per s", "1/s", Significant] Measured Mean "I/Os ended over the interval"
            from "Partitioning Large Processors, table 3, 4705 RATE";
        messages_per_io ["messages per I/O", "1", Significant]
            Measured Mean(io_per_s) "messages that rode on an I/O, on average" from "counted when it starts";
        in_per_s ["in per s", "1/s", Significant]
            Measured Mean "messages into the system whose I/O started, over the interval" from "counted at each";
        out_per_s ["out per s", "1/s", Significant]
            Measured Mean "messages to terminals whose I/O started, over the interval" from "counted at each";
        in_wait_ms ["wait in", "ms", Time]
            Measured Mean(in_per_s) "from ready to transmit until the I/O that carries it starts, per message in"
            from "Partitioning Large Processors, table 3, TPNS Q: wait for poll";
        out_wait_ms ["wait out", "ms", Time]
            Measured Mean(out_per_s) "from the answer until the I/O that carries it starts, per message out"
            from "Partitioning Large Processors, table 3, IMS OUT Q";
        in_queue ["waiting in", "1", Significant] Measured Mean "time average of messages in that wait"
            from "Little's law: in_per_s x in_wait_ms";
        out_queue ["waiting out", "1", Significant] Measured Mean "time average of messages out that wait"
            from "Little's law: out_per_s x out_wait_ms";
    }
}
