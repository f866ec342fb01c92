//! Totals of the virtual processors of a guest: what they spent the interval on.

use crate::table::totals;

totals! {
    /// The virtual processors of one guest over one interval.
    struct ProcessorTotals of "processors":
        "A row per group of guests: what its virtual processors spent their time on.";
    identity {
        /// The name of the guest.
        guest: String,
    }
    keys { "guest" ("name of the guest") = |row| row.guest.as_str(); }
    counters {
        virtual_processors ["processors", "1", Count] Measured Mean "time average of virtual processors"
            from "one per guest running the program";
        compute_percent ["compute", "%", Decimals(1)] Measured Mean(virtual_processors) "share of their time computing"
            from "conservation of time: the shares add up to 100";
        think_percent ["think", "%", Decimals(1)] Measured Mean(virtual_processors) "share of their time thinking"
            from "conservation of time: the shares add up to 100";
        io_wait_percent ["I/O wait", "%", Decimals(1)]
            Measured Mean(virtual_processors) "share of their time waiting for an I/O or for a turn at a minidisk"
            from "conservation of time: the shares add up to 100";
        resource_wait_percent ["for resources", "%", Decimals(1)]
            Measured Mean(virtual_processors) "share of their time waiting for a resource"
            from "conservation of time: the shares add up to 100";
        message_percent ["messages", "%", Decimals(1)]
            Measured Mean(virtual_processors) "share of their time having a message carried by a front end"
            from "conservation of time: the shares add up to 100";
        spin_percent ["spinning", "%", Decimals(1)]
            Measured Mean(virtual_processors) "share of their time spinning for a spin lock, waits for a processor included"
            from "conservation of time: the shares add up to 100";
        exchange_percent ["exchanges", "%", Decimals(1)]
            Measured Mean(virtual_processors) "share of their time having another group answer, requests and replies included"
            from "conservation of time: the shares add up to 100";
    }
}
