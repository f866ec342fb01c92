//! Response times of volumes: as the Performance Toolkit prints them, and as they are.

use crate::figure::sum;
use crate::{DeviceTotals, Figure};

/// The response time as the toolkit prints it: service plus the wait that Little's law gives *this device* alone.
///
/// Where aliases work for a volume the divisor misses their I/Os, so the base shows too long a wait and an alias none.
/// The report admits it (z/VM HyperPAV Support, Introduction: "does not calculate volume response times correctly for
/// base or alias devices"). The formula holds within printed rounding in 52 of the 54 rows there; the other two were
/// corrected by hand.
pub fn toolkit_response_ms(service_ms: Figure, queue_depth: Figure, io_per_s: Figure) -> Figure {
    service_ms.plus(Figure::exact(1_000.0).times(queue_depth).over(io_per_s))
}

/// One exposure's share in a volume: its rate, and its mean of whatever is to be weighted by the rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Share {
    /// I/Os a second.
    pub io_per_s: Figure,
    /// The mean per I/O, such as a connect time.
    pub mean: Figure,
}

/// The share of each device: its rate, and one of its means.
pub fn shares<'a>(
    devices: impl IntoIterator<Item = &'a DeviceTotals>,
    mean: fn(&DeviceTotals) -> Figure,
) -> Vec<Share> {
    devices.into_iter().map(|device| Share { io_per_s: device.io_per_s, mean: mean(device) }).collect()
}

/// The mean number in service, by the utilisation law: rate x service.
pub fn in_service(services: &[Share]) -> Figure {
    in_progress(services).over(Figure::exact(1_000.0))
}

/// The mean over a volume's base and aliases, each weighted by its rate.
///
/// z/VM HyperPAV Support, A Unified Look at Volume I/O Rate and Volume Response Time: "weighting the base and
/// aggregate-alias contributions according to their respective I/O rates".
pub fn rate_weighted(shares: &[Share]) -> Figure {
    in_progress(shares).over(sum(shares.iter().map(|share| share.io_per_s)))
}

/// The true response time in milliseconds, over exposures that serve one queue: of a volume with its own aliases, or of
/// a whole pool.
///
/// By Little's law it is (I/Os in progress + requests waiting) / rate. Rate x service is the mean number in progress on
/// an exposure (z/VM HyperPAV Support, Understanding Disk Performance: response is service plus queue time).
pub fn correct_response_ms(shares: &[Share], queue_depth: Figure) -> Figure {
    let present = in_progress(shares).plus(Figure::exact(1_000.0).times(queue_depth));
    present.over(sum(shares.iter().map(|share| share.io_per_s)))
}

/// Milliseconds of service in progress per second, over all exposures.
fn in_progress(shares: &[Share]) -> Figure {
    sum(shares.iter().map(|share| share.io_per_s.times(share.mean)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(io_per_s: f64, mean: f64) -> Share {
        Share { io_per_s: Figure::exact(io_per_s), mean: Figure::exact(mean) }
    }

    #[test]
    fn volume_connect_time_is_that_of_the_published_example() {
        // z/VM HyperPAV Support, A Unified Look: (400 x 1.2 + 700 x 1.4) / (400 + 700), "or 1.33 msec".
        let connect = rate_weighted(&[share(400.0, 1.2), share(700.0, 1.4)]);
        assert_eq!(format!("{:.2}", connect.value), "1.33");
    }

    #[test]
    fn the_toolkit_response_is_that_of_the_basic_report() {
        // z/VM HyperPAV Support, The Basic DEVICE Report: 755/s, 1.3 ms, 1.84 queued, printed as 3.7 ms.
        let [service, queue, rate] = [Figure::printed(1.3, 1), Figure::printed(1.84, 2), Figure::printed(755.0, 0)];
        assert!(toolkit_response_ms(service, queue, rate).agrees_with(Figure::printed(3.7, 1)));
    }

    #[test]
    fn both_responses_are_one_where_there_is_no_alias() {
        let [rate, service, queue] = [Figure::exact(755.0), Figure::exact(1.3), Figure::exact(1.84)];
        let correct = correct_response_ms(&[Share { io_per_s: rate, mean: service }], queue);
        assert!(correct.agrees_with(toolkit_response_ms(service, queue, rate)));
    }

    #[test]
    fn a_device_that_did_nothing_has_no_response() {
        assert_eq!(toolkit_response_ms(Figure::ZERO, Figure::ZERO, Figure::ZERO).value, 0.0);
        assert_eq!(rate_weighted(&[]), Figure::ZERO);
    }
}
