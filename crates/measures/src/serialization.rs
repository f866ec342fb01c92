//! Totals of the service of ENQ and DEQ in a partition: requests, what they cost, the lock, the exits that were called.

use crate::table::totals;

totals! {
    /// The service in one partition over one interval.
    struct SerializationTotals of "serialization": "A row per partition whose guests enqueue: ENQ and DEQ there.";
    identity {
        /// The name of the partition.
        partition: String,
    }
    keys {
        "partition" ("name of the partition") = |row| row.partition.as_str();
    }
    counters {
        enq_per_s ["ENQ per s", "1/s", Significant] Measured Mean "ENQs and RESERVEs that ended, over the interval"
            from "counted at each";
        enq_step_per_s ["ENQ in steps", "1/s", Significant]
            Measured Mean "of these ENQs, those with SCOPE=STEP, which reach no exit"
            from "SMF record 72 subtype 5, R725SSTR; not known in a simulation";
        enq_systems_per_s ["ENQ over systems", "1/s", Significant]
            Measured Mean "of these ENQs, those with SCOPE=SYSTEMS"
            from "SMF record 72 subtype 5, R725SSSR; not known in a simulation";
        deq_per_s ["DEQ per s", "1/s", Significant] Measured Mean "DEQs that ended, over the interval"
            from "counted at each";
        pairs_per_s ["pairs per s", "1/s", Significant] Derived Mean "pairs of both: the DEQs"
            from "GRS/MIM Installation Exit Performance, Results";
        global_per_s ["global", "1/s", Significant] Measured Mean "of both, those that were sent to other systems"
            from "counted at each";
        elapsed_us_per_pair ["us per pair", "us", Significant]
            Measured Mean(pairs_per_s) "mean ENQ and mean DEQ from call to end, waits included"
            from "GRS/MIM Installation Exit Performance, Results";
        cpu_us_per_pair ["CPU", "us", Significant] Measured Mean(pairs_per_s) "processor time of the service, per pair"
            from "the pieces below, added up";
        cpu_percent ["CPU", "%", Decimals(1)] Measured Mean "the same over the elapsed time, in processors' worth"
            from "counted at each stretch";
        base_us ["base", "us", Significant] Measured Mean(pairs_per_s) "of it the service itself, per pair"
            from "counted at each stretch";
        front_end_us ["front end", "us", Significant]
            Measured Mean(pairs_per_s) "of it a front end of the supervisor call, per pair"
            from "counted at each stretch";
        fast_us ["fast exits", "us", Significant]
            Measured Mean(pairs_per_s) "of it calls of fast exits, without their storage, per pair"
            from "counted at each stretch";
        slow_us ["slow exits", "us", Significant]
            Measured Mean(pairs_per_s) "of it calls of slow exits, without their storage, per pair"
            from "counted at each stretch";
        storage_us ["storage", "us", Significant] Measured Mean(pairs_per_s) "of it storage for both, per pair"
            from "counted at each stretch";
        message_us ["messages", "us", Significant]
            Measured Mean(pairs_per_s) "of it messages of a multi-image manager, per pair"
            from "counted at each stretch";
        lock_per_s ["lock taken per s", "1/s", Significant] Measured Mean "times the ENQ/DEQ lock was taken"
            from "counted at each";
        lock_held_percent ["lock held", "%", Decimals(1)] Measured Mean "share of the time in which the lock was held"
            from "its level over the interval";
        lock_held_us ["a hold", "us", Significant] Measured Mean(lock_per_s) "how long it was held, per hold"
            from "measured at each";
        lock_contended_percent ["found taken", "%", Decimals(1)]
            Measured Mean(lock_per_s) "share of takes that found it taken"
            from "SMF record 72 subtype 5, CMS Enqueue/Dequeue lock";
        lock_wait_us ["lock wait", "us", Significant]
            Measured Mean(lock_per_s) "wait for it, waits of zero included, per take"
            from "SMF record 72 subtype 5, CMS Enqueue/Dequeue lock";
        lock_waiting ["wait for the lock", "1", Significant] Measured Mean "time average of tasks that wait for it"
            from "Little's law: lock_per_s x lock_wait_us";
        delay_ms ["delay", "ms", Time]
            Measured Mean(global_per_s) "how long a global request was on its way to other systems, per such request"
            from "MVS Planning: Global Resource Serialization, Request processing";
        nqxitfast_per_pair ["nqxitfast per pair", "1", Significant]
            Measured Mean(pairs_per_s) "calls of ISGNQXITFAST per pair" from "counted at each";
        nqxit_per_pair ["nqxit per pair", "1", Significant] Measured Mean(pairs_per_s) "calls of ISGNQXIT per pair"
            from "counted at each";
        prebatch_per_pair ["prebatch per pair", "1", Significant]
            Measured Mean(pairs_per_s) "calls of ISGNQXITPREBATCH per pair" from "counted at each";
        batch_per_pair ["batch per pair", "1", Significant] Measured Mean(pairs_per_s) "calls of ISGNQXITBATCH per pair"
            from "counted at each";
        batchcnd_per_pair ["batchcnd per pair", "1", Significant]
            Measured Mean(pairs_per_s) "calls of ISGNQXITBATCHCND per pair" from "counted at each";
        queued1_per_pair ["queued1 per pair", "1", Significant]
            Measured Mean(pairs_per_s) "calls of ISGNQXITQUEUED1 per pair" from "counted at each";
        queued2_per_pair ["queued2 per pair", "1", Significant]
            Measured Mean(pairs_per_s) "calls of ISGNQXITQUEUED2 per pair" from "counted at each";
        endoflqcb_per_pair ["endoflqcb per pair", "1", Significant]
            Measured Mean(pairs_per_s) "calls of ISGENDOFLQCB per pair" from "counted at each";
        exits_removed ["exits removed", "1", Count]
            Measured Last "exits that failed and were removed, from the start of the machine to the end of the interval"
            from "counted at each";
    }
}
