//! The totals of the interval as far as the page gives them: volumes, devices, and the system as a whole.

use super::column::Column;
use super::page::{DirectAccessPage, Level};
use super::row::Row;
use measures::{
    DeviceTotals, Figure, IntervalTotals, Role, Share, SystemTotals, VolumeTotals, correct_response_ms, rate_weighted,
    sum,
};

/// Rate x milliseconds over this is a mean number, and over the other a percentage.
const MS_PER_SECOND: Figure = Figure::exact(1_000.0);
const MS_PER_SECOND_IN_PERCENT: Figure = Figure::exact(10.0);

pub(super) fn fill(page: &DirectAccessPage, totals: &mut IntervalTotals) {
    totals.volumes = page.rows().iter().map(|row| volume(row, page.level())).collect();
    totals.devices = page.rows().iter().map(device).collect();
    totals.system = system(&totals.volumes, page.rows());
}

/// The mean number of requests queued: IOSQ x rate (Partitioning Large Processors, 4.0, solved for the queue).
fn queue(row: &Row) -> Figure {
    row.figure(Column::Iosq).times(row.figure(Column::Rate)).over(MS_PER_SECOND)
}

fn service_ms(row: &Row) -> Figure {
    sum([Column::Pend, Column::Disconnect, Column::Connect].map(|column| row.figure(column)))
}

/// RESP where it is printed, else the sum that it is.
fn response_ms(row: &Row) -> Figure {
    let printed = row.figure(Column::Response);
    if printed.is_known() { printed } else { row.figure(Column::Iosq).plus(service_ms(row)) }
}

/// ASSUME: the delay of the interrupt, which hardware of today measures, is the time until a partition has handled it.
fn volume(row: &Row, level: Level) -> VolumeTotals {
    let (rate, service_ms) = (row.figure(Column::Rate), service_ms(row));
    let (queue_depth, queue_depth_sampled) = match level {
        Level::Sampled => (Figure::UNKNOWN, queue(row)),
        Level::Measured => (queue(row), Figure::UNKNOWN),
    };
    VolumeTotals {
        io_per_s: rate,
        pend_ms: row.figure(Column::Pend),
        held_ms: row.figure(Column::DeviceBusy),
        disc_ms: row.figure(Column::Disconnect),
        conn_ms: row.figure(Column::Connect),
        service_ms,
        hold_ms: row.figure(Column::Interrupt),
        queue_depth,
        queue_depth_sampled,
        response_ms: response_ms(row),
        in_service: rate.times(service_ms).over(MS_PER_SECOND),
        reserved_percent: row.figure(Column::PercentReserved),
        ..VolumeTotals::unknown(row.text(Column::Volume).into(), row.device().into(), String::new())
    }
}

/// The base; what it did itself is known only where it has no aliases.
fn device(row: &Row) -> DeviceTotals {
    let (kind, label) = (row.text(Column::Type).to_string(), row.text(Column::Volume).to_string());
    let base = DeviceTotals {
        queue_depth: queue(row),
        ..DeviceTotals::unknown(row.device().to_string(), kind, label, Role::Base, 0)
    };
    if !matches!(row.text(Column::Exposures), "" | "1") {
        return base;
    }
    let (rate, service_ms) = (row.figure(Column::Rate), service_ms(row));
    DeviceTotals {
        io_per_s: rate,
        pend_ms: row.figure(Column::Pend),
        disc_ms: row.figure(Column::Disconnect),
        conn_ms: row.figure(Column::Connect),
        service_ms,
        response_ms: response_ms(row),
        busy_percent: rate.times(service_ms).over(MS_PER_SECOND_IN_PERCENT),
        ..base
    }
}

fn system(volumes: &[VolumeTotals], rows: &[Row]) -> SystemTotals {
    let share = |volume: &VolumeTotals| Share { io_per_s: volume.io_per_s, mean: volume.service_ms };
    let services: Vec<Share> = volumes.iter().map(share).collect();
    let queue_depth = sum(rows.iter().map(queue));
    SystemTotals {
        io_per_s: sum(volumes.iter().map(|volume| volume.io_per_s)),
        response_ms: correct_response_ms(&services, queue_depth),
        service_ms: rate_weighted(&services),
        queue_depth,
        in_service: sum(volumes.iter().map(|volume| volume.in_service)),
        ..SystemTotals::unknown()
    }
}
