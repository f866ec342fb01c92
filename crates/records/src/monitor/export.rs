//! Intervals of a system, simulated or measured, as a MONWRITE file: the inverse of `intervals`.
//!
//! Fields of which slicewright knows nothing are zero; [`FILLED`] lists the others.

use super::block::{BLOCK, Class};
use super::layout::{mrioddev, mriodhpp, mrmtrhpp, mrmtrspr, mrmtrsys, mrprcdia, mrsytcup, mrsytlck, mrsytprp};
use super::{Header, Writer, mark};
use crate::System;
use crate::binary::{Clock, Field, Layout};
use measures::{
    ControlProcessorTotals, ControlProgramTotals, DeviceTotals, Figure, IntervalTotals, LockTotals,
    LogicalProcessorTotals, PartitionTotals, PoolTotals, Role, VolumeTotals,
};
use std::collections::BTreeMap;
use std::io::{self, Write};

/// The records that [`export`] writes, each with the fields that it fills.
pub static FILLED: &[(&Layout, &[Field])] = &[
    (&mrmtrsys::LAYOUT, &[mrmtrsys::SYSTMID, mrmtrsys::LPARNAME]),
    (&mrmtrspr::LAYOUT, &[mrmtrspr::INTERVAL]),
    (&mrmtrhpp::LAYOUT, &[mrmtrhpp::HPPOOLNM]),
    (&mrioddev::LAYOUT, DEVICE_FIELDS),
    (&mriodhpp::LAYOUT, POOL_FIELDS),
    (&mrsytprp::LAYOUT, PROCESSOR_FIELDS),
    (&mrprcdia::LAYOUT, &[mrprcdia::PLSDGX44, mrprcdia::PLSDGX9C, mrprcdia::PLSTOTDI]),
    (&mrsytlck::LAYOUT, &[mrsytlck::CALNMLKS, mrsytlck::CALENTSZ, mrsytlck::CALENTDSP]),
    (&mrsytlck::entry::LAYOUT, LOCK_FIELDS),
    (
        &mrsytcup::LAYOUT,
        &[mrsytcup::LCUPNAME, mrsytcup::LCUPPNUM, mrsytcup::LCUPCPCT, mrsytcup::CALCPUOF, mrsytcup::CALCPULN],
    ),
    (&mrsytcup::entry::LAYOUT, &[mrsytcup::entry::LCUCPUID, mrsytcup::entry::LCUCACTM, mrsytcup::entry::LCUCLPTM]),
];

const DEVICE_FIELDS: &[Field] = {
    use mrioddev::*;
    &[
        RDEVSID, RDEVDEV, RDEVSER, RDEVLPM, RDEVHPPL, SCMSSCH, SCMCOUNT, SCGSSCH, SCGCOUNT, SCMFPTIM, SCMDDTIM,
        SCMCNTIM, HFRDEVCT, HFCTIO, RDEVMCIA, PAVSSCH, PAVCOUNT, PAVFPTIM, PAVDDTIM, PAVCNTIM,
    ]
};
const POOL_FIELDS: &[Field] = {
    use mriodhpp::*;
    &[HPPOOLNM, HPPNALIS, HPPTRIES, HPPFAILS, HPPMINCT, HPPMAXCT]
};
const PROCESSOR_FIELDS: &[Field] = {
    use mrsytprp::*;
    &[PFXCPUAD, PFXPRBTM, PFXUTIME, PFXTMSYS, PFXTOTWT, PFXSPINT]
};
const LOCK_FIELDS: &[Field] = {
    use mrsytlck::entry::*;
    &[CALLCKID, CALXSCNT, CALXTIME, CALSSCNT, CALSTIME]
};

/// Where emulation time starts to count down (IBM, MRSYTPRP).
const EMULATION_START: f64 = 0x7FFF_FFFF_0000_0000_u64 as f64;

/// Writes intervals that follow each other as a MONWRITE file.
///
/// # Errors
///
/// Those of the output.
pub fn export<W: Write>(intervals: &[IntervalTotals], system: &System, output: W) -> io::Result<W> {
    let mut file = File { writer: Writer::new(output), clock: system.start, seconds: 0.0, counters: BTreeMap::new() };
    let Some(first) = intervals.first() else { return Ok(file.writer.finish()) };
    file.configuration(system, first);
    file.sample(first)?;
    for interval in intervals {
        file.seconds = interval.length.seconds();
        file.clock = Clock(file.clock.0 + interval.length.units());
        file.sample(interval)?;
    }
    Ok(file.writer.finish())
}

/// A counter of an entity: the record it is in, the entity, and the field.
type Counter = ((u8, u16), u64, u64, &'static str);

/// A file while it is written, with what its counters have come to.
struct File<W> {
    writer: Writer<W>,
    clock: Clock,
    /// The length of the interval whose end is written; 0 at the first sample, in which nothing has happened yet.
    seconds: f64,
    counters: BTreeMap<Counter, f64>,
}

/// A record while it is filled.
struct Filled<'a> {
    bytes: Vec<u8>,
    name: ((u8, u16), u64),
    part: u64,
    start: usize,
    seconds: f64,
    counters: &'a mut BTreeMap<Counter, f64>,
}

impl Filled<'_> {
    fn number(&mut self, field: Field, value: u64) {
        field.put(&mut self.bytes[self.start..], value);
    }

    fn text(&mut self, field: Field, text: &str) {
        field.put_text(&mut self.bytes[self.start..], text);
    }

    /// Advances a counter by a number of steps and puts its value; an unknown number does not advance it.
    fn advance(&mut self, field: Field, steps: f64) {
        let counter = self.counters.entry((self.name.0, self.name.1, self.part, field.name)).or_default();
        *counter += if steps.is_finite() { steps } else { 0.0 };
        let value = counter.round() as u64;
        self.number(field, value);
    }

    fn per_second(&mut self, field: Field, rate: Figure) {
        self.advance(field, rate.value * self.seconds);
    }

    /// Advances a span by a number of milliseconds.
    fn ms(&mut self, field: Field, ms: f64) {
        self.advance(field, ms / field.kind.unit_ms());
    }

    fn percent(&mut self, field: Field, percent: Figure) {
        self.ms(field, percent.value * 10.0 * self.seconds);
    }
}

impl<W: Write> File<W> {
    fn record(&mut self, layout: &Layout, entity: u64, length: usize, fill: impl FnOnce(&mut Filled)) {
        let (domain, record) = layout.code;
        let bytes = Header { length, domain, record, clock: self.clock }.blank();
        let mut filled = Filled {
            bytes,
            name: (layout.code, entity),
            part: 0,
            start: 0,
            seconds: self.seconds,
            counters: &mut self.counters,
        };
        fill(&mut filled);
        let bytes = filled.bytes;
        self.writer.record(&bytes);
    }

    fn whole(&mut self, layout: &Layout, entity: u64, fill: impl FnOnce(&mut Filled)) {
        self.record(layout, entity, layout.length, fill);
    }

    /// The records that monitor writes when it starts.
    fn configuration(&mut self, system: &System, first: &IntervalTotals) {
        let partition = first.control_programs.first().map_or("", |program| program.partition.as_str());
        self.whole(&mrmtrsys::LAYOUT, 0, |record| {
            record.text(mrmtrsys::SYSTMID, &system.name);
            record.text(mrmtrsys::LPARNAME, partition);
        });
        let interval = first.length.seconds().round() as u64;
        self.whole(&mrmtrspr::LAYOUT, 0, |record| record.number(mrmtrspr::INTERVAL, interval));
        for number in 1..=first.pools.len() as u64 {
            self.whole(&mrmtrhpp::LAYOUT, number, |record| record.number(mrmtrhpp::HPPOOLNM, number));
        }
    }

    /// One sample: a record per entity, then the end of the interval.
    fn sample(&mut self, totals: &IntervalTotals) -> io::Result<()> {
        let pools: Vec<&str> = totals.pools.iter().map(|pool| pool.pool.as_str()).collect();
        self.processors(totals);
        for (number, partition) in (1..).zip(&totals.partitions) {
            let processors = totals.logical_processors.iter().filter(|row| row.partition == partition.partition);
            self.partition((number, partition), &processors.collect::<Vec<_>>());
        }
        self.locks(&totals.locks);
        for (subchannel, device) in (0..).zip(&totals.devices) {
            let volume = totals.volumes.iter().find(|volume| volume.device == device.device);
            let at = Place { subchannel, pool: pool_number(&pools, device, volume) };
            self.device(device, volume, at, totals.samples);
        }
        for (number, pool) in (1..).zip(&totals.pools) {
            self.pool(number, pool);
        }
        let end = mark(11, self.clock);
        self.writer.record(&end);
        self.writer.end_set(Class::Sample)
    }

    fn device(&mut self, device: &DeviceTotals, volume: Option<&VolumeTotals>, at: Place, samples: u64) {
        use mrioddev::*;
        self.whole(&LAYOUT, at.subchannel, |record| {
            record.number(RDEVSID, at.subchannel);
            record.number(RDEVDEV, u64::from_str_radix(&device.device, 16).unwrap_or(at.subchannel));
            record.number(RDEVLPM, 0xFF00_u64 >> device.paths.min(8) & 0xFF);
            record.number(RDEVHPPL, at.pool);
            record.text(RDEVSER, if device.role == Role::Base { &device.label } else { "" });
            let starts = device.io_per_s.value * record.seconds;
            for field in [SCMSSCH, SCMCOUNT, SCGSSCH, SCGCOUNT] {
                record.advance(field, starts);
            }
            let spans = [(SCMFPTIM, device.pend_ms), (SCMDDTIM, device.disc_ms), (SCMCNTIM, device.conn_ms)];
            for (field, mean) in spans {
                record.ms(field, mean.value * starts);
            }
            record.per_second(RDEVMCIA, device.avoided_per_s);
            let looks = if samples > 0 && record.seconds > 0.0 { samples as f64 } else { record.seconds };
            record.advance(HFRDEVCT, looks);
            record.advance(HFCTIO, device.queue_depth.value * looks);
            if let Some(volume) = volume {
                of_aliases(record, device, volume);
            }
        });
    }

    fn pool(&mut self, number: u64, pool: &PoolTotals) {
        use mriodhpp::*;
        self.whole(&LAYOUT, number, |record| {
            let whole = |figure: Figure| figure.value.round() as u64;
            record.number(HPPOOLNM, number);
            record.number(HPPNALIS, whole(pool.aliases));
            record.number(HPPMINCT, whole(pool.low_water));
            record.number(HPPMAXCT, whole(pool.high_water));
            let share = if record.seconds > 0.0 { 1.0 } else { 0.0 };
            record.advance(HPPTRIES, share * pool.tries.value);
            record.advance(HPPFAILS, share * pool.fails.value);
        });
    }

    fn processors(&mut self, totals: &IntervalTotals) {
        for processor in &totals.control_processors {
            self.processor(processor);
        }
        for program in &totals.control_programs {
            self.diagnoses(program);
        }
    }

    fn processor(&mut self, processor: &ControlProcessorTotals) {
        use mrsytprp::*;
        self.whole(&LAYOUT, processor.number, |record| {
            let down = processor.emulation_percent.times(Figure::exact(-1.0));
            let charged = processor.emulation_percent.plus(processor.chargeable_cp_percent);
            record.number(PFXCPUAD, processor.number);
            if record.seconds == 0.0 {
                record.advance(PFXPRBTM, EMULATION_START);
            }
            record.percent(PFXPRBTM, down);
            record.percent(PFXUTIME, charged);
            record.percent(PFXTMSYS, processor.nonchargeable_cp_percent);
            record.percent(PFXTOTWT, processor.wait_percent);
            record.percent(PFXSPINT, processor.spin_percent);
        });
    }

    /// All DIAGNOSEs are counted on processor 0: the simulated ones are those of the control program as a whole.
    fn diagnoses(&mut self, program: &ControlProgramTotals) {
        use mrprcdia::*;
        self.whole(&LAYOUT, 0, |record| {
            record.per_second(PLSDGX44, program.x44_per_s);
            record.per_second(PLSDGX9C, program.x9c_per_s);
            record.per_second(PLSTOTDI, program.diagnoses_per_s);
        });
    }

    fn locks(&mut self, locks: &[LockTotals]) {
        use mrsytlck::{CALENTDSP, CALENTSZ, CALNMLKS, LAYOUT, entry};
        if locks.is_empty() {
            return;
        }
        let (start, size) = (LAYOUT.length, entry::LAYOUT.length);
        let length = start + size * locks.len().min((BLOCK - start - Header::LENGTH) / size);
        self.record(&LAYOUT, 0, length, |record| {
            record.number(CALNMLKS, locks.len() as u64);
            record.number(CALENTSZ, size as u64);
            record.number(CALENTDSP, start as u64);
            for (number, lock) in (0..).zip(locks).take((length - start) / size) {
                (record.part, record.start) = (number + 1, start + number as usize * size);
                record.text(entry::CALLCKID, &lock.lock);
                record.per_second(entry::CALXSCNT, lock.exclusive_collisions_per_s);
                record.percent(entry::CALXTIME, lock.exclusive_spin_percent);
                record.per_second(entry::CALSSCNT, lock.shared_collisions_per_s);
                record.percent(entry::CALSTIME, lock.shared_spin_percent);
            }
        });
    }

    fn partition(&mut self, of: (u64, &PartitionTotals), processors: &[&LogicalProcessorTotals]) {
        use mrsytcup::{CALCPULN, CALCPUOF, LAYOUT, LCUPCPCT, LCUPNAME, LCUPPNUM, entry};
        let (number, partition) = of;
        let (start, size) = (LAYOUT.length, entry::LAYOUT.length);
        let most = (BLOCK - start - Header::LENGTH) / size;
        let processors = &processors[..processors.len().min(most)];
        self.record(&LAYOUT, number, start + size * processors.len(), |record| {
            record.text(LCUPNAME, &partition.partition);
            record.number(LCUPPNUM, number);
            record.number(LCUPCPCT, processors.len() as u64);
            record.number(CALCPUOF, start as u64);
            record.number(CALCPULN, size as u64);
            for (place, processor) in processors.iter().enumerate() {
                (record.part, record.start) = (place as u64 + 1, start + place * size);
                let total = processor.dispatched_percent.plus(processor.management_percent);
                record.number(entry::LCUCPUID, processor.number);
                record.percent(entry::LCUCACTM, total);
                record.percent(entry::LCUCLPTM, processor.dispatched_percent);
            }
        });
    }
}

/// Where a device is: its subchannel, and the number of its pool.
#[derive(Clone, Copy)]
struct Place {
    subchannel: u64,
    pool: u64,
}

/// The number of a device's pool: its place among the pools, from 1; 0 for a device of none.
fn pool_number(pools: &[&str], device: &DeviceTotals, volume: Option<&VolumeTotals>) -> u64 {
    let name = if device.role == Role::Base { volume.map_or("", |volume| &volume.pool) } else { device.role.pool() };
    pools.iter().position(|pool| !name.is_empty() && *pool == name).map_or(0, |place| place as u64 + 1)
}

/// Advances the counters of a base that sum up its aliases: those of the volume without those of the base.
fn of_aliases(record: &mut Filled, base: &DeviceTotals, volume: &VolumeTotals) {
    use mrioddev::{PAVCNTIM, PAVCOUNT, PAVDDTIM, PAVFPTIM, PAVSSCH};
    let (all, own) = (volume.io_per_s.value * record.seconds, base.io_per_s.value * record.seconds);
    let rest = (all - own).max(0.0);
    record.advance(PAVSSCH, rest);
    record.advance(PAVCOUNT, rest);
    let spans = [
        (PAVFPTIM, volume.pend_ms, base.pend_ms),
        (PAVDDTIM, volume.disc_ms, base.disc_ms),
        (PAVCNTIM, volume.conn_ms, base.conn_ms),
    ];
    for (field, of_volume, of_base) in spans {
        let ms = of_volume.value * all - if own > 0.0 { of_base.value * own } else { 0.0 };
        record.ms(field, ms.max(0.0));
    }
}
