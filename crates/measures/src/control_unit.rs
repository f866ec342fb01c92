//! Totals of a control unit: the set of paths that the I/Os of its volumes share.

use crate::table::totals;

totals! {
    /// One control unit over one interval.
    struct ControlUnitTotals of "control_units": "A row per control unit and its path group.";
    identity {
        /// The name of the control unit.
        control_unit: String,
        /// How many paths lead to it.
        paths: u64,
    }
    keys {
        "control_unit" ("name of the control unit") = |row| row.control_unit.as_str();
    }
    attributes {
        "paths" ("channel paths") = |row| row.paths;
    }
    counters {
        io_per_s ["I/O per s", "1/s", Significant] Measured Mean "I/Os ended over the interval"
            from "sum over the volumes behind it";
        paths_online ["online", "1", Count] Measured Mean "time average of paths online" from "CP QUERY PATHS";
        connected ["connected", "1", Significant] Measured Mean "time average of I/Os in their connect part"
            from "Little's law: io_per_s x connect";
        slowdown ["slowdown", "1", Significant]
            Measured Mean(io_per_s) "time connected over what one I/O alone would have needed"
            from "1 when I/Os do not slow each other";
    }
}
