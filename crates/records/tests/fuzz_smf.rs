//! Does the reader of SMF dumps stand whatever it is given?
//!
//! `SLICEWRIGHT_FUZZ_INPUTS=10000000` tries this many.

use crate::smf_file::{dump, of_channels, of_interval, of_requests, of_unit, records_of, system, without_blocks};
use fuzz::{Bound, Mutator};
use records::smf::export::export;
use records::smf::reassembly::split_to;
use records::smf::{Contents, Header, Intervals, Read, Reader, Rmf, Writer};

/// Descriptor words, flags and types, names, packed decimals, triplets, and the first bytes of other files.
const TOKENS: [&[u8]; 27] = [
    &[0, 8, 0, 0],
    &[0x7F, 0xF8, 0, 0],
    &[0, 100, 1, 0],
    &[0, 100, 2, 0],
    &[0, 100, 3, 0],
    &[0x80, 0, 1, 0],
    &[0xDF, 70],
    &[0xDF, 72],
    &[0xDF, 73],
    &[0xDF, 74],
    &[0xDF, 77],
    &[0xDF, 78],
    &[0xDF, 87],
    &[0, 0, 0, 44, 0, 92, 0, 2],
    &[0xD9, 0xD4, 0xC6, 0x40],
    &[0xE2, 0xE8, 0xE2, 0xC1],
    &[0x01, 0x26, 0x03, 0x3F],
    &[0x99, 0x99, 0x99, 0x9F],
    &[0, 0, 0, 100, 0, 52, 0, 3],
    &[0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
    &[0; 8],
    &[0, 1],
    &[0x7F, 0xFF, 0xFF, 0xFF],
    b"\x1F\x8B\x08",
    b"\n",
    b"RMF ",
    &[5, 1, 0x7F, 0xF4],
];

/// What holds for every input: it ends, damage says what and what helps, what is read can be written and read again.
fn check(input: &[u8]) {
    let (mut reader, mut contents, mut intervals) = (Reader::new(input), Contents::default(), Intervals::default());
    let (mut writer, mut records, mut damages) = (Writer::new(Vec::new()), 0u64, 0u64);
    loop {
        match reader.read_record() {
            Ok(Some(record)) => {
                assert!(record.place < input.len() as u64 && record.bytes.len() == record.header.length);
                records += 1;
                contents.take(&record);
                writer.record(record.bytes).expect("memory takes what it is given");
                damages += u64::from(intervals.take(&record).is_err());
            }
            Ok(None) => break,
            Err(damage) => {
                assert!(!damage.what.is_empty() && !damage.remedy.is_empty(), "{damage:?}");
                damages += 1;
            }
        }
        assert!(records + damages <= 2 * input.len() as u64 + 2, "the reader does not end");
    }
    assert!(records + damages > 0, "nothing is accepted in silence");
    assert_eq!(contents.records(), records);
    check_intervals(intervals);
    let file = writer.finish().expect("memory takes what it is given");
    if records > 0 {
        assert_eq!(records_of(&file).len() as u64, records);
    }
}

fn check_intervals(intervals: Intervals) {
    let read: Read = intervals.finish();
    for interval in &read.intervals {
        let totals = &interval.totals;
        assert!(totals.length.seconds() > 0.0 && totals.started.is_some());
        assert!(totals.volumes.iter().all(|volume| volume.io_per_s.value >= 0.0));
        assert!(export(std::slice::from_ref(totals), &system(), Vec::new()).is_ok());
    }
    assert!(read.notices.iter().all(|notice| !notice.to_string().is_empty()));
}

#[test]
fn no_input_makes_the_reader_panic_hang_or_accept_it_in_silence() {
    let records = of_interval(1.0);
    let parts = split_to(&Rmf::of(Header::read(&records[0]).unwrap(), &records[0]).unwrap(), 760);
    let tails = without_blocks(&[of_channels(3.0), of_unit(&[0x41, 0x42])]);
    let asked = [(0, 1, true, 3, "PAY", 0), (2, 1, false, 3, "PAY", 0), (3, 2, true, 1, "STEP", 4)];
    let asked = without_blocks(&[of_requests(&asked), records[0].clone()]);
    let corpus = [dump(), without_blocks(&records), without_blocks(&parts), dump()[..3_000].to_vec(), tails, asked];
    let mut mutator = Mutator::new(70).corpus(corpus).dictionary(TOKENS);
    let tried = fuzz::run(&mut mutator, Bound::or_from_environment(4_000), check);
    assert!(tried > 0);
}
