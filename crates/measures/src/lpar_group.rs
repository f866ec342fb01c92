//! Totals of a group of partitions under one absolute cap (PR/SM).

use crate::table::totals;

totals! {
    /// One group over one interval.
    struct LparGroupTotals of "lpar_groups": "A row per group of partitions under one absolute cap.";
    identity {
        /// The name of the group.
        group: String,
        /// How many partitions are in it.
        partitions: u64,
    }
    keys { "lpar_group" ("name of the group") = |row| row.group.as_str(); }
    attributes {
        "partitions" ("partitions in the group") = |row| row.partitions;
    }
    counters {
        cap ["cap", "1", Significant] Measured Mean "processors' worth that its partitions get together at most"
            from "PR/SM, absolute group capping";
        used ["used", "1", Significant]
            Measured Mean "processors' worth that they had: dispatched and switching to them, over the interval"
            from "SMF type 70: dispatch time of the partitions of a hardware group";
        held_percent ["held by the cap", "%", Decimals(1)]
            Measured Mean "share of the interval in which the cap kept a logical processor with work waiting"
            from "as PR/SM finds at its dispatches";
    }
}
