//! Does the reader find every record of a dump, whatever its descriptor words, and say what happened to a damaged one?

use crate::smf_file::{dump, of_interval, read, records_of, without_blocks};
use records::smf::intervals::Ends;
use records::smf::{Contents, File, Framing, Intervals, Reader, Writer};
use records::{Damage, Interval};

/// The records and the damage of a file.
fn all(file: &[u8]) -> (Vec<Vec<u8>>, Vec<Damage>) {
    let (mut reader, mut records, mut damages) = (Reader::new(file), vec![], vec![]);
    let mut intervals = Intervals::default();
    for _ in 0..10_000 {
        match reader.read_record() {
            Ok(Some(record)) => {
                damages.extend(intervals.take(&record).err());
                records.push(record.bytes.to_vec());
            }
            Ok(None) => return (records, damages),
            Err(damage) => damages.push(damage),
        }
    }
    panic!("the reader does not end");
}

/// The only damage of a file.
fn damage(file: &[u8]) -> Damage {
    let (_, mut damages) = all(file);
    assert_eq!(damages.len(), 1, "{damages:?}");
    damages.remove(0)
}

/// Records of many lengths, some longer than a block.
fn long_and_short() -> Vec<Vec<u8>> {
    let like = of_interval(1.0).remove(0);
    let record = |length: usize| {
        let mut record = like[..28].to_vec();
        record.resize(length, 0xC1);
        record[..2].copy_from_slice(&(length as u16).to_be_bytes());
        (record[4], record[5]) = (0x1E, 200);
        record
    };
    [28, 32_752, 19, 100, 27_994, 27_930, 18, 60, 30_000, 30_000].map(record).to_vec()
}

fn spanned() -> Vec<u8> {
    let mut writer = Writer::new(Vec::new());
    long_and_short().iter().for_each(|record| writer.record(record).unwrap());
    writer.finish().unwrap()
}

/// The places of the descriptor words of records in a file with blocks.
fn words(file: &[u8]) -> Vec<usize> {
    let length = |at: usize| usize::from(u16::from_be_bytes([file[at], file[at + 1]]));
    let (mut at, mut end, mut found) = (0, 0, vec![]);
    while at < file.len() {
        if at == end {
            end = at + length(at);
            at += 4;
        } else {
            found.push(at);
            at += length(at);
        }
    }
    found
}

#[test]
fn spanned_records_are_put_together() {
    assert!(words(&spanned()).len() > long_and_short().len());
    assert_eq!(records_of(&spanned()), long_and_short());
}

#[test]
fn files_without_block_descriptor_words_are_read_too() {
    let records = records_of(&dump());
    let file = without_blocks(&records);
    assert_eq!(records_of(&file), records);
    let mut reader = Reader::new(&file[..]);
    reader.read_record().unwrap();
    assert_eq!(reader.framing(), Some(Framing::Records));
}

#[test]
fn segments_without_blocks_are_put_together() {
    let file = spanned();
    let at = words(&file);
    let length = |at: usize| usize::from(u16::from_be_bytes([file[at], file[at + 1]]));
    let segments: Vec<u8> = at.iter().flat_map(|at| file[*at..at + length(*at)].to_vec()).collect();
    assert_eq!(records_of(&segments), long_and_short());
}

#[test]
fn large_blocks_are_read() {
    let records = records_of(&dump());
    let data = without_blocks(&records);
    let mut file = (0x8000_0000 | (data.len() + 4) as u32).to_be_bytes().to_vec();
    file.extend(&data);
    assert_eq!(records_of(&file), records);
}

#[test]
fn a_record_has_its_place_and_its_number() {
    let file = spanned();
    let (mut reader, mut number) = (Reader::new(&file[..]), 0);
    while let Some(record) = reader.read_record().unwrap() {
        number += 1;
        assert_eq!(record.number, number);
        assert_eq!(file[record.place as usize + 4], 0x1E, "its header follows its descriptor word");
    }
    assert_eq!((number, reader.place()), (10, file.len() as u64));
}

#[test]
fn a_file_that_comes_in_drops_is_read_alike() {
    struct Drops<'a>(&'a [u8]);
    impl std::io::Read for Drops<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
            let count = self.0.len().min(7).min(buffer.len());
            buffer[..count].copy_from_slice(&self.0[..count]);
            self.0 = &self.0[count..];
            Ok(count)
        }
    }
    let file = spanned();
    let (mut reader, mut records) = (Reader::new(Drops(&file)), vec![]);
    while let Some(record) = reader.read_record().unwrap() {
        records.push(record.bytes.to_vec());
    }
    assert_eq!(records, long_and_short());
}

#[test]
fn the_contents_of_a_file_are_counted_by_type_and_system() {
    let file = dump();
    let (mut reader, mut contents) = (Reader::new(&file[..]), Contents::default());
    while let Some(record) = reader.read_record().unwrap() {
        contents.take(&record);
    }
    let kinds: Vec<_> = contents.kinds().map(|kind| (kind.code, kind.counts.records, kind.counts.rmf)).collect();
    assert_eq!(kinds, [(70, 1), (72, 5), (74, 1), (77, 1), (78, 3)].map(|code| (code, 3, 3)));
    assert_eq!((contents.records(), contents.systems.len()), (15, 1));
    assert_eq!(contents.systems[0].name(), "SYSA");
    assert_eq!(contents.systems[0].span.1.to_string(), "2026-02-02 10:45:00");
}

/// The same bytes after a translation from EBCDIC to ASCII.
fn translated(file: &[u8]) -> Vec<u8> {
    let text = records::binary::CodePage::Ibm1047.text(file);
    text.chars().map(|char| if u32::from(char) < 0x80 { char as u8 } else { b'?' }).collect()
}

fn with_line_ends(records: &[Vec<u8>]) -> Vec<u8> {
    records.iter().flat_map(|record| [record.as_slice(), b"\n"].concat()).collect()
}

/// The start of the header of a tersed data set with records of up to 32,756 bytes.
const TERSED: [u8; 16] = [5, 1, 0x7F, 0xF4, 0, 0, 0x7F, 0xF8, 0, 0, 0x7F, 0xF4, 0x12, 0x34, 0x56, 0x78];

/// The statement of the only damage of a file.
fn says(file: &[u8]) -> String {
    damage(file).what
}

#[test]
fn what_happened_on_the_way_is_named() {
    let (dump, records) = (dump(), records_of(&dump()));
    let without_words: Vec<u8> = records.iter().flat_map(|record| record[4..].to_vec()).collect();
    assert_eq!(says(b""), "the file is empty");
    assert_eq!(says(&[0, 24, 0]), "the file has 3 bytes and no record");
    assert_eq!(says(b"\x1F\x8B\x08\x00 and more"), "the file is compressed by gzip");
    assert_eq!(says(b"PK\x03\x04 and more"), "the file is a zip archive");
    assert_eq!(says(&TERSED), "the file is packed by AMATERSE");
    assert_eq!(says(&without_words), "the file has lost its descriptor words");
    assert_eq!(says(&translated(&dump)), "the file was translated to ASCII");
    assert_eq!(says(&translated(&without_words)), "the file was translated to ASCII");
    assert_eq!(says(&vec![0; 5_000]), "the file is no SMF dump");
    assert_eq!(says(&vec![0x40; 5_000]), "the file is no SMF dump");
    assert_eq!(says(b"//JOB CARD\nnot a dump at all, but text of many blanks"), "the file was translated to ASCII");
    assert_eq!(says(&with_line_ends(&records)), "a line end separates two records");
    let with_crs: Vec<u8> = records.iter().flat_map(|record| [record.as_slice(), b"\r\n"].concat()).collect();
    assert_eq!(says(&with_crs), "a line end separates two records");
    let mixed = [records[0].as_slice(), &records[1][4..]].concat();
    assert_eq!(says(&mixed), "a record has no descriptor word");
}

#[test]
fn damage_of_the_descriptor_words_is_named() {
    let (file, at) = (dump(), words(&dump()));
    let with = |place: usize, bytes: &[u8]| {
        let mut file = file.clone();
        file[place..place + bytes.len()].copy_from_slice(bytes);
        file
    };
    assert_eq!(says(&with(at[3], &[0, 0])), "there is no descriptor word where one is due");
    assert_eq!(says(&with(at[3], &[0x90, 0])), "a record of 36864 bytes is announced");
    let left = file.len() - at[3];
    let what = format!("a record of 32000 bytes is announced where its block has {left} left");
    assert_eq!(says(&with(at[3], &[0x7D, 0])), what);
    assert_eq!(says(&with(at[3] + 2, &[7])), "there is no descriptor word where one is due");
    let cut = &file[..file.len() - 5];
    assert_eq!(says(cut), "the file is cut short: at least 5 bytes are missing");
    assert_eq!(says(&file[..at[2] + 2]), "the file is cut short: at least 2 bytes are missing");
    let records = without_blocks(&records_of(&file));
    assert_eq!(says(&records[..records.len() - 9]), "the file is cut short: at least 9 bytes are missing");
    let one_more = [file.as_slice(), &[0, 9]].concat();
    assert_eq!(says(&one_more), "the file is cut short: at least 2 bytes are missing");
}

#[test]
fn damage_of_one_record_leaves_the_others() {
    let (file, at) = (dump(), words(&dump()));
    let whole = records_of(&file);
    // Date, time and system; triplets and interval of a record of RMF.
    let product = at[0] + 28 + 8 * 9;
    let damages = [
        (at[0] + 13, 0x00, "a record has no standard header"),
        (at[0] + 6, 0x7F, "a record has no standard header"),
        (at[0] + 15, 0x00, "a record has no standard header"),
        (at[0] + 24, 0x70, "record 70 subtype 1 announces 28681 triplets and has 1368 bytes"),
        (at[0] + 44, 0x70, "record 70 subtype 1 has 1368 bytes, and its triplet 3 locates sections from 1879048800"),
        (at[0] + 33, 0x10, "record 70 subtype 1 has no product section of RMF"),
        (product + 13, 0x00, "record 70 subtype 1 has no interval"),
    ];
    for (place, byte, what) in damages {
        let mut file = file.clone();
        file[place] = byte;
        let (records, damages) = all(&file);
        assert!(damages[0].what.starts_with(what), "{:?}", damages[0]);
        assert_eq!((damages.len(), damages[0].place), (1, Some((at[0] as u64, 1))));
        assert_eq!(records[records.len() - 14..], whole[1..]);
    }
}

#[test]
fn segments_out_of_order_are_named_and_the_next_record_is_read() {
    let (file, at) = (spanned(), words(&spanned()));
    let segments: Vec<u8> = at.iter().map(|at| file[at + 2]).collect();
    let first = segments.iter().position(|segment| *segment == 1).unwrap();
    let last = first + segments[first..].iter().position(|segment| *segment == 2).unwrap();
    let with = |place: usize, segment: u8| {
        let mut file = file.clone();
        file[at[place] + 2] = segment;
        all(&file)
    };
    let (records, damages) = with(last, 0);
    assert_eq!(damages[0].what, "a record starts before the spanned record before it has its last segment");
    assert!(records.len() >= 8, "{}", records.len());
    let (records, damages) = with(first, 3);
    assert_eq!(damages[0].what, "a segment continues a record that did not start");
    assert_eq!((records.len(), damages.len()), (9, 1));
}

#[test]
fn a_last_segment_that_is_missing_at_the_end_is_named() {
    let records = long_and_short();
    let mut file = without_blocks(&records[..3]);
    let at = file.len();
    file.extend(&records[3]);
    file[at + 2] = 1;
    assert_eq!(says(&file), "the last segment of a spanned record is missing at the end of the file");
}

#[test]
fn a_spanned_record_that_is_too_long_is_named() {
    let mut segment = long_and_short()[1].clone();
    segment[2] = 1;
    let mut rest = segment.clone();
    rest[2] = 2;
    let file =
        [without_blocks(&long_and_short()[..1]), segment, rest, without_blocks(&long_and_short()[3..4])].concat();
    let (records, damages) = all(&file);
    assert_eq!(damages[0].what, "a spanned record has more than 32760 bytes");
    assert_eq!((records.len(), damages.len()), (2, 1));
}

#[test]
fn every_damage_has_a_remedy() {
    let records = records_of(&dump());
    let mut cut = dump();
    cut.truncate(cut.len() - 1);
    for file in [vec![], TERSED.to_vec(), with_line_ends(&records), translated(&dump()), cut, vec![9; 300]] {
        let damage = damage(&file);
        assert!(!damage.remedy.is_empty(), "{damage:?}");
        let problem = damage.problem("DAY.SMF").to_string();
        assert!(problem.starts_with("DAY.SMF: "), "{problem}");
    }
}

#[test]
fn a_dump_with_damaged_records_gives_the_others_and_says_which_were_skipped() {
    let (mut damaged, at) = (dump(), words(&dump()));
    damaged[at[1] + 13] = 0;
    let mut file = File::default();
    file.take("DAY.SMF", &damaged[..]).unwrap();
    let mut intervals: Vec<Interval> = vec![];
    let notes = file.end(&mut intervals);
    assert_eq!((file.contents.records(), intervals.len(), notes.len()), (14, 3, 1));
    let place = format!("DAY.SMF: a record has no standard header (byte {}, record 2)", at[1]);
    assert!(notes[0].starts_with(&place) && notes[0].ends_with(": skipped"), "{}", notes[0]);
}

#[test]
fn a_dump_whose_descriptor_words_are_damaged_is_refused() {
    let mut file = File::default();
    let damage = file.take("DAY.SMF", &dump()[..4_000]).unwrap_err();
    assert!(damage.what.starts_with("the file is cut short"), "{damage:?}");
}

#[test]
fn an_interval_is_given_away_with_its_last_record_whatever_the_order_of_records() {
    let mut records = records_of(&dump());
    for turn in 0..records.len() {
        let file = without_blocks(&records);
        let (mut reader, mut ends) = (Reader::new(&file[..]), Ends::default());
        while let Some(record) = reader.read_record().unwrap() {
            ends.take(&record);
        }
        let (mut reader, mut intervals) = (Reader::new(&file[..]), Intervals::ending(ends));
        let (mut given, mut early): (Vec<Interval>, usize) = (vec![], 0);
        while let Some(record) = reader.read_record().unwrap() {
            early = given.len();
            intervals.take(&record).unwrap();
            intervals.pass_on(&mut given);
        }
        let notices = intervals.finish_into(&mut vec![]);
        let whole = read(&file);
        assert_eq!(
            format!("{given:?}"),
            format!("{:?}", whole.intervals),
            "as text, since nothing equals what is unknown"
        );
        assert_eq!(notices, whole.notices);
        assert!(turn > 0 || early == 2, "of three intervals two end before the last record: {early}");
        records.rotate_left(1);
    }
}
