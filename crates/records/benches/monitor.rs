//! The rate at which monitor data are counted, and reduced to intervals, on one core and from memory.

use measures::{DeviceTotals, Figure, IntervalTotals, Role};
use records::System;
use records::binary::Clock;
use records::monitor::export::export;
use records::monitor::{Contents, Intervals, Reader};
use std::hint::black_box;
use std::time::Instant;
use units::Span;

const DEVICES: usize = 500;
const INTERVALS: usize = 600;
const ROUNDS: usize = 5;

/// Samples of 500 devices, one a minute for ten hours.
fn file() -> Vec<u8> {
    let mut totals = IntervalTotals::new("LABSYS", Span::SECOND * 60);
    for number in 0..DEVICES {
        let (device, label) = (format!("{:04X}", 0x5000 + number), format!("V{number:05}"));
        totals.devices.push(DeviceTotals {
            io_per_s: Figure::exact(120.0),
            pend_ms: Figure::exact(0.2),
            disc_ms: Figure::exact(0.1),
            conn_ms: Figure::exact(0.9),
            queue_depth: Figure::exact(0.3),
            ..DeviceTotals::unknown(device, String::new(), label, Role::Base, 4)
        });
    }
    let system = System { name: "LABSYS".into(), start: Clock::from_unix_us(1_770_000_000_000_000) };
    export(&vec![totals; INTERVALS], &system, Vec::new()).expect("memory takes it")
}

fn counted(file: &[u8]) -> u64 {
    let (mut reader, mut contents) = (Reader::new(file), Contents::default());
    while let Some(record) = reader.read_record().expect("it is whole") {
        contents.take(&record);
    }
    contents.records()
}

fn reduced(file: &[u8]) -> u64 {
    let (mut reader, mut intervals) = (Reader::new(file), Intervals::default());
    while let Some(record) = reader.read_record().expect("it is whole") {
        intervals.take(&record);
    }
    intervals.intervals.len() as u64
}

/// The median rate of some rounds, MB/s.
fn rate(file: &[u8], work: fn(&[u8]) -> u64) -> f64 {
    let mut rates: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            black_box(work(black_box(file)));
            file.len() as f64 / 1e6 / start.elapsed().as_secs_f64()
        })
        .collect();
    rates.sort_by(f64::total_cmp);
    rates[ROUNDS / 2]
}

fn main() {
    let file = file();
    println!("monitor data, {:.0} MB, {} records, median of {ROUNDS}", file.len() as f64 / 1e6, counted(&file));
    println!("  counted by kind        {:>6.0} MB/s (wanted 1,000)", rate(&file, counted));
    println!("  reduced to intervals   {:>6.0} MB/s (wanted 250)", rate(&file, reduced));
}
