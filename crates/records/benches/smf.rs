//! The rate at which SMF dumps are counted, and reduced to intervals, on one core and from memory.

use measures::{Figure, IntervalTotals, VolumeTotals};
use records::System;
use records::binary::Clock;
use records::smf::export::export;
use records::smf::{Contents, File, Reader};
use std::hint::black_box;
use std::time::Instant;
use units::Span;

const VOLUMES: usize = 5_000;
const INTERVALS: usize = 96;
const ROUNDS: usize = 5;

/// A day of 5,000 volumes by quarters of an hour; their sections have 52 bytes, those of RMF are longer.
fn file() -> Vec<u8> {
    let mut totals = IntervalTotals::new("LAB1", Span::SECOND * 900);
    for number in 0..VOLUMES {
        let (device, label) = (format!("{number:04X}"), format!("V{number:05}"));
        totals.volumes.push(VolumeTotals {
            io_per_s: Figure::exact(120.0),
            pend_ms: Figure::exact(0.2),
            disc_ms: Figure::exact(0.1),
            conn_ms: Figure::exact(0.9),
            queue_depth: Figure::exact(0.3),
            ..VolumeTotals::unknown(label, device, String::new())
        });
    }
    let system = System { name: "LAB1".into(), start: Clock::from_unix_us(1_770_000_000_000_000) };
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
    let mut dump = File::default();
    dump.take("dump", file).expect("it is whole");
    dump.finish().1.intervals.len() as u64
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
    println!("SMF, {:.0} MB, {} records, median of {ROUNDS}", file.len() as f64 / 1e6, counted(&file));
    println!("  counted by kind        {:>6.0} MB/s (wanted 1,000)", rate(&file, counted));
    println!("  reduced to intervals   {:>6.0} MB/s (wanted 250)", rate(&file, reduced));
}
