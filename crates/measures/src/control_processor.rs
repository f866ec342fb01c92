//! Totals of the logical processors that a control program dispatches on, one by one: their time, their vectors, their steals.

use crate::table::totals;

totals! {
    /// One logical processor of a control program over one interval.
    struct ControlProcessorTotals of "control_processors":
        "A row per logical processor that a control program dispatches on.";
    identity {
        /// The name of its partition.
        partition: String,
        /// Which of the partition's it is, counted from zero.
        number: u64,
        /// How it is polarized as the scenario starts: "Vh", "Vm", "Vl" or "Hz".
        polarity: String,
    }
    keys {
        "partition" ("name of the partition that holds the control program") = |row| row.partition.as_str();
        "number" ("which of its logical processors, counted from zero") = |row| row.number;
    }
    attributes {
        "polarity" ("as the scenario starts: Vh, Vm or Vl in vertical mode (high, medium, low), Hz in horizontal")
            = |row| row.polarity.as_str();
    }
    counters {
        emulation_percent ["guests", "%", Decimals(1)]
            Measured Mean "share of the interval running guests' instructions" from "conservation of time";
        chargeable_cp_percent ["c-CP", "%", Decimals(1)]
            Measured Mean "share of the interval in the control program, charged to guests" from "conservation of time";
        nonchargeable_cp_percent ["nc-CP", "%", Decimals(1)]
            Measured Mean "share of the interval in the control program, charged to no guest"
            from "conservation of time";
        spin_percent ["spin", "%", Decimals(1)]
            Measured Mean "the part of nonchargeable_cp_percent spent spinning for the scheduler lock"
            from "z/VM HiperDispatch, table 1, SRMSLOCK spin sec/sec, of this processor";
        busy_percent ["busy", "%", Decimals(1)]
            Derived Mean "emulation_percent + chargeable_cp_percent + nonchargeable_cp_percent"
            from "conservation of time";
        wait_percent ["wait", "%", Decimals(1)] Measured Mean "share of the interval unparked, carried and without work"
            from "conservation of time";
        parked_percent ["parked", "%", Decimals(1)] Measured Mean "share of the interval parked and without work"
            from "RMF CPU ACTIVITY, PARKED";
        entitlement_percent ["entitled", "%", Decimals(1)]
            Derived Mean "what it is promised as the scenario starts; 100 is one physical processor"
            from "RMF CPU ACTIVITY, LOG PROC SHARE %";
        vector_empty_percent ["vector empty", "%", Decimals(1)]
            Measured Mean "share of the interval in which its dispatch vector was empty"
            from "FCX144 PROCLOG, PLDV % empty";
        vector_depth ["depth", "1", Significant]
            Measured Mean "time average of virtual processors that wait in its dispatch vector"
            from "FCX144 PROCLOG, PLDV queue";
        dispatches_per_s ["dispatches per s", "1/s", Significant]
            Measured Mean "times it dispatched a virtual processor, over the interval" from "counted at each";
        moved_percent ["moved", "%", Decimals(1)]
            Measured Mean(dispatches_per_s) "share of them that ran on another processor before" from "counted at each";
        stolen_chip_per_s ["stolen on chip", "1/s", Significant]
            Measured Mean "of these from a vector on the same chip, over the interval" from "counted at each";
        stolen_book_per_s ["in book", "1/s", Significant]
            Measured Mean "of these from a vector on another chip of the book, over the interval"
            from "counted at each";
        stolen_far_per_s ["farther", "1/s", Significant]
            Measured Mean "of these from a vector in another book, over the interval" from "counted at each";
        looks_per_s ["looks per s", "1/s", Significant]
            Measured Mean "times it found its own vector empty and looked at others, over the interval"
            from "counted at each search, however many vectors";
    }
}
