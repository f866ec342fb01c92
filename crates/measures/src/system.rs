//! Totals of the system as a whole.

use crate::table::totals;
use crate::{DeviceTotals, Figure, Share, correct_response_ms, in_service, rate_weighted, shares, sum};

totals! {
    /// The system over one interval.
    struct SystemTotals of "system": "One row: everything together.";
    identity {}
    keys {}
    counters {
        events ["events", "1", Count]
            Measured Sum "events of the simulation in the interval; not known when measured on a machine"
            from "the run loop";
        io_per_s ["I/O per s", "1/s", Significant] Measured Mean "I/Os ended over the interval"
            from "sum over the volumes";
        response_ms ["resp", "ms", Time]
            Measured Mean(io_per_s) "from arrival in the control program to the end of the I/O, per I/O"
            from "rate-weighted over the volumes";
        service_ms ["serv", "ms", Time] Measured Mean(io_per_s) "pending, disconnect and connect time per I/O"
            from "rate-weighted over the volumes";
        queue_depth ["queued", "1", Significant] Measured Mean "time average of requests waiting at bases"
            from "sum over the volumes";
        in_service ["in service", "1", Significant] Measured Mean "time average of I/Os started and not ended"
            from "sum over the volumes";
    }
}

impl SystemTotals {
    /// Over all devices every I/O is counted once, whichever device did it; the queue is as sampled.
    pub fn of_devices(devices: &[DeviceTotals]) -> Self {
        let queue_depth = sum(devices.iter().map(|device| device.queue_depth));
        Self::of_services(&shares(devices, |device| device.service_ms), queue_depth)
    }

    /// Everything together, of the service times and the queue.
    pub fn of_services(services: &[Share], queue_depth: Figure) -> Self {
        SystemTotals {
            io_per_s: sum(services.iter().map(|share| share.io_per_s)),
            response_ms: correct_response_ms(services, queue_depth),
            service_ms: rate_weighted(services),
            queue_depth,
            in_service: in_service(services),
            ..SystemTotals::unknown()
        }
    }
}
