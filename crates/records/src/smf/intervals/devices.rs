//! Volumes and devices of an interval: records 74-1 of disks.

use super::draft::{Draft, ms, number};
use super::pools;
use crate::binary::Field;
use crate::smf::layout::smf74ctl::SMF74SUB;
use crate::smf::layout::smf74dev::{
    SMF74CNN, SMF74DIS, SMF74LCU, SMF74MEC, SMF74NUM, SMF74NUX, SMF74PEN, SMF74QUE, SMF74SER, SMF74SSC,
};
use crate::smf::layout::{DEVICE, DEVICE_CONTROL};
use crate::smf::rmf::Rmf;
use crate::{Interval, Sink};
use measures::{DeviceTotals, Figure, Role, Share, SystemTotals, VolumeTotals, correct_response_ms, sum};

/// The class of disks (Device Control Data Section, SMF74SUB).
const DISKS: u64 = 0x20;

/// Adds the disks of a record to the interval: their sections, which are shorter than their rows.
pub(super) fn add(draft: &mut Draft, record: &Rmf) {
    let class = record.sections(&DEVICE_CONTROL).next().and_then(|control| SMF74SUB.number(control));
    if class != Some(DISKS) {
        return;
    }
    for section in record.sections(&DEVICE) {
        if let Some(section) = section.first_chunk()
            && draft.first_device(short(SMF74NUM, section))
        {
            draft.disks.push(*section);
        }
    }
}

/// Gives the interval away, its disks as rows, when all of its records are there.
pub(super) fn finish(draft: Draft, intervals: &mut impl Sink) {
    let per = [Figure::exact(draft.seconds()), draft.samples()];
    let pools = pools::by_unit(&draft.totals.pools);
    let (mut services, mut queue_depth, mut in_service) = (Vec::new(), Figure::ZERO, Figure::ZERO);
    intervals.start(Interval { start: draft.start, end: draft.end, totals: draft.totals });
    for section in &draft.disks {
        let pool = pools.get(&short(SMF74LCU, section)).cloned().unwrap_or_default();
        let volume = volume(section, pool, per);
        services.push(Share { io_per_s: volume.io_per_s, mean: volume.service_ms });
        queue_depth = queue_depth.plus(volume.queue_depth_sampled);
        in_service = in_service.plus(volume.in_service);
        intervals.device(device(section, &volume));
        intervals.volume(volume);
    }
    let system = SystemTotals { in_service, ..SystemTotals::of_services(&services, queue_depth) };
    intervals.end(if services.is_empty() { SystemTotals::unknown() } else { system });
}

/// A field of two bytes.
fn short(field: Field, section: &[u8]) -> u16 {
    field.number(section).unwrap_or(0) as u16
}

/// Times of one start are sums over the measured ones, divided by their number. The wait follows by Little's law from the
/// queue that RMF sampled (Partitioning Large Processors, 4.0).
fn volume(section: &[u8], pool: String, [seconds, samples]: [Figure; 2]) -> VolumeTotals {
    let measured = number(SMF74MEC, section);
    let mean = |field| ms(field, section).over(measured);
    let io_per_s = number(SMF74SSC, section).over(seconds);
    let (pend_ms, disc_ms, conn_ms) = (mean(SMF74PEN), mean(SMF74DIS), mean(SMF74CNN));
    let service_ms = sum([pend_ms, disc_ms, conn_ms]);
    let queue_depth = number(SMF74QUE, section).over(samples);
    VolumeTotals {
        io_per_s,
        pend_ms,
        disc_ms,
        conn_ms,
        service_ms,
        queue_depth_sampled: queue_depth,
        queue_depth_rmf: queue_depth,
        iosq_rmf_ms: queue_depth.times(Figure::exact(1_000.0)).over(io_per_s),
        response_ms: correct_response_ms(&[Share { io_per_s, mean: service_ms }], queue_depth),
        in_service: io_per_s.times(service_ms).over(Figure::exact(1_000.0)),
        ..VolumeTotals::unknown(
            SMF74SER.text(section).unwrap_or_default(),
            SMF74NUM.hex(section).unwrap_or_default(),
            pool,
        )
    }
}

/// The base; its own activity is known only where the volume has one exposure.
fn device(section: &[u8], volume: &VolumeTotals) -> DeviceTotals {
    let (number, label) = (volume.device.clone(), volume.volume.clone());
    let base = DeviceTotals {
        queue_depth: volume.queue_depth_sampled,
        ..DeviceTotals::unknown(number, String::new(), label, Role::Base, 0)
    };
    if SMF74NUX.number(section) != Some(1) {
        return base;
    }
    DeviceTotals {
        io_per_s: volume.io_per_s,
        pend_ms: volume.pend_ms,
        disc_ms: volume.disc_ms,
        conn_ms: volume.conn_ms,
        service_ms: volume.service_ms,
        response_ms: volume.response_ms,
        busy_percent: volume.in_service.times(Figure::exact(100.0)),
        ..base
    }
}
