//! Totals of a resource: units in use, and waits of guests that find none free.

use crate::table::totals;

totals! {
    /// One resource over one interval.
    struct ResourceTotals of "resources": "A row per resource that guests hold and queue for.";
    identity {
        /// The name of the resource.
        resource: String,
        /// How many there are, all members together.
        count: u64,
    }
    keys {
        "resource" ("name of the resource") = |row| row.resource.as_str();
    }
    attributes {
        "count" ("how many there are, all members together") = |row| row.count;
    }
    counters {
        takes_per_s ["takes per s", "1/s", Significant] Measured Mean "times one was taken, over the interval"
            from "counted at each";
        released_per_s ["released per s", "1/s", Significant]
            Measured Mean "times one was given back, over the interval" from "counted at each";
        in_use ["in use", "1", Significant] Measured Mean "time average of those that are held"
            from "Little's law: released_per_s x hold_ms";
        queue_depth ["waiting", "1", Significant] Measured Mean "time average of guests that wait for a unit"
            from "Little's law: takes_per_s x wait_ms";
        wait_ms ["wait", "ms", Time] Measured Mean(takes_per_s) "wait for a unit, waits of zero included, per take"
            from "Partitioning Large Processors, table 3, IMS IN Q";
        hold_ms ["held", "ms", Time]
            Measured Mean(released_per_s) "from taking one to giving it back, per hold that ended"
            from "Partitioning Large Processors, table 3, IMS EXEC";
    }
}
