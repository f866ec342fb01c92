//! Totals of a guest, or of several alike that run one program.

use crate::table::totals;

totals! {
    /// One population of guests over one interval.
    struct GuestTotals of "guests": "A row per group of guests.";
    identity {
        /// The name of the guest.
        guest: String,
    }
    keys { "guest" ("name of the guest") = |row| row.guest.as_str(); }
    counters {
        population ["population", "1", Count] Measured Mean "time average of guests running the program"
            from "as given when closed";
        cycles_per_s ["cycles per s", "1/s", Significant]
            Measured Mean "times the program was gone through, over the interval" from "counted at its end";
        io_per_s ["I/O per s", "1/s", Significant] Measured Mean "I/Os ended over the interval, avoided ones included"
            from "counted at the end of each";
        think_ms ["think", "ms", Time] Measured Mean(cycles_per_s) "time thinking per cycle"
            from "interactive response-time law";
        compute_ms ["compute", "ms", Time]
            Measured Mean(cycles_per_s) "time computing, waits for a processor included, per cycle"
            from "interactive response-time law";
        response_ms ["resp", "ms", Time]
            Measured Mean(io_per_s) "from asking for an I/O to its end, the turn at a minidisk and avoided ones included, per I/O"
            from "z/VM HyperPAV Support, Understanding Disk Performance";
        resource_wait_ms ["for resources", "ms", Time]
            Measured Mean(cycles_per_s) "time waiting for resources, held or enqueued on by name, per cycle"
            from "interactive response-time law";
        message_ms ["messages", "ms", Time]
            Measured Mean(cycles_per_s) "time having messages carried by front ends, per cycle"
            from "interactive response-time law";
        transaction_ms ["transaction", "ms", Time]
            Measured Mean(cycles_per_s) "time of one cycle of the program less the thinking in it: the response of a terminal"
            from "interactive response-time law: population / cycles_per_s - think_ms";
        spin_ms ["spinning", "ms", Time]
            Measured Mean(cycles_per_s) "time spinning for spin locks, waits for a processor included, per cycle"
            from "interactive response-time law";
        exchanges_per_s ["exchanges per s", "1/s", Significant] Measured Mean "exchanges that ended, over the interval"
            from "counted at the end of each reply";
        exchange_ms ["exchange", "ms", Time]
            Measured Mean(exchanges_per_s) "from sending a request to the end of the reply, per exchange"
            from "interactive response-time law";
        cycle_ms ["cycle", "ms", Time] Measured Mean(cycles_per_s) "time of one cycle of the program"
            from "interactive response-time law";
        cycle_p50_ms ["cycle p50", "ms", Time]
            Measured Whole(cycles_per_s) "half of the cycles that ended took at most this" from "histogram of cycles";
        cycle_p90_ms ["cycle p90", "ms", Time]
            Measured Whole(cycles_per_s) "90 % of the cycles that ended took at most this" from "histogram of cycles";
        cycle_p95_ms ["cycle p95", "ms", Time]
            Measured Whole(cycles_per_s) "95 % of the cycles that ended took at most this" from "histogram of cycles";
        cycle_p99_ms ["cycle p99", "ms", Time]
            Measured Whole(cycles_per_s) "99 % of the cycles that ended took at most this" from "histogram of cycles";
    }
}
