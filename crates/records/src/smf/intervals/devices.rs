//! Volumes and devices of an interval: records 74-1 of disks.

use super::channels;
use super::draft::{Disk, Draft, float, ms, number};
use super::pools;
use crate::binary::Field;
use crate::laws::{Broken, Counted, MOST_EXPOSURES, MOST_PER_S, MOST_WAITING, percent, within_ms};
use crate::smf::layout::smf74ctl::{SMF74ENF, SMF74SUB};
use crate::smf::layout::smf74dev::{
    SMF74CMR, SMF74CNF, SMF74CNN, SMF74CNX, SMF74DIS, SMF74DVB, SMF74HPC, SMF74IOS, SMF74LCU, SMF74MEC, SMF74NUM,
    SMF74NUX, SMF74PEN, SMF74PSM, SMF74QUE, SMF74RSV, SMF74SCS, SMF74SER, SMF74SSC,
};
use crate::smf::layout::{DEVICE, DEVICE_CONTROL};
use crate::smf::rmf::Rmf;
use crate::{Interval, Sink};
use measures::{DeviceTotals, Figure, PoolTotals, Role, Share, SystemTotals, VolumeTotals, correct_response_ms, sum};

/// The class of disks (Device Control Data Section, SMF74SUB).
const DISKS: u64 = 0x20;
/// SMF74CNX: base of a parallel access volume, HyperPAV; connect and disconnect time invalid.
const ALIASED: u64 = 0x22;
const HYPERPAV_BASE: u64 = 0x02;
const INVALID_TIMES: [u64; 2] = [0x04, 0x40];
/// SMF74CNF: data invalid since the device was varied.
const VARIED: u64 = 0x02;
/// SMF74ENF: the command response time is valid.
const COMMAND_TIMES: u64 = 0x20;
/// Subchannel sets of a channel subsystem (z/Architecture Principles of Operation, subchannel-set identifier).
const SETS: f64 = 4.0;

/// Adds the disks of a record to the interval: what is used of their sections, which are shorter than their rows.
pub(super) fn add(draft: &mut Draft, record: &Rmf) -> Result<(), Broken> {
    let Some(control) = record.sections(&DEVICE_CONTROL).next() else { return Ok(()) };
    if SMF74SUB.number(control) != Some(DISKS) {
        return Ok(());
    }
    let has_commands = SMF74ENF.number(control).is_some_and(|flags| flags & COMMAND_TIMES != 0);
    for bytes in record.sections(&DEVICE) {
        let Some(section) = bytes.first_chunk() else { continue };
        if SMF74CNF.number(bytes).is_some_and(|flags| flags & VARIED != 0) {
            draft.varied += 1;
            continue;
        }
        let disk = disk(*section, bytes, has_commands);
        if let Err(broken) = check(draft, bytes, disk.single, record) {
            draft.omit(broken);
        } else if draft.first_device(disk.set, short(SMF74NUM, section)) {
            draft.disks.push(disk);
        }
    }
    Ok(())
}

/// A disk of its section.
fn disk(section: [u8; SMF74QUE.since()], bytes: &[u8], has_commands: bool) -> Disk {
    let flags = SMF74CNX.number(bytes).unwrap_or(0);
    let is_hyperpav = flags & HYPERPAV_BASE != 0;
    let exposures = number(SMF74NUX, bytes);
    let per_sample = |count: Figure| {
        let samples = number(SMF74PSM, bytes);
        if samples.value > 0.0 { count.over(samples) } else { Figure::UNKNOWN }
    };
    Disk {
        section,
        single: single(bytes),
        is_hyperpav,
        set: SMF74SCS.number(bytes).unwrap_or(0) as u8,
        aliases: bytes.get(SMF74HPC.offset).map_or(0, |it| *it),
        exposures: if is_hyperpav { per_sample(exposures) } else { exposures },
        held_ms: ms(SMF74DVB, bytes),
        command_ms: if has_commands { ms(SMF74CMR, bytes) } else { Figure::UNKNOWN },
        ios_us: float(SMF74IOS, bytes),
        reserved: number(SMF74RSV, bytes),
        timed: INVALID_TIMES.map(|invalid| flags & invalid == 0),
    }
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
    counted(SMF74SCS).at_most(SETS - 1.0, "a channel subsystem has four subchannel sets, from 0 on")?;
    counted(SMF74RSV).at_most(draft.totals.samples as f64, "a device is reserved in no more samples than there are")?;
    let times = [SMF74PEN, SMF74DIS, SMF74CNN].map(counted);
    let pending_ms = times[0].ms() * within_ms(interval_ms) / interval_ms;
    for part in [SMF74DVB, SMF74CMR] {
        counted(part).at_most_ms(pending_ms, "the delay is a part of the pending time")?;
    }
    let ios = counted(SMF74IOS);
    ios.law(ios.value >= 0.0, || "a time is not negative".into())?;
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
    without_record(&mut draft.totals.pools, &draft.disks);
    configured(&mut draft.totals.pools, &draft.disks);
    channels::busy_of_pools(&mut draft.totals, &draft.paths);
    let pools = pools::by_unit(&draft.totals.pools);
    let queue_time = QueueTime::of(&draft.disks, per);
    let (mut services, mut queue_depth, mut in_service) = (Vec::new(), Figure::ZERO, Figure::ZERO);
    intervals.start(Interval { start: draft.start, end: draft.end, totals: draft.totals });
    for disk in &draft.disks {
        let unit = short(SMF74LCU, &disk.section);
        let volume = volume(disk, pools.get(&unit).cloned().unwrap_or_default(), per, queue_time);
        services.push(Share { io_per_s: volume.io_per_s, mean: volume.service_ms });
        queue_depth = queue_depth.plus(volume.queue_depth_sampled);
        in_service = in_service.plus(volume.in_service);
        intervals.device(device(&volume, disk.single, draft.paths.get(&unit).map_or(0, Vec::len)));
        intervals.volume(volume);
    }
    let system = SystemTotals { in_service, ..SystemTotals::of_services(&services, queue_depth) };
    intervals.end(if services.is_empty() { SystemTotals::unknown() } else { system });
}

/// The meaning of SMF74IOS in an interval. No source says whether it is the wait of one request or of all of them, so the queue
/// that RMF sampled decides: by Little's law it is one of them, and the other is off by the number of requests.
#[derive(Clone, Copy, Debug, PartialEq)]
enum QueueTime {
    OfEach,
    OfAll,
    Unknown,
}

impl QueueTime {
    /// ASSUME so few requests are seen in a queue by chance, and samples and times differ by no greater factor.
    const FEW: f64 = 30.0;
    const FACTOR: f64 = 2.0;

    fn of(disks: &[Disk], [seconds, samples]: [Figure; 2]) -> Self {
        let all = |value: &dyn Fn(&Disk) -> f64| disks.iter().map(value).filter(|value| value.is_finite()).sum::<f64>();
        let seen = all(&|disk| number(SMF74QUE, &disk.section).value);
        let sampled = seen / samples.value;
        let near = |queue: f64| queue > sampled / Self::FACTOR && queue < sampled * Self::FACTOR;
        let each = near(all(&|disk| disk.ios_us.value * number(SMF74SSC, &disk.section).value) / 1e6 / seconds.value);
        let together = near(all(&|disk| disk.ios_us.value) / 1e6 / seconds.value);
        match (each, together) {
            (true, false) if seen >= Self::FEW => QueueTime::OfEach,
            (false, true) if seen >= Self::FEW => QueueTime::OfAll,
            _ => QueueTime::Unknown,
        }
    }

    /// The mean wait of a request, milliseconds.
    fn iosq_ms(self, disk: &Disk) -> Figure {
        let ios_ms = disk.ios_us.over(Figure::exact(1_000.0));
        match self {
            QueueTime::OfEach => ios_ms,
            QueueTime::OfAll => ios_ms.over(number(SMF74SSC, &disk.section)),
            QueueTime::Unknown => Figure::UNKNOWN,
        }
    }
}

/// Adds the pools of subsystems with aliases of which there is no record 78-3: then their tries are not known.
fn without_record(pools: &mut Vec<PoolTotals>, disks: &[Disk]) {
    for disk in disks.iter().filter(|disk| disk.is_hyperpav && disk.aliases > 0) {
        let name = SMF74LCU.hex(&disk.section).unwrap_or_default();
        if pools.iter().all(|pool| pool.pool != name) {
            pools.push(PoolTotals::unknown(name));
        }
    }
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
fn volume(disk: &Disk, pool: String, [seconds, samples]: [Figure; 2], queue_time: QueueTime) -> VolumeTotals {
    let section = &disk.section;
    let measured = number(SMF74MEC, section);
    let starts = number(SMF74SSC, section);
    // I/Os of which none was timed have no times.
    let untimed = measured.value == 0.0 && starts.value > 0.0;
    let mean = |all: Figure, valid: bool| if untimed || !valid { Figure::UNKNOWN } else { all.over(measured) };
    let io_per_s = starts.over(seconds);
    let [is_connected, is_disconnected] = disk.timed;
    let pend_ms = mean(ms(SMF74PEN, section), true);
    let disc_ms = mean(ms(SMF74DIS, section), is_disconnected);
    let conn_ms = mean(ms(SMF74CNN, section), is_connected);
    let service_ms = sum([pend_ms, disc_ms, conn_ms]);
    let queue_depth = number(SMF74QUE, section).over(samples);
    let iosq_ms = queue_time.iosq_ms(disk);
    VolumeTotals {
        io_per_s,
        pend_ms,
        held_ms: mean(disk.held_ms, true),
        command_ms: mean(disk.command_ms, true),
        disc_ms,
        conn_ms,
        service_ms,
        queue_depth: iosq_ms.times(io_per_s).over(Figure::exact(1_000.0)),
        queue_depth_sampled: queue_depth,
        queue_depth_rmf: queue_depth,
        iosq_ms,
        iosq_rmf_ms: queue_depth.times(Figure::exact(1_000.0)).over(io_per_s),
        response_ms: correct_response_ms(&[Share { io_per_s, mean: service_ms }], queue_depth),
        in_service: io_per_s.times(service_ms).over(Figure::exact(1_000.0)),
        reserved_percent: disk.reserved.times(Figure::exact(100.0)).over(samples),
        exposures: disk.exposures,
        ..VolumeTotals::unknown(SMF74SER.text(section).unwrap_or_default(), number_of(disk), pool)
    }
}

/// The device number; behind the number of its subchannel set where that is not set 0.
fn number_of(disk: &Disk) -> String {
    let number = SMF74NUM.hex(&disk.section).unwrap_or_default();
    if disk.set == 0 { number } else { format!("{}{number}", disk.set) }
}

/// The base; its own activity is known only where the volume has one exposure.
fn device(volume: &VolumeTotals, single: bool, paths: usize) -> DeviceTotals {
    let (number, label) = (volume.device.clone(), volume.volume.clone());
    let base = DeviceTotals {
        queue_depth: volume.queue_depth_sampled,
        ..DeviceTotals::unknown(number, String::new(), label, Role::Base, paths as u64)
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
