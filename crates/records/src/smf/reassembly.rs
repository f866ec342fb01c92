//! Records that RMF split because they had been too long: the parts are put together again, and records are split.

use super::framing::LONGEST;
use super::layout::{PRODUCT, area, block, product};
use super::rmf::{Rmf, TRIPLET, TRIPLETS, Triplet};
use crate::Damage;
use std::collections::BTreeMap;

/// The longest record that is written: LRECL of SMF data sets less 4 (z/OS MVS System Management Facilities).
const LONGEST_WRITTEN: usize = 32_752;
/// Records of which parts may be missing at a time.
const OPEN: usize = 64;
/// The longest record that is put together.
const JOINED: usize = 1 << 24;

const REMEDY: &str = "read the whole dump: parts of a record follow each other where RMF wrote them";

/// What parts of one record have in common: system, type, subtype, and product section without its reassembly fields.
type Name = ([u8; 4], u8, u16, Vec<u8>);

/// A part: sections of each kind, and from which position on.
#[derive(Clone, Debug)]
struct Part {
    number: u64,
    bytes: Vec<u8>,
}

/// Parts of split records, until all of a record are there.
#[derive(Clone, Debug, Default)]
pub struct Reassembly {
    open: BTreeMap<Name, Vec<Part>>,
}

/// The result of taking in a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Assembled {
    /// It was not split.
    Whole,
    /// It is a part of a record of which others are missing.
    Part,
    /// It is the last part that was missing, of this record.
    Record(Vec<u8>),
}

impl Reassembly {
    /// Takes in a record; parts of one are put together when all are there, in whatever order they come.
    ///
    /// # Errors
    ///
    /// Damage without a place: a part that contradicts itself or others.
    pub fn take(&mut self, record: &Rmf) -> Result<Assembled, Damage> {
        let product = record.product();
        if product::SMFRAN.number(product).unwrap_or(0) == 0 {
            return Ok(Assembled::Whole);
        }
        let split = Split::of(record)?;
        let name = name(record);
        if self.open.len() >= OPEN && !self.open.contains_key(&name) {
            return Err(wrong("parts of more than 64 split records are incomplete at a time").remedy(REMEDY));
        }
        let parts = self.open.entry(name.clone()).or_default();
        if parts.iter().any(|part| part.number == split.number) {
            return Err(wrong(&format!("part {} of a split record is there twice", split.number)).remedy(REMEDY));
        }
        let bytes: usize = parts.iter().map(|part| part.bytes.len()).sum();
        if bytes + record.bytes.len() > JOINED {
            return Err(wrong(&format!("a split record has more than {JOINED} bytes")));
        }
        parts.push(Part { number: split.number, bytes: record.bytes.to_vec() });
        if (parts.len() as u64) < split.parts {
            return Ok(Assembled::Part);
        }
        let mut parts = self.open.remove(&name).unwrap_or_default();
        parts.sort_by_key(|part| part.number);
        join(record, &parts).map(Assembled::Record)
    }

    /// How many records lack parts.
    pub fn incomplete(&self) -> usize {
        self.open.len()
    }
}

/// The reassembly area of a part.
struct Split<'a> {
    parts: u64,
    number: u64,
    blocks: std::slice::ChunksExact<'a, u8>,
    /// The triplet that the first block is about.
    first: usize,
}

impl<'a> Split<'a> {
    fn of(record: &Rmf<'a>) -> Result<Self, Damage> {
        let product = record.product();
        let number = |field: crate::binary::Field, bytes| field.number(bytes).unwrap_or(0) as usize;
        let start = record.triplet(PRODUCT.triplet).offset + number(product::SMFRAO, product);
        let area = record.bytes.get(start..).filter(|area| area.len() >= area::LAYOUT.length);
        let area = area.ok_or_else(|| wrong("the reassembly area of a split record lies outside of it"))?;
        let (parts, own) = (number(area::SMFRBR, area), number(area::SMFRSQ, area));
        if own == 0 || own > parts {
            return Err(wrong(&format!("a split record says that it is part {own} of {parts}")));
        }
        let (from, length, blocks) =
            (number(area::SMFRIO, area), number(area::SMFRIL, area), number(area::SMFRIN, area));
        let first = record.triplets().checked_sub(blocks).filter(|first| *first <= 1);
        let bytes = area.get(from..from.saturating_add(length * blocks));
        match (first, bytes) {
            (Some(first), Some(bytes)) if length >= block::LAYOUT.length => {
                Ok(Split { parts: parts as u64, number: own as u64, blocks: bytes.chunks_exact(length), first })
            }
            _ => Err(wrong(&format!(
                "a split record has {} triplets, and {blocks} reassembly blocks of {length} bytes",
                record.triplets()
            ))),
        }
    }

    /// For each triplet after that of the product section, how many sections the record had, and where those here start.
    fn kinds(self) -> impl Iterator<Item = (usize, usize, usize)> {
        let number = |field: crate::binary::Field, bytes| field.number(bytes).unwrap_or(0) as usize;
        let kinds = self.blocks.map(move |bytes| (number(block::SMFRNN, bytes), number(block::SMFRPP, bytes)));
        (self.first..).zip(kinds).filter(|(triplet, _)| *triplet > 0).map(|(triplet, (all, at))| (triplet, all, at))
    }
}

fn wrong(what: &str) -> Damage {
    Damage::new(what).because("RMF splits records that are too long, and says in each part which it is")
}

fn name(record: &Rmf) -> Name {
    let mut product = record.product().to_vec();
    for field in [product::SMFRAO, product::SMFRAL, product::SMFRAN] {
        if product.len() >= field.since() {
            field.put(&mut product, 0);
        }
    }
    (record.header.system, record.header.kind, record.header.subtype.unwrap_or(0), product)
}

/// The sections of a kind while they are put together.
#[derive(Clone, Debug, Default)]
struct Sections {
    length: usize,
    all: usize,
    found: BTreeMap<usize, Vec<u8>>,
}

fn join(first: &Rmf, parts: &[Part]) -> Result<Vec<u8>, Damage> {
    let mut kinds = vec![Sections::default(); first.triplets()];
    for part in parts {
        let record = Rmf::of(first.header, &part.bytes)?;
        if record.triplets() != kinds.len() {
            return Err(wrong("parts of a split record have different numbers of triplets"));
        }
        for (triplet, all, at) in Split::of(&record)?.kinds() {
            let (kind, length) = (&mut kinds[triplet], record.triplet(triplet).length);
            kind.all = kind.all.max(all);
            for (place, section) in record.sections_of(triplet).enumerate() {
                kind.length = kind.length.max(length);
                kind.found.insert(at.max(1) + place, section.to_vec());
            }
        }
    }
    let missing = kinds.iter().any(|kind| kind.found.len() < kind.all);
    let uneven = kinds.iter().any(|kind| kind.found.values().any(|section| section.len() != kind.length));
    let many = kinds.iter().any(|kind| kind.found.len() > usize::from(u16::MAX));
    if missing || uneven || many {
        return Err(wrong("the parts of a split record lack some of its sections").remedy(REMEDY));
    }
    let mut product = first.product().to_vec();
    for field in [product::SMFRAO, product::SMFRAL, product::SMFRAN] {
        field.put(&mut product, 0);
    }
    let sections = kinds.into_iter().skip(1).map(|kind| (kind.length, kind.found.into_values().collect()));
    Ok(build(first, &product, sections.collect()))
}

/// A record of the header of another: product section, then sections of each kind, located by triplets.
fn build(like: &Rmf, product: &[u8], kinds: Vec<(usize, Vec<Vec<u8>>)>) -> Vec<u8> {
    let mut record = like.bytes[..TRIPLETS].to_vec();
    record.resize(TRIPLETS + TRIPLET * (kinds.len() + 1), 0);
    let put = |record: &mut Vec<u8>, place: usize, length: usize, sections: &[Vec<u8>]| {
        if sections.is_empty() {
            return;
        }
        let triplet = Triplet { offset: record.len(), length, number: sections.len() };
        let at = TRIPLETS + TRIPLET * place;
        record[at..at + TRIPLET].copy_from_slice(&triplet.bytes());
        sections.iter().for_each(|section| record.extend_from_slice(section));
    };
    put(&mut record, 0, product.len(), &[product.to_vec()]);
    for (place, (length, sections)) in (1..).zip(kinds) {
        put(&mut record, place, length, &sections);
    }
    // 0 where the word has no room for it, as IBM's own reassembly leaves it (IBM SMF Explorer, SMFxxLEN).
    let length = u16::try_from(record.len()).unwrap_or(0);
    record[..2].copy_from_slice(&length.to_be_bytes());
    record
}

/// A record as RMF would write it: whole where it is short enough, else in parts with a reassembly area each.
pub fn split(record: &Rmf) -> Vec<Vec<u8>> {
    split_to(record, LONGEST_WRITTEN)
}

/// The same with another limit, which a test can reach.
///
/// # Panics
///
/// When the limit leaves no room for a section of each kind, or the product section has no reassembly fields.
pub fn split_to(record: &Rmf, longest: usize) -> Vec<Vec<u8>> {
    assert!(longest <= LONGEST, "no record is longer");
    if record.bytes.len() <= longest {
        return vec![record.bytes.to_vec()];
    }
    let kinds: Vec<Vec<Vec<u8>>> =
        (1..record.triplets()).map(|place| record.sections_of(place).map(<[u8]>::to_vec).collect()).collect();
    let area = area::LAYOUT.length + block::LAYOUT.length * kinds.len();
    let fixed = TRIPLETS + TRIPLET * record.triplets() + record.product().len() + area;
    let mut parts: Vec<Vec<(usize, Vec<Vec<u8>>)>> = vec![];
    let mut room = 0;
    for (kind, sections) in kinds.iter().enumerate() {
        for (position, section) in sections.iter().enumerate() {
            if room < section.len() {
                parts.push(vec![(1, vec![]); kinds.len()]);
                room = longest.checked_sub(fixed).expect("room for a section");
                assert!(room >= section.len(), "room for a section");
            }
            room -= section.len();
            let part = parts.last_mut().expect("a part was started");
            if part[kind].1.is_empty() {
                part[kind].0 = position + 1;
            }
            part[kind].1.push(section.clone());
        }
    }
    let count = parts.len();
    let numbered = parts.into_iter().enumerate();
    numbered.map(|(place, part)| part_of(record, &kinds, (place + 1, count), part)).collect()
}

fn part_of(
    record: &Rmf,
    kinds: &[Vec<Vec<u8>>],
    (number, count): (usize, usize),
    part: Vec<(usize, Vec<Vec<u8>>)>,
) -> Vec<u8> {
    let mut product = record.product().to_vec();
    let length = area::LAYOUT.length + block::LAYOUT.length * kinds.len();
    let mut reassembly = vec![0; area::LAYOUT.length];
    area::SMFRBR.put(&mut reassembly, count as u64);
    area::SMFRSQ.put(&mut reassembly, number as u64);
    area::SMFRIO.put(&mut reassembly, area::LAYOUT.length as u64);
    area::SMFRIL.put(&mut reassembly, block::LAYOUT.length as u64);
    area::SMFRIN.put(&mut reassembly, kinds.len() as u64);
    for (sections, (position, _)) in kinds.iter().zip(&part) {
        let mut bytes = [0; 4];
        block::SMFRNN.put(&mut bytes, sections.len() as u64);
        block::SMFRPP.put(&mut bytes, *position as u64);
        reassembly.extend_from_slice(&bytes);
    }
    let lengths = (1..).map(|place| record.triplet(place).length);
    let sections: Vec<_> = lengths.zip(part).map(|(length, (_, sections))| (length, sections)).collect();
    let data: usize = sections.iter().map(|(length, sections)| length * sections.len()).sum();
    product::SMFRAO.put(&mut product, (record.product().len() + data) as u64);
    product::SMFRAL.put(&mut product, length as u64);
    product::SMFRAN.put(&mut product, 1);
    let mut bytes = build(record, &product, sections);
    bytes.extend_from_slice(&reassembly);
    let length = (bytes.len() as u16).to_be_bytes();
    bytes[..2].copy_from_slice(&length);
    bytes
}
