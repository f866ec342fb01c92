//! Does a damaged MONWRITE file get an answer that names the damage, its place and what helps?

use flate2::{Compression, write::GzEncoder};
use measures::{DeviceTotals, Figure, IntervalTotals, Role};
use records::System;
use records::binary::{Clock, CodePage};
use records::monitor::export::export;
use records::monitor::{BLOCK, Intervals, Reader};
use records::source;
use std::io::Write;
use units::Span;

/// A file of three samples of forty devices: each is a control block and three frames.
fn file() -> Vec<u8> {
    let mut totals = IntervalTotals::new("LABSYS", Span::SECOND * 60);
    for number in 0..40 {
        totals.devices.push(DeviceTotals {
            io_per_s: Figure::exact(100.0),
            pend_ms: Figure::exact(0.2),
            disc_ms: Figure::ZERO,
            conn_ms: Figure::exact(1.0),
            queue_depth: Figure::exact(0.5),
            ..DeviceTotals::unknown(format!("52{number:02X}"), String::new(), format!("V{number:05}"), Role::Base, 4)
        });
    }
    let system = System { name: "LABSYS".into(), start: Clock::from_unix_us(1_770_000_000_000_000) };
    export(&[totals.clone(), totals], &system, Vec::new()).unwrap()
}

/// What a reader says: the problem, or the notices and the number of intervals.
fn said(bytes: Vec<u8>) -> Result<(Vec<String>, usize), String> {
    let mut reader = Reader::new(source::of_bytes(bytes).unwrap());
    let mut intervals = <Intervals>::default();
    loop {
        match reader.read_record() {
            Ok(Some(record)) => intervals.take(&record),
            Ok(None) => break,
            Err(damage) => {
                assert!(!damage.what.is_empty());
                return Err(damage.problem("x.monwrite").to_string());
            }
        }
    }
    Ok((intervals.notices.iter().map(ToString::to_string).collect(), intervals.intervals.len()))
}

/// EBCDIC to ASCII, as a transfer in text does it.
fn translated(bytes: &[u8]) -> Vec<u8> {
    CodePage::Ibm1047.text(bytes).chars().map(|char| char as u32 as u8).collect()
}

fn with_line_ends(bytes: &[u8], end: &[u8]) -> Vec<u8> {
    bytes.chunks(BLOCK).flat_map(|block| [block, end].concat()).collect()
}

fn with_descriptors(bytes: &[u8]) -> Vec<u8> {
    let head = ((BLOCK + 4) as u16).to_be_bytes();
    bytes.chunks(BLOCK).flat_map(|block| [&head[..], &[0, 0], block].concat()).collect()
}

fn packed(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

fn changed(at: usize, to: u8) -> Vec<u8> {
    let mut bytes = file();
    bytes[at] = to;
    bytes
}

fn without(range: std::ops::Range<usize>) -> Vec<u8> {
    let mut bytes = file();
    bytes.drain(range);
    bytes
}

#[track_caller]
fn refused(bytes: Vec<u8>, words: &[&str]) {
    let problem = said(bytes).expect_err("damage is refused");
    for word in words {
        assert!(problem.contains(word), "`{word}` is not in: {problem}");
    }
}

#[test]
fn an_undamaged_file_is_read_without_a_word() {
    assert_eq!(said(file()), Ok((vec![], 2)));
    assert_eq!(said(packed(&file())), Ok((vec![], 2)));
}

#[test]
fn what_happened_in_transfer_is_named_with_its_remedy() {
    let file = file();
    refused(translated(&file), &["translated to ASCII", "in binary"]);
    refused(with_line_ends(&file, b"\n"), &["an end of a line was inserted", "byte 4096", "in binary"]);
    refused(with_line_ends(&file, b"\r\n"), &["an end of a line was inserted", "byte 4096"]);
    refused(with_descriptors(&file), &["record descriptor", "nordw"]);
    refused(b"DATE: 2026-02-02\nUSER MONWRITE\n".repeat(200), &["the file is text", "in binary"]);
}

#[test]
fn packers_are_named() {
    let tersed = [&[5, 1, 0x10, 0, 0, 0, 0, 0][..], &[7; 5000]].concat();
    refused(tersed, &["TERSE", "unpack it first"]);
    refused([&[2, 0x89, 0x69, 0xA5][..], &[7; 5000]].concat(), &["TERSE"]);
    refused([&b"PK\x03\x04"[..], &[7; 5000]].concat(), &["compressed"]);
    refused([&[0x28, 0xB5, 0x2F, 0xFD][..], &[7; 5000]].concat(), &["compressed", "gzip"]);
}

#[test]
fn a_file_that_is_cut_short_says_how_much_is_missing() {
    let file = file();
    for length in [100, BLOCK - 1, BLOCK + 1, 2 * BLOCK + 17, file.len() - 1, file.len() - BLOCK] {
        refused(file[..length].to_vec(), &["cut short", "bytes are missing", "binary"]);
    }
    let packed = packed(&file);
    refused(packed[..packed.len() / 2].to_vec(), &["reading failed"]);
    refused(vec![], &["empty"]);
}

#[test]
fn what_was_lost_is_missed_at_its_place() {
    refused(without(0..BLOCK), &["starts with records", "control block"]);
    refused(without(0..1), &["does not start with a control block"]);
    refused(without(BLOCK..BLOCK + 8), &["no header of a record", "byte 4096", "record 1"]);
    refused(without(BLOCK..2 * BLOCK), &["byte"]);
    refused(without(4 * BLOCK..5 * BLOCK), &["no control block where one is due", "byte 16384"]);
}

#[test]
fn bytes_that_were_changed_are_found_where_they_matter() {
    refused(changed(40, 0xD3), &["does not start with a control block"]);
    refused(changed(BLOCK, 0xFF), &["byte 4096", "its frame ends"]);
    refused(changed(BLOCK + 1, 3), &["no header of a record"]);
    refused(changed(BLOCK + 2, 1), &["no header of a record"]);
    refused(changed(49, 0xFF), &["no header of a record where one is due", "byte 16384"]);
}

#[test]
fn intervals_out_of_order_or_twice_are_noticed() {
    let (file, samples) = (file(), 3);
    let sample = file.len() / samples;
    let (first, second, third) = (&file[..sample], &file[sample..2 * sample], &file[2 * sample..]);
    let (notices, intervals) = said([first, second, second, third].concat()).unwrap();
    assert!(notices[0].contains("twice"), "{notices:?}");
    assert_eq!(intervals, 2);
    let (notices, intervals) = said([first, third, second].concat()).unwrap();
    assert!(notices[0].contains("order of time"), "{notices:?}");
    assert_eq!(intervals, 1);
}

#[test]
fn records_of_another_system_are_not_differenced_with_those_before() {
    let system = System { name: "OTHER".into(), start: Clock::from_unix_us(1_770_000_300_000_000) };
    let mut totals = IntervalTotals::new("OTHER", Span::SECOND * 60);
    totals.devices.push(DeviceTotals {
        io_per_s: Figure::exact(7.0),
        ..DeviceTotals::unknown("5200".into(), String::new(), "V00000".into(), Role::Base, 4)
    });
    let other = export(&[totals], &system, Vec::new()).unwrap();
    let (notices, intervals) = said([file(), other].concat()).unwrap();
    assert!(notices[0].contains("records of OTHER follow those of LABSYS"), "{notices:?}");
    assert_eq!(intervals, 3);
}

#[test]
fn counters_that_were_reset_are_omitted_of_their_interval() {
    let (file, samples) = (file(), 3);
    let sample = file.len() / samples;
    // The last sample has the counters of the first, and its own clock: as after an IPL.
    let mut reset = file.clone();
    let (mut fresh, mut last) = (Vec::new(), Vec::new());
    for (bytes, records) in [(&file[..sample], &mut fresh), (&file[2 * sample..], &mut last)] {
        let mut reader = Reader::new(bytes);
        while let Some(record) = reader.read_record().unwrap() {
            records.push((record.place as usize, record.bytes.to_vec()));
        }
    }
    fresh.retain(|(_, bytes)| bytes[4] == 6);
    last.retain(|(_, bytes)| bytes[4] == 6);
    for ((_, early), (place, late)) in fresh.iter().zip(&last) {
        let start = 2 * sample + place;
        reset[start + 20..start + early.len()].copy_from_slice(&early[20..]);
        assert_eq!(late.len(), early.len());
    }
    let (notices, intervals) = said(reset).unwrap();
    assert_eq!(intervals, 2);
    assert!(notices[0].contains("counters of 40 devices were reset"), "{notices:?}");
}
