//! Totals of a HyperPAV alias pool, as the monitor record MRIODHPP (domain 6, record 28) has them.

use crate::table::totals;

totals! {
    /// One alias pool over one interval.
    struct PoolTotals of "pools": "A row per HyperPAV pool.";
    identity {
        /// The name of the pool.
        pool: String,
    }
    keys { "pool" ("name of the pool") = |row| row.pool.as_str(); }
    counters {
        aliases ["aliases", "1", Count] Measured Mean "aliases of the pool that are online, averaged over time"
            from "CP QUERY PAV";
        tries ["tries", "1", Count] Measured Sum "times the pool was asked for an alias in the interval"
            from "MRIODHPP HPPTRIES";
        fails ["fails", "1", Count] Measured Sum "tries that found no alias free" from "MRIODHPP HPPFAILS";
        fails_per_try ["fails/tries", "1", Share] Derived Mean(tries) "fails / tries"
            from "z/VM HyperPAV Support, Another Look at Provisioning";
        low_water ["low water", "1", Count] Measured Min "fewest free aliases found at a try" from "MRIODHPP HPPMINCT";
        high_water ["high water", "1", Count] Measured Max "most free aliases found at a try" from "MRIODHPP HPPMAXCT";
        free_mean ["free, mean", "1", Significant] Measured Mean "time average of free aliases"
            from "utilisation law: aliases - alias rate x service";
        channel_busy_percent ["channels busy", "%", Decimals(1)]
            Measured Mean "mean utilization of the channel paths that are online to its control unit"
            from "SMF record 73, of the paths that R783CPD has in 78-3; not known in a simulation";
    }
}
