//! Accidents of a file on its way from z/OS, each with its remedy.

use crate::Damage;
use crate::smf::Header;

/// How an SMF file is to be transferred.
pub(super) const TRANSFER: &str =
    "transfer the dump in binary with its descriptor words: in FTP `quote site rdw` and `binary` before `get`";

/// Damage of a file that is packed.
pub(super) fn packed(head: &[u8]) -> Option<Damage> {
    let starts = |magic: &[u8]| head.starts_with(magic);
    if head.is_empty() {
        return Some(Damage::new("the file is empty").because("an SMF dump has records").remedy(TRANSFER));
    }
    if starts(b"\x1F\x8B") {
        return Some(
            Damage::new("the file is compressed by gzip").at(0, 0).remedy("unpack it with `gunzip`, then read it"),
        );
    }
    if starts(b"PK\x03\x04") {
        return Some(Damage::new("the file is a zip archive").at(0, 0).remedy("unpack it with `unzip`, then read it"));
    }
    terse(head).then(|| {
        Damage::new("the file is packed by AMATERSE")
            .at(0, 0)
            .because("it starts with the header of a tersed data set")
            .remedy("unpack it on z/OS (AMATERSE with PARM=UNPACK) and transfer it in binary with its descriptor words, or run `tersedecompress FILE OUT -b` here")
    })
}

/// Whether bytes start with the 12-byte header of a tersed data set: version, form and length of records, flags, ratio,
/// block size, length again (tersedecompress, TerseHeader).
fn terse(head: &[u8]) -> bool {
    let Some(head) = head.get(..12) else { return false };
    let short = u32::from(u16::from_be_bytes([head[2], head[3]]));
    let long = u32::from_be_bytes([head[8], head[9], head[10], head[11]]);
    let version = matches!(head[0], 0x02 | 0x05);
    version && head[1] <= 1 && short.max(long) > 0 && (short == long || short == 0 || long == 0)
}

/// Whether bytes are of a dump that has lost its descriptor words, or of one whose first record is damaged: two words
/// follow each other.
pub(crate) fn was_dump(head: &[u8]) -> bool {
    let follows = |at: usize| {
        let next = at + super::Descriptor::read(head.get(at..)?)?.length;
        super::Descriptor::read(head.get(next..)?).map(|word| word.length)
    };
    let long_enough = |at: usize| follows(at).is_some_and(|length| length >= Header::SHORT);
    starts_with_header(head) || long_enough(0) || super::block_length(head).is_some() && long_enough(super::WORD)
}

/// Damage of a file in which no descriptor words lead to a record.
pub(super) fn unframed(head: &[u8], ends: bool) -> Damage {
    if starts_with_header(head) {
        return Damage::new("the file has lost its descriptor words")
            .at(0, 1)
            .because("it starts with the header of a record and not with the word that says how long the record is")
            .remedy(TRANSFER);
    }
    if is_text(head) {
        return Damage::new("the file was translated to ASCII")
            .at(0, 0)
            .because("names and blanks in it are those of ASCII, which leaves no number intact")
            .remedy(TRANSFER);
    }
    if ends && head.len() < super::WORD + Header::SHORT {
        return Damage::new(format!("the file has {} bytes and no record", head.len()))
            .at(0, 0)
            .because("the shortest SMF record has 18 bytes")
            .remedy(TRANSFER);
    }
    Damage::new("the file is no SMF dump")
        .at(0, 0)
        .because("no block or record descriptor word at its start leads to a record with a date, a time and a system")
        .remedy(TRANSFER)
}

/// Damage where a descriptor word is due and none is.
pub(super) fn no_word(rest: &[u8]) -> Damage {
    let line_ends = rest.iter().take(2).take_while(|byte| matches!(byte, b'\n' | b'\r')).count();
    if line_ends > 0 && follows_record(&rest[line_ends..]) {
        return Damage::new("a line end separates two records")
            .because("the file was written as lines of text: a line end was added to each record")
            .remedy(TRANSFER);
    }
    if starts_with_header(rest) {
        return Damage::new("a record has no descriptor word").remedy(TRANSFER);
    }
    Damage::new("there is no descriptor word where one is due")
        .because("a record starts with its length and 0, or with its length and which segment it is")
        .remedy("transfer the file again in binary, and compare its size with that on z/OS")
}

/// Whether bytes, with or without block descriptor word, start with a record.
fn follows_record(bytes: &[u8]) -> bool {
    let record = |bytes: &[u8]| super::Descriptor::read(bytes).is_some() && Header::read(bytes).is_some();
    record(bytes) || bytes.get(super::WORD..).is_some_and(record)
}

/// Whether bytes start with a standard header without descriptor word.
fn starts_with_header(bytes: &[u8]) -> bool {
    let mut record = [0; Header::SHORT];
    let Some(head) = bytes.get(..Header::SHORT - super::WORD) else { return false };
    record[super::WORD..].copy_from_slice(head);
    Header::read(&record).is_some()
}

/// Whether the blanks and names of RMF in it are those of ASCII.
fn is_text(head: &[u8]) -> bool {
    let contains = |name: &[u8]| head.windows(name.len()).any(|window| window == name);
    let count = |byte: u8| head.iter().filter(|other| **other == byte).count();
    contains(b"RMF ") || contains(b"SMF") || count(b' ') > 4 * count(0x40) && count(b' ') > head.len() / 50
}
