//! Does a file get its form, SMF or MONWRITE, from its records and not from single bytes?

use crate::smf_file::{dump, of_interval, without_blocks};
use records::Form;
use records::smf::Writer;

/// A record of a type without subtypes, of this many bytes.
fn record(kind: u8, length: usize) -> Vec<u8> {
    let mut record = of_interval(1.0).remove(0)[..18].to_vec();
    record.resize(length, 0);
    record[..2].copy_from_slice(&(length as u16).to_be_bytes());
    (record[4], record[5]) = (0x1E, kind);
    record
}

/// A record whose byte at 40, or at 40 of the file after two descriptor words, is S or E in EBCDIC.
fn with_area(kind: u8, byte: u8, at: usize) -> Vec<u8> {
    let mut record = record(kind, 100);
    record[at] = byte;
    record
}

fn blocks(records: &[Vec<u8>]) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    records.iter().for_each(|record| writer.record(record).unwrap());
    writer.finish().unwrap()
}

fn form(file: &[u8]) -> Option<Form> {
    Form::of(file, true)
}

#[test]
fn a_dump_is_one_whatever_its_first_records_are() {
    for first in [0, 2, 3, 30] {
        for byte in [0xE2, 0xC5] {
            for at in [36, 40] {
                let records =
                    [record(2, 18), with_area(first, byte, at - 18), with_area(first, byte, at), record(3, 18)];
                for some in [&records[..], &records[1..], &records[2..]] {
                    assert_eq!(form(&blocks(some)), Some(Form::Smf), "type {first}, in blocks");
                    assert_eq!(form(&without_blocks(some)), Some(Form::Smf), "type {first}, without blocks");
                }
            }
        }
    }
}

#[test]
fn a_dump_that_starts_with_a_short_segment_is_one() {
    let spanned = record(30, 300);
    let mut file = vec![0, 12, 1, 0];
    file.extend_from_slice(&spanned[4..12]);
    file.extend_from_slice(&[0, 0, 2, 0]);
    let at = file.len();
    file.extend_from_slice(&spanned[12..]);
    let length = (file.len() - at + 4) as u16;
    file[at - 4..at - 2].copy_from_slice(&length.to_be_bytes());
    file.extend(dump_without_blocks());
    assert_eq!(form(&file), Some(Form::Smf));
}

fn dump_without_blocks() -> Vec<u8> {
    without_blocks(&of_interval(1.0))
}

#[test]
fn a_dump_with_a_damaged_first_record_or_without_descriptor_words_is_one() {
    let mut file = dump();
    file[14] ^= 0xFF;
    assert_eq!(form(&file), Some(Form::Smf));
    let mut alone = record(2, 18);
    alone[10] = 0xFF;
    let unsure = [alone, record(3, 18)].concat();
    assert_eq!(form(&unsure), Some(Form::Smf));
    assert_eq!(form(&dump()[8..]), Some(Form::Smf));
}

#[test]
fn a_file_of_monwrite_is_one_whatever_the_buffer_before_its_areas_holds() {
    let file = crate::fuzz_monitor::file();
    assert_eq!(form(&file), Some(Form::Monwrite));
    for head in [[0x11, 0x90, 0, 0], [0, 0x12, 0, 0], [0x80, 0, 0x11, 0x90]] {
        let mut file = file.clone();
        file[..4].copy_from_slice(&head);
        file[4..8].copy_from_slice(&[0, 0x12, 0, 0]);
        assert_eq!(form(&file), Some(Form::Monwrite));
    }
    assert_eq!(form(&file[4096..]), Some(Form::Monwrite), "its control block was dropped");
}

#[test]
fn what_is_neither_has_no_form() {
    for file in [&b""[..], b"RMF  D I R E C T   A C C E S S", &[0; 8192], &[0x40; 8192], b"qname,rname,scope\n"] {
        assert_eq!(form(file), None);
    }
}
