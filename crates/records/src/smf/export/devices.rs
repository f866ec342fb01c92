//! Records 74-1 of volumes, and sections of alias pools for record 78-3.

use super::interval::{Interval, Kind};
use super::section::Section;
use crate::smf::layout::{DEVICE, DEVICE_CONTROL, HYPERPAV, UNIT, r783ds, r783hpav, smf74ctl, smf74dev};
use measures::{Figure, PoolTotals, VolumeTotals, sum};
use std::io;

/// Devices of a record: SMF74NXT of its control section says how many are in the records after it.
const DEVICES: usize = 100;

/// SMF74ENF: the command response time is valid.
const COMMAND_TIMES: f64 = 32.0;
/// R783DST: the unit has HyperPAV devices.
const HYPERPAV_UNIT: f64 = 2.0;
/// SMF74CNX: base of a parallel access volume; and with HyperPAV.
const PAV_BASE: u8 = 0x20;
const HYPERPAV_BASE: u8 = 0x22;

/// Records of the volumes of an interval.
pub(super) fn records(interval: &Interval) -> io::Result<Vec<Vec<u8>>> {
    let mut records = vec![];
    let all = interval.totals.volumes.len();
    for (place, volumes) in interval.totals.volumes.chunks(DEVICES).enumerate() {
        let mut control = Section::of(&smf74ctl::LAYOUT);
        control.count(smf74ctl::SMF74NXT, (all - place * DEVICES - volumes.len()) as f64);
        control.count(smf74ctl::SMF74TOT, all as f64);
        control.count(smf74ctl::SMF74SUB, f64::from(0x20));
        let timed = volumes.iter().any(|volume| volume.command_ms.is_known());
        control.count(smf74ctl::SMF74ENF, if timed { COMMAND_TIMES } else { 0.0 });
        let numbered = (place * DEVICES..).zip(volumes);
        let devices = numbered.map(|(number, volume)| device(interval, volume, number)).collect();
        let kinds = vec![(&DEVICE_CONTROL, vec![control]), (&DEVICE, devices)];
        records.extend(interval.record((74, 1), 3, kinds)?);
    }
    Ok(records)
}

/// A volume; one whose device number is no hexadecimal number has its place among the volumes instead.
fn device(interval: &Interval, volume: &VolumeTotals, place: usize) -> Section {
    use smf74dev::*;
    let starts = interval.count(volume.io_per_s);
    let queues = [volume.queue_depth_rmf, volume.queue_depth_sampled, volume.queue_depth];
    let queue = queues.into_iter().find(|queue| queue.is_known()).unwrap_or(Figure::UNKNOWN);
    let mut section = Section::of(&LAYOUT);
    let number = u32::from_str_radix(&volume.device, 16).ok().filter(|number| *number < 4 << 16);
    let (set, number) = number.map_or((0, place as u32), |number| (number >> 16, number & 0xFFFF));
    section.count(SMF74SCS, f64::from(set));
    for field in [SMF74NUM, SMF74NM2] {
        section.count(field, f64::from(number));
    }
    section.count(SMF74LCU, unit(interval, &volume.pool));
    // Online at the end.
    section.count(SMF74CNF, 1.0);
    section.text(SMF74SER, &volume.volume);
    let aliases = bound_aliases(interval, volume);
    let pool = interval.totals.pools.iter().find(|pool| !volume.pool.is_empty() && pool.pool == volume.pool);
    section.count(SMF74PSM, interval.samples);
    section.count(SMF74NUX, if volume.pool.is_empty() { 1.0 + aliases } else { lent(volume) * interval.samples });
    let pool_flag = if volume.pool.is_empty() { 0x00 } else { HYPERPAV_BASE };
    section.count(SMF74CNX, f64::from(if aliases > 0.0 { PAV_BASE } else { 0x00 } | pool_flag));
    section.count(SMF74HPC, pool.map_or(0.0, |pool| pool.aliases.value));
    for field in [SMF74SSC, SMF74MEC] {
        section.count(field, starts);
    }
    let times = [
        (SMF74CNN, volume.conn_ms),
        (SMF74PEN, volume.pend_ms),
        (SMF74DIS, volume.disc_ms),
        (SMF74DVB, volume.held_ms),
        (SMF74CMR, volume.command_ms),
    ];
    for (field, mean) in times {
        section.ms(field, mean.value * starts);
    }
    section.count(SMF74RSV, volume.reserved_percent.value / 100.0 * interval.samples);
    section.ms(SMF74ATV, volume.conn_ms.plus(volume.disc_ms).value * starts);
    section.count(SMF74QUE, queue.value * interval.samples);
    section
}

/// The mean number of aliases of a pool at work for a volume, by Little's law where it was not measured.
fn lent(volume: &VolumeTotals) -> f64 {
    let busy = volume.alias_io_per_s.times(volume.service_ms).value / 1_000.0;
    if volume.exposures.is_known() { volume.exposures.value } else { busy }
}

/// The aliases that are bound to a volume.
fn bound_aliases(interval: &Interval, volume: &VolumeTotals) -> f64 {
    interval.totals.devices.iter().filter(|device| device.role.base() == volume.device).count() as f64
}

/// The logical control unit of a pool: its name where all pools have names of four hexadecimal digits, else its place
/// among them, from 1; 0 for none.
fn unit(interval: &Interval, pool: &str) -> f64 {
    let number = |name: &str| u16::from_str_radix(name, 16).ok().filter(|_| name.len() == 4);
    let pools = &interval.totals.pools;
    if pools.iter().all(|pool| number(&pool.pool).is_some()) {
        return number(pool).map_or(0.0, f64::from);
    }
    pools.iter().position(|other| other.pool == pool).map_or(0.0, |place| place as f64 + 1.0)
}

/// The alias pools of an interval. A try is an I/O that needs an alias; all I/Os are those of the volumes.
pub(super) fn pools(interval: &Interval) -> Vec<Kind> {
    use r783hpav::*;
    let pool = |pool: &PoolTotals| {
        let volumes = interval.totals.volumes.iter().filter(|volume| volume.pool == pool.pool);
        let all = interval.count(sum(volumes.map(|volume| volume.io_per_s))).round();
        let mut section = Section::of(&LAYOUT);
        section.count(R783HLCU, unit(interval, &pool.pool));
        section.count(R783HCU, unit(interval, &pool.pool));
        section.float(R783HNAI, pool.fails.value);
        section.float(R783HTIO, all);
        section.count(R783HAIU, pool.aliases.value - pool.low_water.value);
        section.float(R783XANC, pool.tries.value);
        section.float(R783XAUC, pool.tries.value - pool.fails.value);
        section
    };
    let unit_of = |pool: &PoolTotals| {
        let mut section = Section::of(&r783ds::LAYOUT);
        section.count(r783ds::R783ID2, unit(interval, &pool.pool));
        section.count(r783ds::R783DST, HYPERPAV_UNIT);
        section
    };
    let pools = &interval.totals.pools;
    vec![(&UNIT, pools.iter().map(unit_of).collect()), (&HYPERPAV, pools.iter().map(pool).collect())]
}
