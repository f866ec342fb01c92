//! Totals of a volume: its base and whichever aliases worked for it, seen as one.

use crate::table::totals;

totals! {
    /// One volume over one interval.
    struct VolumeTotals of "volumes": "A row per volume: its base and whatever aliases did for it.";
    identity {
        /// The label of the volume.
        volume: String,
        /// The device number of its base.
        device: String,
        /// The HyperPAV pool whose aliases may work for it; empty when there is none, or the source does not tell.
        pool: String,
    }
    keys {
        "volume" ("label of the volume") = |row| row.volume.as_str();
    }
    attributes {
        "device" ("device number of its base") = |row| row.device.as_str();
        "pool" ("HyperPAV pool of its base, where it has one and it is known") = |row| row.pool.as_str();
    }
    counters {
        io_per_s ["I/O per s", "1/s", Significant]
            Measured Mean "I/Os ended, on the base and on aliases, over the interval"
            from "z/VM HyperPAV Support, A Unified Look at Volume I/O Rate; MRIODDEV SCGSSCH + PAVSSCH";
        avoided_per_s ["avoided", "1/s", Significant]
            Measured Mean "reads that a minidisk cache saved, over the interval" from "FCX108 DEVICE, Avoid";
        reads_per_s ["reads", "1/s", Significant] Measured Mean "reads among the I/Os ended, over the interval"
            from "counted at the end of each";
        writes_per_s ["writes", "1/s", Significant] Measured Mean "writes among the I/Os ended, over the interval"
            from "counted at the end of each";
        kib_per_s ["KiB/s", "KiB/s", Significant] Measured Mean "KiB transferred by the I/Os ended, over the interval"
            from "counted at the end of each";
        pend_ms ["pend", "ms", Time] Measured Mean(io_per_s) "pending time per I/O, rate-weighted over base and aliases"
            from "z/VM HyperPAV Support, A Unified Look; MRIODDEV SCMFPTIM, PAVFPTIM";
        held_ms ["held", "ms", Time]
            Measured Mean(io_per_s) "part of pend_ms in which the volume was reserved by another system, or had no path or no token, per I/O"
            from "RMF DIRECT ACCESS DEVICE ACTIVITY, AVG DB DLY; MRIODDEV SCMDBTIM";
        command_ms ["command", "ms", Time]
            Measured Mean(io_per_s) "part of pend_ms until the device has accepted the first command, per I/O"
            from "RMF DIRECT ACCESS DEVICE ACTIVITY, AVG CMR DLY; SMF74CMR; not known in a simulation";
        disc_ms ["disc", "ms", Time]
            Measured Mean(io_per_s) "disconnect time per I/O, rate-weighted over base and aliases"
            from "z/VM HyperPAV Support, A Unified Look";
        conn_ms ["conn", "ms", Time] Measured Mean(io_per_s) "connect time per I/O, rate-weighted over base and aliases"
            from "z/VM HyperPAV Support, A Unified Look; MRIODDEV SCMCNTIM, PAVCNTIM";
        service_ms ["serv", "ms", Time] Derived Mean(io_per_s) "pend_ms + disc_ms + conn_ms"
            from "z/VM HyperPAV Support, The Basic DEVICE Report, Serv";
        hold_ms ["hold", "ms", Time]
            Measured Mean(io_per_s) "from the end of an I/O until its partition has handled the interrupt, per I/O; the device is busy still"
            from "Partitioning Large Processors, figure 1 and 5.0; not measured at its time";
        queue_depth ["queued", "1", Significant] Measured Mean "time average of requests waiting at the base"
            from "z/VM HyperPAV Support, The Basic DEVICE Report, Req. Qued";
        queue_depth_sampled ["sampled", "1", Significant]
            Sampled Mean "mean of the requests waiting at the base over the samples"
            from "z/VM monitor, domain 6 sample data";
        queue_depth_rmf ["queued, RMF", "1", Significant]
            Sampled Mean "mean of the requests waiting over the samples that its partition's own program took"
            from "Partitioning Large Processors, 4.0: sampled inside the domain, late or lost when it is not dispatched";
        iosq_ms ["IOSQ", "ms", Time]
            Derived Mean(io_per_s) "queue_depth over io_per_s: the true wait for the device per I/O"
            from "Partitioning Large Processors, 4.0, IOSQ";
        iosq_rmf_ms ["inside", "ms", Time]
            Derived Mean(io_per_s) "queue_depth_rmf over io_per_s: the wait for the device as the partition's own program has it"
            from "Partitioning Large Processors, 4.0: mean sampled queue length over the device activity rate";
        response_ms ["resp", "ms", Time]
            Measured Mean(io_per_s) "from arrival in the control program to the end of the I/O, per I/O"
            from "z/VM HyperPAV Support, Understanding Disk Performance";
        response_p50_ms ["p50", "ms", Time] Measured Whole(io_per_s) "half of the responses were at most this"
            from "histogram of response_ms";
        response_p90_ms ["p90", "ms", Time] Measured Whole(io_per_s) "90 % of the responses were at most this"
            from "histogram of response_ms";
        response_p95_ms ["p95", "ms", Time] Measured Whole(io_per_s) "95 % of the responses were at most this"
            from "histogram of response_ms";
        response_p99_ms ["p99", "ms", Time] Measured Whole(io_per_s) "99 % of the responses were at most this"
            from "histogram of response_ms";
        in_service ["in service", "1", Significant] Measured Mean "time average of I/Os started and not ended"
            from "Little's law: io_per_s x service_ms";
        reserved_percent ["reserved", "%", Decimals(1)]
            Measured Mean "share of the interval in which another system had reserved the volume"
            from "RMF DIRECT ACCESS DEVICE ACTIVITY, % DEV RESV";
        base_io_per_s ["by the base", "1/s", Significant] Measured Mean "I/Os ended on the base over the interval"
            from "MRIODDEV SCGSSCH";
        alias_io_per_s ["by aliases", "1/s", Significant]
            Measured Mean "I/Os ended on aliases for this volume over the interval" from "MRIODDEV PAVSSCH";
        exposures ["exposures", "1", Significant]
            Measured Mean "its base and its aliases; of a HyperPAV base the mean number of aliases at work for it"
            from "RMF DIRECT ACCESS DEVICE ACTIVITY, PAV; SMF74NUX, over SMF74PSM; not known in a simulation";
    }
}
