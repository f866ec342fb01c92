//! Intervals of a system of z/OS, and dumps of them for tests.

// Each test that includes this uses its part of it.
#![allow(dead_code)]

use measures::{
    EnqueueTotals, Figure, IntervalTotals, LogicalProcessorTotals, PartitionTotals, PoolTotals, SerializationTotals,
    VolumeTotals,
};
use records::System;
use records::binary::{Clock, CodePage, to_hex_float};
use records::smf::export::{export, records};
use records::smf::{Intervals, Read, Reader};
use units::Span;

pub const EXACT: fn(f64) -> Figure = Figure::exact;

/// SYSA, from 10:00 on 2026-02-02.
pub fn system() -> System {
    System { name: "SYSA".into(), start: Clock::from_unix_us(1_770_026_400_000_000) }
}

fn volume(number: u32, load: f64) -> VolumeTotals {
    let pool = if number < 3 { "0052" } else { "" };
    VolumeTotals {
        io_per_s: EXACT(load * f64::from(100 * number)),
        pend_ms: EXACT(0.256),
        disc_ms: EXACT(0.128 * f64::from(number)),
        conn_ms: EXACT(0.64),
        queue_depth_sampled: EXACT(1.5),
        ..VolumeTotals::unknown(format!("VOL00{number}"), format!("522{number}"), pool.into())
    }
}

fn logical_processor(partition: &str, number: u64, load: f64) -> LogicalProcessorTotals {
    let effective = 40.0 * load;
    LogicalProcessorTotals {
        dispatched_percent: EXACT(effective),
        effective_percent: EXACT(effective),
        wait_percent: EXACT(0.0),
        pending_percent: EXACT(10.0),
        management_percent: EXACT(0.5),
        busy_percent: EXACT(effective + 10.0),
        interrupts_per_s: EXACT(500.0),
        tpi_percent: EXACT(20.0),
        ..LogicalProcessorTotals::unknown(partition.into(), number)
    }
}

fn partition(name: &str, load: f64) -> PartitionTotals {
    PartitionTotals {
        dispatched_percent: EXACT(40.0 * load),
        effective_percent: EXACT(40.0 * load),
        wait_percent: EXACT(0.0),
        pending_percent: EXACT(10.0),
        management_percent: EXACT(0.5),
        cpu_percent: EXACT(80.0 * load),
        interrupts_per_s: EXACT(1_000.0),
        tpi_percent: EXACT(20.0),
        samples_due: EXACT(900.0),
        samples_taken: EXACT(900.0),
        weight: EXACT(if name == "PROD" { 600.0 } else { 0.0 }),
        machine_processors: EXACT(4.0),
        ..PartitionTotals::unknown(name.into(), 2)
    }
}

fn enqueue(qname: &str, rname: &str, scope: &str) -> EnqueueTotals {
    EnqueueTotals {
        contentions: EXACT(12.0),
        contention_min_ms: EXACT(1.024 * 100.0),
        contention_max_ms: EXACT(1.024 * 9_000.0),
        contention_total_ms: EXACT(1.024 * 100_000.0),
        contention_mean_ms: EXACT(1.024 * 100_000.0 / 12.0),
        queue_1_percent: EXACT(50.0),
        queue_2_percent: EXACT(25.0),
        queue_3_percent: EXACT(15.0),
        queue_4_percent: EXACT(10.0),
        exclusive_waiters_max: EXACT(4.0),
        shared_waiters_max: EXACT(7.0),
        ..EnqueueTotals::unknown(format!("{qname} {rname}"), qname.into(), rname.into(), scope.into(), 1)
    }
}

/// A quarter of an hour with three volumes, a pool, two partitions, two resources and the service of ENQ.
pub fn interval(load: f64) -> IntervalTotals {
    let mut totals = IntervalTotals::new("SYSA", Span::SECOND * 900);
    totals.samples = 900;
    totals.volumes = (1..=3).map(|number| volume(number, load)).collect();
    totals.pools.push(PoolTotals {
        aliases: EXACT(8.0),
        tries: EXACT(60_000.0),
        fails: EXACT(1_500.0),
        fails_per_try: EXACT(0.025),
        low_water: EXACT(2.0),
        ..PoolTotals::unknown("0052".into())
    });
    for name in ["PROD", "TEST"] {
        totals.partitions.push(partition(name, load));
        totals.logical_processors.extend((0..2).map(|number| logical_processor(name, number, load)));
    }
    totals.enqueues = vec![enqueue("SYSDSN", "PAY.MASTER", "SYSTEMS"), enqueue("SYSVTOC", "VOL001", "SYSTEM")];
    totals.serialization.push(SerializationTotals {
        enq_per_s: EXACT(400.0),
        enq_step_per_s: EXACT(120.0),
        enq_systems_per_s: EXACT(100.0),
        deq_per_s: EXACT(400.0),
        global_per_s: EXACT(200.0),
        lock_per_s: EXACT(800.0),
        lock_contended_percent: EXACT(5.0),
        lock_waiting: EXACT(0.02),
        ..SerializationTotals::unknown("PROD".into())
    });
    totals
}

/// The records of an interval.
pub fn of_interval(load: f64) -> Vec<Vec<u8>> {
    records(&interval(load), &system(), system().start).unwrap()
}

/// A dump of three intervals, with block and record descriptor words.
pub fn dump() -> Vec<u8> {
    export(&[interval(1.0), interval(0.5), interval(1.5)], &system(), Vec::new()).unwrap()
}

/// A record of the same interval with other sections: for each triplet after the product section's, a section or none;
/// `more` are bytes that no triplet locates.
pub fn record_with(code: (u8, u8), sections: &[&[u8]], more: &[u8]) -> Vec<u8> {
    let like = of_interval(1.0).remove(0);
    let product = &like[28 + 8 * 9..28 + 8 * 9 + 104];
    let mut record = like[..28].to_vec();
    (record[5], record[23]) = (code.0, code.1);
    record[24..26].copy_from_slice(&(sections.len() as u16 + 1).to_be_bytes());
    let (mut triplets, mut body) = (vec![], vec![]);
    let first = 28 + 8 * (sections.len() + 1);
    for section in [product].iter().chain(sections) {
        let at = if section.is_empty() { 0 } else { (first + body.len()) as u32 };
        triplets.extend(at.to_be_bytes());
        triplets.extend((section.len() as u16).to_be_bytes());
        triplets.extend(u16::from(!section.is_empty()).to_be_bytes());
        body.extend_from_slice(section);
    }
    record.extend([triplets, body, more.to_vec()].concat());
    let length = (record.len() as u16).to_be_bytes();
    record[..2].copy_from_slice(&length);
    record
}

/// A section of zeros with some bytes, by their offset.
pub fn section(length: usize, fields: &[(usize, &[u8])]) -> Vec<u8> {
    let mut section = vec![0; length];
    for (at, bytes) in fields {
        section[*at..at + bytes.len()].copy_from_slice(bytes);
    }
    section
}

/// Record 73 of channel path 41, FICON, which used a share of its 1,000 work units a second in 900 s.
pub fn of_channels(share: f64) -> Vec<u8> {
    let float = |value: f64| to_hex_float(value).unwrap();
    // 900 s in units of 1,024 us.
    let measured = 878_906u32.to_be_bytes();
    let fields: &[(usize, &[u8])] = &[
        (0, &[0x41, 0x01]),
        (12, &measured),
        (22, &[2, 0xF8]),
        (28, &float(1_000.0)),
        (40, &float(4_096.0)),
        (48, &float(900_000.0 * share)),
        (56, &float(90_000.0)),
        (64, &float(180_000.0)),
    ];
    record_with((73, 1), &[&section(92, &[]), &section(112, fields)], &[])
}

/// Record 78-3 of unit 0052, its HyperPAV section, and the channel paths that lead to it.
pub fn of_unit(paths: &[u8]) -> Vec<u8> {
    let float = |value: f64| to_hex_float(value).unwrap();
    let hyperpav = section(
        88,
        &[(0, &[0, 0x52]), (8, &float(100.0)), (12, &float(9_000.0)), (40, &float(1_000.0)), (44, &float(900.0))],
    );
    let located = (28 + 8 * 5 + 104 + 20 + 88) as u32;
    let unit = section(
        20,
        &[(0, &[0, 0x52, 0, 1]), (4, &located.to_be_bytes()), (8, &[0, 56]), (10, &(paths.len() as u16).to_be_bytes())],
    );
    let more: Vec<u8> = paths.iter().flat_map(|path| section(56, &[(0, &[*path, 0xC0])])).collect();
    record_with((78, 3), &[&unit, &[], &[], &hyperpav], &more)
}

/// A request: seconds after 10:00 at which it starts, task, whether it obtains, scope, minor name, return code.
pub type Request<'a> = (u64, u8, bool, u8, &'a str, u8);

/// Record 87-2 of requests for names of SYSDSN, each of a tenth of a second; written after the last one, an hour east of
/// Greenwich.
pub fn of_requests(requests: &[Request]) -> Vec<u8> {
    const HOUR_US: i64 = 3_600_000_000;
    let tod = |us: i64| Clock::from_unix_us(system().start.unix_us() + us);
    let last = requests.iter().map(|request| request.0).max().unwrap_or(0) as i64 * 1_000_000;
    let mut record = record_with((87, 2), &[], &[])[..28].to_vec();
    let written = tod(last + 200_000).date().3 / 10_000;
    record[6..10].copy_from_slice(&(written as u32).to_be_bytes());
    record[18..28].fill(0);
    record[23] = 2;
    let count = (requests.len() as u16).to_be_bytes();
    for (offset, length) in [(44, 92u16), (44 + 92 * requests.len(), 80)] {
        record.extend((offset as u32).to_be_bytes());
        record.extend(length.to_be_bytes());
        record.extend(count);
    }
    for (at, task, _, _, _, code) in requests {
        let start = tod(*at as i64 * 1_000_000 - HOUR_US);
        let end = tod(*at as i64 * 1_000_000 + 100_000 - HOUR_US);
        let fields: &[(usize, &[u8])] =
            &[(28, &[0, 50]), (35, &[*task]), (45, &start.0.to_be_bytes()), (61, &end.0.to_be_bytes()), (79, &[*code])];
        record.extend(section(92, fields));
    }
    for (_, _, obtains, scope, name, _) in requests {
        let (qname, rname): (Vec<u8>, Vec<u8>) =
            (CodePage::Ibm1047.bytes("SYSDSN  ").collect(), CodePage::Ibm1047.bytes(name).collect());
        let flags = if *obtains { 0x08 } else { 0 };
        let fields: &[(usize, &[u8])] = &[(13, &[flags, *scope, rname.len() as u8]), (28, &qname), (36, &rname)];
        record.extend(section(80, fields));
    }
    let length = (record.len() as u16).to_be_bytes();
    record[..2].copy_from_slice(&length);
    record
}

/// Every record of a dump.
pub fn records_of(file: &[u8]) -> Vec<Vec<u8>> {
    let (mut reader, mut records) = (Reader::new(file), vec![]);
    while let Some(record) = reader.read_record().unwrap() {
        records.push(record.bytes.to_vec());
    }
    records
}

/// The intervals of a dump that is not damaged.
pub fn read(file: &[u8]) -> Read {
    let (mut reader, mut intervals) = (Reader::new(file), Intervals::default());
    while let Some(record) = reader.read_record().unwrap() {
        intervals.take(&record).unwrap();
    }
    intervals.finish()
}

/// Records one behind the other with their record descriptor words alone.
pub fn without_blocks(records: &[Vec<u8>]) -> Vec<u8> {
    records.concat()
}
