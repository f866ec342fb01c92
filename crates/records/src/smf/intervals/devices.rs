//! Volumes and devices of an interval: records 74-1 of disks.

use super::draft::{Disk, Draft, ms, number};
use super::pools;
use crate::binary::Field;
use crate::laws::{Broken, Counted, MOST_EXPOSURES, MOST_PER_S, MOST_WAITING, percent, within_ms};
use crate::smf::layout::smf74ctl::SMF74SUB;
use crate::smf::layout::smf74dev::{
    SMF74CNN, SMF74CNX, SMF74DIS, SMF74HPC, SMF74LCU, SMF74MEC, SMF74NUM, SMF74NUX, SMF74PEN, SMF74QUE, SMF74SER,
    SMF74SSC,
};
use crate::smf::layout::{DEVICE, DEVICE_CONTROL};
use crate::smf::rmf::Rmf;
use crate::{Interval, Sink};
use measures::{DeviceTotals, Figure, PoolTotals, Role, Share, SystemTotals, VolumeTotals, correct_response_ms, sum};

/// The class of disks (Device Control Data Section, SMF74SUB).
const DISKS: u64 = 0x20;
/// SMF74CNX: base of a parallel access volume, HyperPAV.
const ALIASED: u64 = 0x22;

/// Adds the disks of a record to the interval: their sections, which are shorter than their rows.
pub(super) fn add(draft: &mut Draft, record: &Rmf) -> Result<(), Broken> {
    let class = record.sections(&DEVICE_CONTROL).next().and_then(|control| SMF74SUB.number(control));
    if class != Some(DISKS) {
        return Ok(());
    }
    for bytes in record.sections(&DEVICE) {
        let Some(section) = bytes.first_chunk() else { continue };
        let disk =
            Disk { section: *section, single: single(bytes), aliases: bytes.get(SMF74HPC.offset).map_or(0, |it| *it) };
        if let Err(broken) = check(draft, bytes, disk.single, record) {
            draft.omit(broken);
        } else if draft.first_device(short(SMF74NUM, section)) {
            draft.disks.push(disk);
        }
    }
    Ok(())
}

/// Whether a volume has one exposure alone: by its flags, or in records that end before them, by its number of exposures.
fn single(section: &[u8]) -> bool {
    SMF74CNX.number(section).map_or(SMF74NUX.number(section) == Some(1), |flags| flags & ALIASED == 0)
}

/// The laws of a section. An exposure has one I/O at a time, and one that began before the interval counts whole.
fn check(draft: &Draft, section: &[u8], single: bool, record: &Rmf) -> Result<(), Broken> {
    let counted = |field| Counted::of(field, section, record.bytes);
    let interval_ms = 1_000.0 * draft.seconds();
    let exposures = if single { 1.0 } else { MOST_EXPOSURES };
    let (starts, timed, queue) = (counted(SMF74SSC), counted(SMF74MEC), counted(SMF74QUE));
    starts.at_most(MOST_PER_S * draft.seconds(), "a volume starts no more I/Os in the interval")?;
    timed.at_most(starts.value + exposures, "I/Os that were timed were started")?;
    queue.at_most(MOST_WAITING * draft.totals.samples as f64, "no more requests wait on the average")?;
    let times = [SMF74PEN, SMF74DIS, SMF74CNN].map(counted);
    let all_ms = times.iter().map(|time| time.ms()).sum::<f64>();
    let mean_ms = if timed.value > 0.0 { all_ms / timed.value } else { 0.0 };
    let each_ms = within_ms(interval_ms) + mean_ms;
    let longest = times.into_iter().reduce(|a, b| if a.value >= b.value { a } else { b });
    for time in times {
        time.law(timed.value > 0.0 || time.value == 0.0, || "without an I/O that was timed there is no time".into())?;
    }
    let Some(longest) = longest else { return Ok(()) };
    let words = if single { "one exposure" } else { "256 exposures" };
    let busy = || format!("{words} have one I/O at a time each: at most {:.0} ms together", exposures * each_ms);
    longest.law(all_ms <= exposures * each_ms && mean_ms <= within_ms(interval_ms), busy)?;
    // By Little's law: starts that were not timed took as long.
    starts.law(starts.value * mean_ms <= exposures * each_ms + mean_ms * exposures, busy)
}

/// Gives the interval away, its disks as rows, when all of its records are there.
pub(super) fn finish(mut draft: Draft, intervals: &mut impl Sink) {
    let per = [Figure::exact(draft.seconds()), draft.samples()];
    configured(&mut draft.totals.pools, &draft.disks);
    let pools = pools::by_unit(&draft.totals.pools);
    let (mut services, mut queue_depth, mut in_service) = (Vec::new(), Figure::ZERO, Figure::ZERO);
    intervals.start(Interval { start: draft.start, end: draft.end, totals: draft.totals });
    for Disk { section, single, .. } in &draft.disks {
        let pool = pools.get(&short(SMF74LCU, section)).cloned().unwrap_or_default();
        let volume = volume(section, pool, per);
        services.push(Share { io_per_s: volume.io_per_s, mean: volume.service_ms });
        queue_depth = queue_depth.plus(volume.queue_depth_sampled);
        in_service = in_service.plus(volume.in_service);
        intervals.device(device(&volume, *single));
        intervals.volume(volume);
    }
    let system = SystemTotals { in_service, ..SystemTotals::of_services(&services, queue_depth) };
    intervals.end(if services.is_empty() { SystemTotals::unknown() } else { system });
}

/// Adds the aliases that are configured for a pool, where all devices of its subsystem say the same.
fn configured(pools: &mut [PoolTotals], disks: &[Disk]) {
    for pool in pools {
        let of_pool = |disk: &&Disk| SMF74LCU.hex(&disk.section).as_deref() == Some(pool.pool.as_str());
        let mut said = disks.iter().filter(of_pool).map(|disk| disk.aliases).filter(|aliases| *aliases > 0);
        let first = said.next();
        if let Some(aliases) = first.filter(|first| said.all(|other| other == *first)) {
            pool.aliases = Figure::exact(f64::from(aliases));
        }
    }
}

/// A field of two bytes.
fn short(field: Field, section: &[u8]) -> u16 {
    field.number(section).unwrap_or(0) as u16
}

/// Times of one start are sums over the measured ones, divided by their number. The wait follows by Little's law from the
/// queue that RMF sampled (Partitioning Large Processors, 4.0).
fn volume(section: &[u8], pool: String, [seconds, samples]: [Figure; 2]) -> VolumeTotals {
    let measured = number(SMF74MEC, section);
    let starts = number(SMF74SSC, section);
    // I/Os of which none was timed have no times.
    let untimed = measured.value == 0.0 && starts.value > 0.0;
    let mean = |field| if untimed { Figure::UNKNOWN } else { ms(field, section).over(measured) };
    let io_per_s = starts.over(seconds);
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
fn device(volume: &VolumeTotals, single: bool) -> DeviceTotals {
    let (number, label) = (volume.device.clone(), volume.volume.clone());
    let base = DeviceTotals {
        queue_depth: volume.queue_depth_sampled,
        ..DeviceTotals::unknown(number, String::new(), label, Role::Base, 0)
    };
    if !single {
        return base;
    }
    DeviceTotals {
        io_per_s: volume.io_per_s,
        pend_ms: volume.pend_ms,
        disc_ms: volume.disc_ms,
        conn_ms: volume.conn_ms,
        service_ms: volume.service_ms,
        response_ms: volume.response_ms,
        busy_percent: Figure::exact(percent(volume.in_service.value, 1.0)),
        ..base
    }
}
