//! Intervals of a system, simulated or measured, as SMF records of RMF: the inverse of `intervals`.
//!
//! Fields of which slicewright knows nothing are zero; [`FILLED`] lists the others.

mod filled;
mod processors;
mod section;

use super::framing::Writer;
use super::header::Header;
use super::layout::{
    DEVICE, DEVICE_CONTROL, HYPERPAV, Located, RESOURCE, SERIALIZATION, product, r725sctl, r783hpav, smf74ctl,
    smf74dev, smf77enq,
};
use super::reassembly::split;
use super::rmf::{Rmf, TRIPLET, TRIPLETS, Triplet};
use super::time;
use crate::binary::{Clock, Field, to_packed};
use crate::monitor::export::System;
pub use filled::{FILLED, zero};
use measures::{EnqueueTotals, Figure, IntervalTotals, SerializationTotals, VolumeTotals};
use section::{Section, value};
use std::io::{self, Write};

/// Devices of a record: SMF74NXT of its control section says how many are in the records after it.
const DEVICES: usize = 600;
/// The cycle of RMF where an interval does not tell (z/OS RMF User's Guide, CYCLE: 1000).
const CYCLE_MS: f64 = 1_000.0;
/// The longest interval that a record can tell: MMSSTTT.
const LONGEST_S: f64 = 5_999.999;

/// Writes intervals that follow each other as an SMF dump; the system's start is local time, and its name has at most four
/// characters.
///
/// # Errors
///
/// What the output says, a time that SMF cannot tell, and intervals that are longer than 99 minutes.
pub fn export<W: Write>(intervals: &[IntervalTotals], system: &System, output: W) -> io::Result<W> {
    let mut writer = Writer::new(output);
    let mut start = system.start;
    for totals in intervals {
        for record in records(totals, system, start)? {
            writer.record(&record)?;
        }
        start = Clock(start.0.wrapping_add(totals.length.units()));
    }
    writer.finish()
}

/// The records of an interval that starts then, each with its descriptor word.
///
/// # Errors
///
/// A time that SMF cannot tell, and an interval that is longer than 99 minutes.
pub fn records(totals: &IntervalTotals, system: &System, start: Clock) -> io::Result<Vec<Vec<u8>>> {
    let interval = Interval::of(totals, system, start)?;
    let mut records = interval.record((70, 1), 9, processors::sections(&interval))?;
    records.extend(interval.devices()?);
    records.extend(interval.record((77, 1), 3, interval.enqueues())?);
    records.extend(interval.record((78, 3), 5, interval.pools())?);
    records.extend(interval.record((72, 5), 15, interval.serialization())?);
    Ok(records)
}

/// Sections of a kind, for the triplet that locates them.
type Kind = (&'static Located, Vec<Section>);

/// An interval while its records are written.
struct Interval<'a> {
    totals: &'a IntervalTotals,
    system: &'a System,
    start: Clock,
    seconds: f64,
    samples: f64,
}

impl<'a> Interval<'a> {
    fn of(totals: &'a IntervalTotals, system: &'a System, start: Clock) -> io::Result<Self> {
        let seconds = totals.length.seconds();
        if !(0.001..=LONGEST_S).contains(&seconds) {
            let what = format!("an interval of {seconds} s does not fit a record of RMF: 0.001 to {LONGEST_S} s do");
            return Err(io::Error::other(what));
        }
        let taken = totals.partitions.first().map_or(f64::NAN, |partition| partition.samples_taken.value);
        let samples = match totals.samples {
            0 if taken >= 1.0 => taken.round(),
            0 => (1_000.0 * seconds / CYCLE_MS).round().max(1.0),
            samples => samples as f64,
        };
        Ok(Interval { totals, system, start, seconds, samples })
    }

    /// How often something happens in the interval.
    fn count(&self, per_second: Figure) -> f64 {
        per_second.value * self.seconds
    }

    fn cycle_ms(&self) -> f64 {
        let due = self.totals.partitions.first().map_or(f64::NAN, |partition| partition.samples_due.value);
        if due > 0.0 { 1_000.0 * self.seconds / due } else { CYCLE_MS }
    }

    /// A record, in parts where it is too long; none where there are no sections.
    fn record(&self, code: (u8, u16), triplets: usize, kinds: Vec<Kind>) -> io::Result<Vec<Vec<u8>>> {
        if kinds.iter().all(|(_, sections)| sections.is_empty()) {
            return Ok(vec![]);
        }
        let mut bytes = vec![0; TRIPLETS + TRIPLET * triplets];
        super::layout::header::SMFTRN.put(&mut bytes, triplets as u64);
        let product = [self.product()?];
        let product = [(0, product.as_slice())];
        let kinds = kinds.iter().map(|(located, sections)| (located.triplet, sections.as_slice()));
        for (place, sections) in product.into_iter().chain(kinds).filter(|(_, sections)| !sections.is_empty()) {
            let triplet = Triplet { offset: bytes.len(), length: sections[0].bytes().len(), number: sections.len() };
            let at = TRIPLETS + TRIPLET * place;
            bytes[at..at + TRIPLET].copy_from_slice(&triplet.bytes());
            sections.iter().for_each(|section| bytes.extend_from_slice(section.bytes()));
        }
        let end = Clock(self.start.0.wrapping_add(self.totals.length.units()));
        let header = Header::put(&mut bytes, code, &self.system.name, end).and_then(|()| Header::read(&bytes));
        let header = header.ok_or_else(|| io::Error::other(format!("SMF cannot tell the system or the time {end}")))?;
        let record = Rmf::of(header, &bytes).map_err(|damage| io::Error::other(damage.what))?;
        Ok(split(&record))
    }

    fn product(&self) -> io::Result<Section> {
        let mut section = Section::of(&product::LAYOUT);
        section.text(product::SMFPRD, "RMF");
        section.count(product::SMFSAM, self.samples);
        section.text(product::SMFSNM, &self.system.name);
        // The first partition is that of the system.
        section.count(product::SMFPTN, if self.totals.partitions.is_empty() { 0.0 } else { 1.0 });
        let us = (self.seconds * 1e6).round() as u64;
        let packed = |section: &mut Section, field: Field, put: &dyn Fn(&mut [u8]) -> Option<()>| {
            put(section.place(field)).ok_or_else(|| io::Error::other(format!("SMF cannot tell {}", self.start)))
        };
        packed(&mut section, product::SMFIST, &|bytes| time::put_of_day(bytes, self.start))?;
        packed(&mut section, product::SMFDAT, &|bytes| time::put_date(bytes, self.start))?;
        packed(&mut section, product::SMFINT, &|bytes| time::put_length(bytes, us))?;
        let cycle = self.cycle_ms().round().clamp(1.0, 9_999.0) as u64;
        packed(&mut section, product::SMFCYC, &|bytes| to_packed(bytes, cycle))?;
        Ok(section)
    }

    /// Records of the volumes, with so many devices each.
    fn devices(&self) -> io::Result<Vec<Vec<u8>>> {
        let mut records = vec![];
        let all = self.totals.volumes.len();
        for (place, volumes) in self.totals.volumes.chunks(DEVICES).enumerate() {
            let mut control = Section::of(&smf74ctl::LAYOUT);
            control.count(smf74ctl::SMF74NXT, (all - place * DEVICES - volumes.len()) as f64);
            control.count(smf74ctl::SMF74TOT, all as f64);
            control.count(smf74ctl::SMF74SUB, f64::from(0x20));
            let devices = volumes.iter().map(|volume| self.device(volume)).collect();
            let kinds = vec![(&DEVICE_CONTROL, vec![control]), (&DEVICE, devices)];
            records.extend(self.record((74, 1), 3, kinds)?);
        }
        Ok(records)
    }

    fn device(&self, volume: &VolumeTotals) -> Section {
        use smf74dev::*;
        let starts = self.count(volume.io_per_s);
        let queues = [volume.queue_depth_rmf, volume.queue_depth_sampled, volume.queue_depth];
        let queue = queues.into_iter().find(|queue| queue.is_known()).unwrap_or(Figure::UNKNOWN);
        let mut section = Section::of(&LAYOUT);
        section.count(SMF74NUM, u64::from_str_radix(&volume.device, 16).unwrap_or(0) as f64);
        section.count(SMF74LCU, self.unit(&volume.pool));
        section.text(SMF74SER, &volume.volume);
        section.count(SMF74NUX, self.exposures(volume));
        for field in [SMF74SSC, SMF74MEC] {
            section.count(field, starts);
        }
        for (field, mean) in [(SMF74CNN, volume.conn_ms), (SMF74PEN, volume.pend_ms), (SMF74DIS, volume.disc_ms)] {
            section.ms(field, mean.value * starts);
        }
        section.ms(SMF74ATV, volume.conn_ms.plus(volume.disc_ms).value * starts);
        section.count(SMF74QUE, queue.value * self.samples);
        section
    }

    /// The exposures of a volume with bound aliases; 0 where aliases of a pool come and go.
    fn exposures(&self, volume: &VolumeTotals) -> f64 {
        if !volume.pool.is_empty() {
            return 0.0;
        }
        1.0 + self.totals.devices.iter().filter(|device| device.role.base() == volume.device).count() as f64
    }

    /// The logical control unit of a pool: its name where all pools have names of four hexadecimal digits, else its place
    /// among them, from 1; 0 for none.
    fn unit(&self, pool: &str) -> f64 {
        let number = |name: &str| u16::from_str_radix(name, 16).ok().filter(|_| name.len() == 4);
        let pools = &self.totals.pools;
        if pools.iter().all(|pool| number(&pool.pool).is_some()) {
            return number(pool).map_or(0.0, f64::from);
        }
        pools.iter().position(|other| other.pool == pool).map_or(0.0, |place| place as f64 + 1.0)
    }

    fn pools(&self) -> Vec<Kind> {
        use r783hpav::*;
        let pool = |pool: &measures::PoolTotals| {
            let mut section = Section::of(&LAYOUT);
            section.count(R783HLCU, self.unit(&pool.pool));
            section.count(R783HCU, self.unit(&pool.pool));
            section.float(R783HNAI, pool.fails.value);
            section.float(R783HTIO, pool.tries.value);
            section.count(R783HAIU, pool.aliases.value - pool.low_water.value);
            section
        };
        vec![(&HYPERPAV, self.totals.pools.iter().map(pool).collect())]
    }

    /// Resources that were in contention, as RMF reports no others.
    fn enqueues(&self) -> Vec<Kind> {
        let contended = self.totals.enqueues.iter().filter(|enqueue| enqueue.contentions.value > 0.0);
        vec![(&RESOURCE, contended.map(|enqueue| self.enqueue(enqueue)).collect())]
    }

    fn enqueue(&self, enqueue: &EnqueueTotals) -> Section {
        use smf77enq::*;
        let mut section = Section::of(&LAYOUT);
        section.text(SMF77QNM, &enqueue.qname);
        section.text(SMF77RNM, &enqueue.rname);
        section.count(SMF77RLN, enqueue.rname.chars().count().min(SMF77RNM.length) as f64);
        section.count(SMF77DFG, if enqueue.scope == "SYSTEMS" { f64::from(0x40) } else { 0.0 });
        section.ms(SMF77WTM, enqueue.contention_min_ms.value);
        section.ms(SMF77WTX, enqueue.contention_max_ms.value);
        section.ms(SMF77WTT, enqueue.contention_total_ms.value);
        let looks = enqueue.contention_total_ms.value / self.cycle_ms();
        let shares = [
            (SMF77QL1, enqueue.queue_1_percent),
            (SMF77QL2, enqueue.queue_2_percent),
            (SMF77QL3, enqueue.queue_3_percent),
            (SMF77QL4, enqueue.queue_4_percent),
        ];
        for (field, percent) in shares {
            section.count(field, percent.value / 100.0 * looks);
        }
        section.count(SMF77EXX, enqueue.exclusive_waiters_max.value);
        section.count(SMF77SHX, enqueue.shared_waiters_max.value);
        section.count(SMF77EVT, enqueue.contentions.value);
        section
    }

    /// The service of the first partition that has one.
    fn serialization(&self) -> Vec<Kind> {
        let service = self.totals.serialization.iter().take(1).map(|service| self.service(service));
        vec![(&SERIALIZATION, service.collect())]
    }

    /// Requests that reach other systems are taken for those with SCOPE=SYSTEMS, all others for SCOPE=SYSTEM.
    fn service(&self, service: &SerializationTotals) -> Section {
        use r725sctl::*;
        let requests = self.count(service.enq_per_s);
        let both = service.enq_per_s.value + value(service.deq_per_s);
        let global = if both > 0.0 { requests * value(service.global_per_s) / both } else { 0.0 };
        let mut section = Section::of(&LAYOUT);
        section.count(R725SSSR, global);
        section.count(R725SSYR, requests.round() - global.round());
        section.count(R725SEDS, service.lock_contended_percent.value / 100.0 * self.count(service.lock_per_s));
        section.ms(R725SEDT, service.lock_waiting.value * 1_000.0 * self.seconds);
        section
    }
}
