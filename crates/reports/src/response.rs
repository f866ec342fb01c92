//! Which response time a page shows, and its value for each device.

use measures::{DeviceTotals, Figure, IntervalTotals, Role, toolkit_response_ms};
use std::collections::BTreeMap;

/// The response time that a page shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Response {
    /// Service plus the device's queue over the device's own rate, as the toolkit has it.
    #[default]
    Toolkit,
    /// Service plus the volume's queue over the rate of the volume, its aliases included.
    Correct,
}

impl Response {
    /// The note of the page.
    pub(crate) const fn note(self) -> &'static str {
        match self {
            Response::Toolkit => {
                "Resp is Serv + 1000 x Qued / I/O of the device alone, too long for a base with aliases"
            }
            Response::Correct => {
                "Resp is Serv + 1000 x Qued / I/O of the volume, aliases included; - where that is not known"
            }
        }
    }
}

/// The response times of an interval's devices.
pub(crate) struct Responses {
    response: Response,
    /// The common part of base and bound aliases of a volume, by the device number of its base.
    volumes: BTreeMap<String, Volume>,
}

/// The queue at the base of a volume, and I/Os a second on all its exposures.
#[derive(Clone, Copy)]
struct Volume {
    queue_depth: Figure,
    io_per_s: Figure,
}

impl Responses {
    /// Prepares the response times of an interval.
    pub(crate) fn of(interval: &IntervalTotals, response: Response) -> Self {
        Responses { response, volumes: volumes(interval) }
    }

    /// The response time of one device of that interval.
    pub(crate) fn device(&self, device: &DeviceTotals) -> Figure {
        match self.response {
            Response::Toolkit if device.response_ms.is_known() => device.response_ms,
            Response::Toolkit => toolkit_response_ms(device.service_ms, device.queue_depth, device.io_per_s),
            Response::Correct => self.correct(device),
        }
    }

    /// The device's own service plus the wait at the base of its volume. The excerpts that were corrected by hand have the
    /// same (z/VM HyperPAV Support, Introduction and DASD Tuning via Classic PAV).  An alias of a pool has no volume of its own.
    fn correct(&self, device: &DeviceTotals) -> Figure {
        let volume = base_of(device).and_then(|base| self.volumes.get(&base));
        volume.map_or(Figure::UNKNOWN, |volume| {
            toolkit_response_ms(device.service_ms, volume.queue_depth, volume.io_per_s)
        })
    }
}

/// Every volume with its rate: as the interval has it, or summed over the base and the aliases bound to it where no
/// alias of a pool can have helped.
fn volumes(interval: &IntervalTotals) -> BTreeMap<String, Volume> {
    let pools = interval.devices.iter().any(|device| matches!(device.role, Role::PoolAlias { .. }));
    let mut volumes: BTreeMap<String, Volume> = BTreeMap::new();
    for device in &interval.devices {
        let Some(base) = base_of(device) else { continue };
        let volume = volumes.entry(base).or_insert(Volume { queue_depth: Figure::UNKNOWN, io_per_s: Figure::ZERO });
        volume.io_per_s = if pools { Figure::UNKNOWN } else { volume.io_per_s.plus(device.io_per_s) };
        if device.role == Role::Base {
            volume.queue_depth = device.queue_depth;
        }
    }
    for measured in interval.volumes.iter().filter(|volume| volume.io_per_s.is_known()) {
        if let Some(volume) = volumes.get_mut(&measured.device.to_ascii_uppercase()) {
            volume.io_per_s = measured.io_per_s;
        }
    }
    volumes
}

/// The device number of the base of the volume that a device belongs to; none for an alias of a pool.
fn base_of(device: &DeviceTotals) -> Option<String> {
    match &device.role {
        Role::Base => Some(device.device.to_ascii_uppercase()),
        Role::BoundAlias { base } => Some(base.to_ascii_uppercase()),
        Role::PoolAlias { .. } => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use measures::VolumeTotals;
    use units::Span;

    fn device(device: &str, role: Role, [rate, service, queue]: [f64; 3]) -> DeviceTotals {
        DeviceTotals {
            io_per_s: Figure::exact(rate),
            service_ms: Figure::exact(service),
            queue_depth: Figure::exact(queue),
            ..DeviceTotals::unknown(device.into(), "3390-3".into(), "A".into(), role, 4)
        }
    }

    fn interval(devices: Vec<DeviceTotals>) -> IntervalTotals {
        IntervalTotals { devices, ..IntervalTotals::new("X", Span::SECOND) }
    }

    fn shown(response: Response, interval: &IntervalTotals) -> Vec<String> {
        let responses = Responses::of(interval, response);
        interval.devices.iter().map(|device| format!("{:.2}", responses.device(device).value)).collect()
    }

    #[test]
    fn classic_aliases_share_the_wait_of_their_volume() {
        // Y040181P: 477/s and 465/s, .91 queued; printed there, cut to a tenth: 2.8 and 2.9.
        let bound = Role::BoundAlias { base: "522A".into() };
        let interval =
            interval(vec![device("522A", Role::Base, [477.0, 1.9, 0.91]), device("5249", bound, [465.0, 2.0, 0.0])]);
        assert_eq!(shown(Response::Correct, &interval), ["2.87", "2.97"]);
        assert_eq!(shown(Response::Toolkit, &interval), ["3.81", "2.00"]);
    }

    #[test]
    fn with_a_pool_the_volume_must_have_been_measured() {
        let pool = Role::PoolAlias { pool: "P".into() };
        let mut interval =
            interval(vec![device("522A", Role::Base, [665.0, 1.4, 0.9]), device("5249", pool, [608.0, 1.5, 0.0])]);
        assert_eq!(shown(Response::Correct, &interval), ["NaN", "NaN"]);
        let volume = VolumeTotals::unknown("A".into(), "522A".into(), "P".into());
        interval.volumes.push(VolumeTotals { io_per_s: Figure::exact(1_250.0), ..volume });
        assert_eq!(shown(Response::Correct, &interval), ["2.12", "NaN"]);
    }
}
