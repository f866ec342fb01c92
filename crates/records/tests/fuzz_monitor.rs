//! Does the reader of MONWRITE files stand whatever it is given?
//!
//! `SLICEWRIGHT_FUZZ_INPUTS=10000000` tries this many.

use fuzz::{Bound, Mutator};
use measures::{DeviceTotals, Figure, IntervalTotals, LockTotals, LogicalProcessorTotals, PartitionTotals, Role};
use records::System;
use records::binary::Clock;
use records::monitor::export::export;
use records::monitor::{Contents, Intervals, Reader};
use records::source;
use units::Span;

/// Two samples with a device, a partition of two processors, and two locks.
pub fn file() -> Vec<u8> {
    let mut totals = IntervalTotals::new("LABSYS", Span::SECOND * 60);
    totals.devices.push(DeviceTotals {
        io_per_s: Figure::exact(100.0),
        conn_ms: Figure::exact(1.0),
        ..DeviceTotals::unknown("5200".into(), String::new(), "V00000".into(), Role::Base, 4)
    });
    totals.partitions.push(PartitionTotals::unknown("ZVM".into(), 2));
    for number in 0..2 {
        totals.logical_processors.push(LogicalProcessorTotals {
            dispatched_percent: Figure::exact(60.0),
            management_percent: Figure::exact(0.5),
            ..LogicalProcessorTotals::unknown("ZVM".into(), number)
        });
        totals.locks.push(LockTotals {
            exclusive_collisions_per_s: Figure::exact(10.0),
            exclusive_spin_percent: Figure::exact(0.1),
            ..LockTotals::unknown("ZVM".into(), format!("LOCK{number}"))
        });
    }
    let system = System { name: "LABSYS".into(), start: Clock::from_unix_us(1_770_000_000_000_000) };
    export(&[totals.clone(), totals], &system, Vec::new()).unwrap()
}

/// What holds for every input: it is refused at a place within it, or it is read to its end.
fn check(input: &[u8]) {
    let Ok(opened) = source::of_bytes(input.to_vec()) else { return };
    let (mut reader, mut contents, mut intervals) = (Reader::new(opened), Contents::default(), <Intervals>::default());
    let (mut records, mut end) = (0, 0);
    loop {
        match reader.read_record() {
            Ok(Some(record)) => {
                records += 1;
                assert_eq!(record.number, records);
                assert!(record.place >= end, "records follow each other");
                end = record.place + record.bytes.len() as u64;
                contents.take(&record);
                intervals.take(&record);
            }
            Ok(None) => break,
            Err(damage) => {
                assert!(!damage.what.is_empty());
                return;
            }
        }
    }
    assert_eq!(contents.records(), records);
    assert_eq!(contents.kinds().map(|kind| kind.counts.iter().sum::<u64>()).sum::<u64>() + contents.others(), records);
    assert!(intervals.intervals.iter().all(|interval| interval.end > interval.start));
}

#[test]
fn no_input_brings_the_reader_down() {
    let tokens: [&[u8]; 6] =
        [&[0xE2], &[0xC5], &[0, 20, 0, 0, 1, 0, 0, 11], &[0, 20, 0, 0, 1, 0, 0, 13], &[0xFF; 8], &[0; 64]];
    let mut mutator = Mutator::new(18).corpus([file()]).dictionary(tokens);
    fuzz::run(&mut mutator, Bound::or_from_environment(20_000), check);
}
