//! Totals of logical processors that are not online all the time.

use crate::table::totals;

totals! {
    /// One logical processor over one interval.
    struct OnlineProcessorTotals of "online_processors":
        "A row per logical processor of a partition whose processors are not all online all the time.";
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
        online_percent ["online", "%", Decimals(1)] Measured Mean "share of the interval in which it was online"
            from "RMF CPU ACTIVITY, TIME % ONLINE; SMF type 70, logical processor online time";
    }
}
