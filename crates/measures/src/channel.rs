//! Totals of a channel path: how busy it is, in which direction, what it carries, and how I/Os wait for it.

use crate::table::totals;

totals! {
    /// One channel path over one interval.
    struct ChannelTotals of "channels": "A row per channel path (CHPID).";
    identity {
        /// The name of the channel.
        channel: String,
    }
    keys { "channel" ("name of the channel path") = |row| row.channel.as_str(); }
    counters {
        io_per_s ["I/O per s", "1/s", Significant]
            Measured Mean "I/Os that the channel finished carrying, over the interval"
            from "counted when its serial part ends";
        busy_percent ["busy", "%", Decimals(1)]
            Measured Mean "time in which the channel carries an I/O, in either direction"
            from "RMF CHANNEL PATH ACTIVITY, UTILIZATION TOTAL; FCX161 LCHANNEL, %Busy";
        read_busy_percent ["reads", "%", Decimals(1)] Measured Mean "time in which the channel carries a read"
            from "utilisation law: reads per s x serial time of a read";
        write_busy_percent ["writes", "%", Decimals(1)] Measured Mean "time in which the channel carries a write"
            from "utilisation law: writes per s x serial time of a write";
        read_kib_per_s ["read KiB/s", "KiB/s", Significant] Measured Mean "KiB read over the channel, over the interval"
            from "RMF CHANNEL PATH ACTIVITY, READ(MB/SEC)";
        write_kib_per_s ["written", "KiB/s", Significant]
            Measured Mean "KiB written over the channel, over the interval"
            from "RMF CHANNEL PATH ACTIVITY, WRITE(MB/SEC)";
        carry_ms ["serial", "ms", Time]
            Measured Mean(io_per_s) "serial time of an I/O: for which the channel carries it, alone"
            from "serial time per I/O and per KiB; the whole connection where that holds the channel";
        wait_ms ["wait", "ms", Time]
            Measured Mean(io_per_s) "delay of an I/O by others on the channel: its wait, or on a shared one slower transfer"
            from "part of connect time, or of pend and disconnect where a connection holds the channel";
    }
}
