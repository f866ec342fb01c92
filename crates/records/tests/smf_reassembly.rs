//! Are records that RMF split put together again?

use crate::smf_file::{of_interval, read, without_blocks};
use records::Damage;
use records::smf::reassembly::{Assembled, Reassembly, split_to};
use records::smf::{Header, Rmf};

fn rmf(bytes: &[u8]) -> Rmf<'_> {
    Rmf::of(Header::read(bytes).unwrap(), bytes).unwrap()
}

/// Record 70-1 in parts of at most 760 bytes.
fn parts() -> Vec<Vec<u8>> {
    let records = of_interval(1.0);
    let parts = split_to(&rmf(&records[0]), 760);
    assert!(parts.len() >= 3 && parts.iter().all(|part| part.len() <= 760), "{}", parts.len());
    parts
}

fn join(parts: &[Vec<u8>]) -> (Vec<Result<Assembled, Damage>>, Reassembly) {
    let mut reassembly = Reassembly::default();
    let all = parts.iter().map(|part| reassembly.take(&rmf(part))).collect();
    (all, reassembly)
}

/// The sections of a record, in their order.
fn sections(bytes: &[u8]) -> Vec<Vec<Vec<u8>>> {
    let record = rmf(bytes);
    (0..record.triplets()).map(|place| record.sections_of(place).map(<[u8]>::to_vec).collect()).collect()
}

#[test]
fn parts_have_all_sections_of_the_record_when_they_are_together() {
    let whole = of_interval(1.0).remove(0);
    let (results, reassembly) = join(&parts());
    let Some(Ok(Assembled::Record(joined))) = results.last() else { panic!("{:?}", results.last()) };
    assert!(results[..results.len() - 1].iter().all(|result| *result == Ok(Assembled::Part)));
    assert_eq!(sections(joined), sections(&whole));
    assert_eq!((joined.len(), reassembly.incomplete()), (whole.len(), 0));
}

#[test]
fn the_order_of_parts_does_not_matter() {
    let mut parts = parts();
    parts.reverse();
    let (results, _) = join(&parts);
    let Some(Ok(Assembled::Record(joined))) = results.last() else { panic!("{:?}", results.last()) };
    assert_eq!(sections(joined), sections(&of_interval(1.0)[0]));
}

#[test]
fn a_record_that_is_short_enough_is_not_split() {
    let record = of_interval(1.0).remove(0);
    assert_eq!(split_to(&rmf(&record), 32_752), vec![record.clone()]);
    assert_eq!(join(&[record]).0, [Ok(Assembled::Whole)]);
}

#[test]
fn intervals_of_split_records_are_those_of_whole_ones() {
    let whole = of_interval(1.0);
    let records = [&parts()[..], &whole[1..]].concat();
    let [split, whole] = [&records, &whole].map(|records| format!("{:?}", read(&without_blocks(records))));
    assert!(split == whole);
}

#[test]
fn a_part_that_is_missing_is_noticed() {
    let parts = parts();
    assert_eq!(join(&parts[1..]).1.incomplete(), 1);
    let read = read(&without_blocks(&[&parts[1..], &of_interval(1.0)[1..]].concat()));
    assert_eq!(read.notices[0].to_string(), "1 split record lacks parts; it was skipped");
    assert!(read.intervals[0].totals.partitions.is_empty());
}

#[test]
fn a_part_that_is_there_twice_is_refused() {
    let parts = parts();
    let (results, _) = join(&[parts[0].clone(), parts[0].clone()]);
    assert_eq!(results[1].as_ref().unwrap_err().what, "part 1 of a split record is there twice");
}

#[test]
fn parts_that_contradict_themselves_are_refused() {
    let area = |part: &[u8]| {
        let product = rmf(part).triplet(0).offset;
        product + usize::from(u16::from_be_bytes([part[product + 70], part[product + 71]]))
    };
    let place = area(&parts()[0]);
    let damaged = [
        (place + 3, 9, "a split record says that it is part 9 of 3"),
        (place + 11, 5, "a split record has 9 triplets, and 5 reassembly blocks of 4 bytes"),
        (place + 9, 2, "a split record has 9 triplets, and 8 reassembly blocks of 2 bytes"),
        (rmf(&parts()[0]).triplet(0).offset + 68, 1, "the reassembly area of a split record lies outside of it"),
    ];
    for (place, byte, what) in damaged {
        let mut part = parts()[0].clone();
        part[place] = byte;
        assert_eq!(join(&[part]).0[0].as_ref().unwrap_err().what, what);
    }
}

#[test]
fn sections_that_no_part_has_are_missed() {
    let mut parts = parts();
    let product = rmf(&parts[0]).triplet(0).offset;
    let area = product + usize::from(u16::from_be_bytes([parts[0][product + 70], parts[0][product + 71]]));
    // The fourth block is that of partitions.
    parts[0][area + 16 + 4 * 3 + 1] = 200;
    let (results, _) = join(&parts);
    let damage = results.last().unwrap().as_ref().unwrap_err();
    assert_eq!(damage.what, "the parts of a split record lack some of its sections");
}
