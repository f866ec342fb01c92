//! The rates at which monitor data and SMF are counted, and reduced to tables, on one core and from memory.

use measures::{DeviceTotals, Figure, IntervalTotals, Role, VolumeTotals};
use records::binary::Clock;
use records::{Measured, System, monitor, smf};
use std::hint::black_box;
use std::time::Instant;
use units::Span;

const ROUNDS: usize = 5;

/// Samples of 500 devices, one a minute for ten hours.
fn monitor_data() -> Vec<u8> {
    let mut totals = IntervalTotals::new("LABSYS", Span::SECOND * 60);
    totals.devices.extend((0..500).map(|number| DeviceTotals {
        io_per_s: Figure::exact(120.0),
        pend_ms: Figure::exact(0.2),
        disc_ms: Figure::exact(0.1),
        conn_ms: Figure::exact(0.9),
        queue_depth: Figure::exact(0.3),
        ..DeviceTotals::unknown(format!("{number:04X}"), String::new(), format!("V{number:05}"), Role::Base, 4)
    }));
    monitor::export::export(&vec![totals; 600], &system("LABSYS"), Vec::new()).expect("memory takes it")
}

/// A day of 5,000 volumes by quarters of an hour; their sections have 52 bytes, those of RMF are longer.
fn dump() -> Vec<u8> {
    let mut totals = IntervalTotals::new("LAB1", Span::SECOND * 900);
    totals.volumes.extend((0..5_000).map(|number| VolumeTotals {
        io_per_s: Figure::exact(120.0),
        pend_ms: Figure::exact(0.2),
        disc_ms: Figure::exact(0.1),
        conn_ms: Figure::exact(0.9),
        queue_depth: Figure::exact(0.3),
        ..VolumeTotals::unknown(format!("V{number:05}"), format!("{number:04X}"), String::new())
    }));
    smf::export::export(&vec![totals; 96], &system("LAB1"), Vec::new()).expect("memory takes it")
}

fn system(name: &str) -> System {
    System { name: name.into(), start: Clock::from_unix_us(1_770_000_000_000_000) }
}

fn monitor_counted(file: &[u8]) -> u64 {
    let (mut reader, mut contents) = (monitor::Reader::new(file), monitor::Contents::default());
    while let Some(record) = reader.read_record().expect("it is whole") {
        contents.take(&record);
    }
    contents.records()
}

fn monitor_reduced(file: &[u8]) -> u64 {
    let (mut reader, mut intervals) = (monitor::Reader::new(file), monitor::Intervals::<Measured>::default());
    while let Some(record) = reader.read_record().expect("it is whole") {
        intervals.take(&record);
    }
    intervals.intervals.intervals.len() as u64
}

fn smf_counted(file: &[u8]) -> u64 {
    let (mut reader, mut contents) = (smf::Reader::new(file), smf::Contents::default());
    while let Some(record) = reader.read_record().expect("it is whole") {
        contents.take(&record);
    }
    contents.records()
}

fn smf_reduced(file: &[u8]) -> u64 {
    let mut dump = smf::File::default();
    dump.take("dump", file).expect("it is whole");
    let mut measured = Measured::default();
    dump.end(&mut measured);
    measured.intervals.len() as u64
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

fn report(form: &str, file: &[u8], counted: fn(&[u8]) -> u64, reduced: fn(&[u8]) -> u64) {
    println!("{form}, {:.0} MB, {} records, median of {ROUNDS}", file.len() as f64 / 1e6, counted(file));
    println!("  counted by kind     {:>6.0} MB/s (wanted 1,000)", rate(file, counted));
    println!("  reduced to tables   {:>6.0} MB/s (wanted 250)", rate(file, reduced));
}

fn main() {
    report("monitor data", &monitor_data(), monitor_counted, monitor_reduced);
    report("SMF", &dump(), smf_counted, smf_reduced);
}
