//! Which response time a page shows, and its value for each device.
//!
//! It leaves out percentiles: a page of devices has one figure per device.

use measures::{DeviceTotals, Figure, IntervalTotals, Role, sum, toolkit_response_ms};

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
    /// What the page says about it.
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

    /// The response time of one device of an interval.
    pub(crate) fn of(self, device: &DeviceTotals, interval: &IntervalTotals) -> Figure {
        match self {
            Response::Toolkit if device.response_ms.is_known() => device.response_ms,
            Response::Toolkit => toolkit_response_ms(device.service_ms, device.queue_depth, device.io_per_s),
            Response::Correct => correct(device, interval),
        }
    }
}

/// The device's own service plus the wait at the base of its volume, as in the excerpts that were corrected by hand
/// (z/VM HyperPAV Support, Introduction and DASD Tuning via Classic PAV); an alias of a pool has no volume of its own.
fn correct(device: &DeviceTotals, interval: &IntervalTotals) -> Figure {
    let address = match &device.role {
        Role::Base => &device.device,
        Role::BoundAlias { base } => base,
        Role::PoolAlias { .. } => return Figure::UNKNOWN,
    };
    let base = interval.devices.iter().find(|other| same(&other.device, address));
    let queue = base.map_or(Figure::UNKNOWN, |base| base.queue_depth);
    toolkit_response_ms(device.service_ms, queue, volume_rate(address, interval))
}

/// I/Os a second of a volume: as the interval has it, or over the base and the aliases bound to it where no alias of a
/// pool can have helped.
fn volume_rate(base: &str, interval: &IntervalTotals) -> Figure {
    let measured = interval.volumes.iter().find(|volume| same(&volume.device, base)).map(|volume| volume.io_per_s);
    let pools = interval.devices.iter().any(|device| matches!(device.role, Role::PoolAlias { .. }));
    match measured {
        Some(rate) if rate.is_known() => rate,
        Some(_) | None if pools => Figure::UNKNOWN,
        Some(_) | None => {
            let works_for = |device: &&DeviceTotals| same(&device.device, base) || same(device.role.base(), base);
            sum(interval.devices.iter().filter(works_for).map(|device| device.io_per_s))
        }
    }
}

fn same(one: &str, other: &str) -> bool {
    one.eq_ignore_ascii_case(other)
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
        interval.devices.iter().map(|device| format!("{:.2}", response.of(device, interval).value)).collect()
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
        let volume = VolumeTotals::unknown("A".into(), "522A".into());
        interval.volumes.push(VolumeTotals { io_per_s: Figure::exact(1_250.0), ..volume });
        assert_eq!(shown(Response::Correct, &interval), ["2.12", "NaN"]);
    }
}
