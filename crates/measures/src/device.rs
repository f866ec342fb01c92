//! Totals of a device: one exposure of a volume, base or alias, as a row of a DEVICE report has it.

use crate::table::totals;

/// The role of a device for its volume (z/VM HyperPAV Support, DASD Tuning via Classic PAV and via HyperPAV).
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// The base of a volume: requests queue here.
    Base,
    /// A classic PAV alias, bound to the base with this device number.
    BoundAlias {
        /// The device number of the base.
        base: String,
    },
    /// A HyperPAV alias, which works for any base of its pool.
    PoolAlias {
        /// The name of the pool; empty when the source does not tell it, as a DEVICE report does not.
        pool: String,
    },
}

impl Role {
    /// The word for it: "base", "bound-alias", "pool-alias".
    pub const fn word(&self) -> &'static str {
        match self {
            Role::Base => "base",
            Role::BoundAlias { .. } => "bound-alias",
            Role::PoolAlias { .. } => "pool-alias",
        }
    }

    /// The device number of the base of a bound alias, else empty.
    pub fn base(&self) -> &str {
        match self {
            Role::BoundAlias { base } => base,
            Role::Base | Role::PoolAlias { .. } => "",
        }
    }

    /// The pool of a pool alias, else empty.
    pub fn pool(&self) -> &str {
        match self {
            Role::PoolAlias { pool } => pool,
            Role::Base | Role::BoundAlias { .. } => "",
        }
    }
}

totals! {
    /// One device over one interval.
    struct DeviceTotals of "devices": "A row per exposure: bases, bound aliases, aliases of pools.";
    identity {
        /// The device number.
        device: String,
        /// The device type as printed: "3390-3"; for a classic alias the type of its base where it is known.
        kind: String,
        /// The label of the volume; empty for a pool alias.
        label: String,
        /// Its role for its volume.
        role: Role,
        /// How many channel paths lead to it.
        paths: u64,
    }
    keys {
        "device" ("device number") = |row| row.device.as_str();
    }
    attributes {
        "type" ("device type") = |row| row.kind.as_str();
        "label" ("label of the volume, empty for a pool alias") = |row| row.label.as_str();
        "role" ("base, bound-alias or pool-alias") = |row| row.role.word();
        "base" ("device number of the base of a bound alias") = |row| row.role.base();
        "pool" ("pool of a pool alias, where it is known") = |row| row.role.pool();
        "paths" ("channel paths") = |row| row.paths;
    }
    counters {
        io_per_s ["I/O per s", "1/s", Significant] Measured Mean "I/Os ended on this device over the interval"
            from "FCX108 DEVICE, Rate/s I/O";
        avoided_per_s ["avoided", "1/s", Significant]
            Measured Mean "I/Os that the minidisk cache made unnecessary, over the interval"
            from "FCX108 DEVICE, Rate/s Avoid";
        pend_ms ["pend", "ms", Time] Measured Mean(io_per_s) "pending time per I/O" from "FCX108 DEVICE, Time Pend";
        disc_ms ["disc", "ms", Time] Measured Mean(io_per_s) "disconnect time per I/O" from "FCX108 DEVICE, Time Disc";
        conn_ms ["conn", "ms", Time] Measured Mean(io_per_s) "connect time per I/O" from "FCX108 DEVICE, Time Conn";
        service_ms ["serv", "ms", Time] Derived Mean(io_per_s) "pend_ms + disc_ms + conn_ms"
            from "FCX108 DEVICE, Time Serv";
        response_ms ["resp", "ms", Time]
            Derived Mean(io_per_s) "service_ms + 1000 x queue_depth / io_per_s of this device, as the toolkit has it"
            from "FCX108 DEVICE, Time Resp; wrong for base and alias devices (z/VM HyperPAV Support, Introduction)";
        queue_depth ["queued", "1", Significant]
            Measured Mean "time average of requests waiting at this device; a page that was read has samples"
            from "FCX108 DEVICE, Req. Qued";
        queue_depth_sampled ["sampled", "1", Significant]
            Sampled Mean "mean of the requests waiting at this device over the samples"
            from "FCX108 DEVICE, Req. Qued: what the page of a simulated run prints";
        busy_percent ["busy", "%", Decimals(1)]
            Derived Mean "share of the interval with an I/O in progress on this device"
            from "utilisation law: io_per_s x service_ms / 10";
    }
}
