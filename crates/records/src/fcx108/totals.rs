//! The totals of the interval as far as the page gives them: devices, volumes, and the system as a whole.
//!
//! Values that need the membership of a pool stay unknown.

use super::column::Column;
use super::page::DevicePage;
use super::row::Row;
use measures::{
    DeviceTotals, Figure, IntervalTotals, Role, SystemTotals, VolumeTotals, correct_response_ms, in_service,
    rate_weighted, shares, sum,
};
use std::collections::BTreeMap;
use units::Span;

/// Rate x milliseconds over this is percent busy.
const MS_PER_SECOND_IN_PERCENT: Figure = Figure::exact(10.0);

impl DevicePage {
    /// The interval that the page reports; its length is zero when the page does not tell it.
    pub fn totals(&self) -> IntervalTotals {
        let title = self.title();
        let mut totals = IntervalTotals::new(title.run.clone(), title.length.unwrap_or(Span::ZERO));
        totals.started.clone_from(&title.started);
        let kinds: BTreeMap<String, &str> =
            self.rows().iter().map(|row| (number(row.device()), row.text(Column::Type))).collect();
        totals.devices = self.rows().iter().map(|row| device(row, &kinds)).collect();
        totals.volumes = volumes(&totals.devices);
        totals.system = SystemTotals::of_devices(&totals.devices);
        totals
    }
}

/// A row as totals; the type of a bound alias is that of its base.
fn device(row: &Row, kinds: &BTreeMap<String, &str>) -> DeviceTotals {
    let role = row.role();
    let kind = match &role {
        Role::BoundAlias { base } => kinds.get(&number(base)).copied().unwrap_or(""),
        Role::Base | Role::PoolAlias { .. } => row.text(Column::Type),
    };
    let paths = row.figure(Column::Paths).value as u64;
    let (device, label) = (row.device().to_string(), row.label().to_string());
    let (io_per_s, service_ms) = (row.figure(Column::Rate), row.figure(Column::Service));
    DeviceTotals {
        io_per_s,
        avoided_per_s: row.figure(Column::Avoided),
        pend_ms: row.figure(Column::Pend),
        disc_ms: row.figure(Column::Disconnect),
        conn_ms: row.figure(Column::Connect),
        service_ms,
        response_ms: row.figure(Column::Response),
        queue_depth: row.figure(Column::Queued),
        queue_depth_sampled: row.figure(Column::Queued),
        busy_percent: io_per_s.times(service_ms).over(MS_PER_SECOND_IN_PERCENT),
        ..DeviceTotals::unknown(device, kind.to_string(), label, role, paths)
    }
}

/// A volume per base. A page does not show the work of pool aliases for a volume without aliases (z/VM HyperPAV Support,
/// DASD Tuning via HyperPAV). So values that depend on it are not known either.
fn volumes(devices: &[DeviceTotals]) -> Vec<VolumeTotals> {
    let pools = devices.iter().any(|device| matches!(device.role, Role::PoolAlias { .. }));
    let mut bound: BTreeMap<String, Vec<&DeviceTotals>> = BTreeMap::new();
    for device in devices.iter().filter(|device| matches!(device.role, Role::BoundAlias { .. })) {
        bound.entry(number(device.role.base())).or_default().push(device);
    }
    let bases = devices.iter().filter(|device| device.role == Role::Base);
    bases
        .map(|base| {
            let aliases = bound.get(&number(&base.device)).map_or(&[][..], Vec::as_slice);
            let row = VolumeTotals {
                queue_depth_sampled: base.queue_depth,
                base_io_per_s: base.io_per_s,
                ..VolumeTotals::unknown(base.label.clone(), base.device.clone(), String::new())
            };
            if aliases.is_empty() && pools { row } else { with_exposures(row, base, aliases) }
        })
        .collect()
}

/// A device number in the case that numbers are compared in.
fn number(device: &str) -> String {
    device.to_ascii_uppercase()
}

fn with_exposures(row: VolumeTotals, base: &DeviceTotals, aliases: &[&DeviceTotals]) -> VolumeTotals {
    let exposures: Vec<&DeviceTotals> = std::iter::once(base).chain(aliases.iter().copied()).collect();
    let weighted = |mean: fn(&DeviceTotals) -> Figure| rate_weighted(&shares(exposures.iter().copied(), mean));
    let services = shares(exposures.iter().copied(), |device| device.service_ms);
    VolumeTotals {
        io_per_s: sum(exposures.iter().map(|device| device.io_per_s)),
        pend_ms: weighted(|device| device.pend_ms),
        disc_ms: weighted(|device| device.disc_ms),
        conn_ms: weighted(|device| device.conn_ms),
        service_ms: rate_weighted(&services),
        response_ms: correct_response_ms(&services, base.queue_depth),
        in_service: in_service(&services),
        alias_io_per_s: sum(aliases.iter().map(|device| device.io_per_s)),
        ..row
    }
}
