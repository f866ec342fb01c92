//! A record of RMF: its product section, and the sections that the triplets of its header locate.

use super::header::Header;
use super::layout::{Located, PRODUCT, header, product};
use super::time;
use crate::Damage;
use crate::binary::Clock;

/// Where the first triplet is: offset, length and number of the product sections.
pub(super) const TRIPLETS: usize = 28;
/// Bytes of a triplet.
pub(super) const TRIPLET: usize = 8;

/// Where the sections of a kind are in a record.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Triplet {
    /// The first one's offset, from the record descriptor word.
    pub offset: usize,
    /// The length of each.
    pub length: usize,
    /// How many there are.
    pub number: usize,
}

impl Triplet {
    /// The triplet at a place of a record; nothing where the record ends before it.
    fn read(record: &[u8], place: usize) -> Option<Triplet> {
        let bytes: &[u8; TRIPLET] = record.get(place..place + TRIPLET)?.try_into().ok()?;
        let [a, b, c, d, e, f, g, h] = *bytes;
        Some(Triplet {
            offset: u32::from_be_bytes([a, b, c, d]) as usize,
            length: usize::from(u16::from_be_bytes([e, f])),
            number: usize::from(u16::from_be_bytes([g, h])),
        })
    }

    /// Whether there are sections; any field of 0 says that there are none (IBM, Header/self-defining section).
    pub fn is_none(self) -> bool {
        self.offset == 0 || self.length == 0 || self.number == 0
    }

    /// The end of the last section.
    fn end(self) -> usize {
        self.offset.saturating_add(self.length * self.number)
    }

    pub(super) fn bytes(self) -> [u8; TRIPLET] {
        let [a, b, c, d] = (self.offset as u32).to_be_bytes();
        let ([e, f], [g, h]) = ((self.length as u16).to_be_bytes(), (self.number as u16).to_be_bytes());
        [a, b, c, d, e, f, g, h]
    }
}

/// A record of RMF whose sections all lie within it.
#[derive(Clone, Copy, Debug)]
pub struct Rmf<'a> {
    /// The standard header.
    pub header: Header,
    /// All of its bytes.
    pub bytes: &'a [u8],
    triplets: usize,
}

impl<'a> Rmf<'a> {
    /// The record in some bytes.
    ///
    /// # Errors
    ///
    /// Damage without a place: sections that lie outside of the record, a record without a product section.
    pub fn of(header: Header, bytes: &'a [u8]) -> Result<Self, Damage> {
        let announced = header::SMFTRN.number(bytes).unwrap_or(0) as usize;
        let name = format!("record {} subtype {}", header.kind, header.subtype.unwrap_or(0));
        let damage = |what: String| {
            let remedy = "leave the record out with IFASMFDP, or transfer the file again in binary";
            Err(Damage::new(format!("{name} {what}")).remedy(remedy))
        };
        if announced == 0 || TRIPLETS + TRIPLET * announced > bytes.len() {
            return damage(format!("announces {announced} triplets and has {} bytes", bytes.len()));
        }
        let record = Rmf { header, bytes, triplets: announced };
        for place in 0..announced {
            let triplet = record.triplet(place);
            let first = TRIPLETS + TRIPLET * announced;
            if !triplet.is_none() && (triplet.end() > bytes.len() || triplet.offset < first) {
                return damage(format!(
                    "has {} bytes, and its triplet {} locates sections from {} to {}",
                    bytes.len(),
                    place + 1,
                    triplet.offset,
                    triplet.end()
                ));
            }
        }
        if record.product().len() < product::SMFCYC.since() {
            return damage("has no product section of RMF".into());
        }
        Ok(record)
    }

    /// How many triplets the header has.
    pub fn triplets(&self) -> usize {
        self.triplets
    }

    /// The triplet of this number, from 0; one without sections where the header has fewer.
    pub fn triplet(&self, place: usize) -> Triplet {
        let of_header = (place < self.triplets).then(|| Triplet::read(self.bytes, TRIPLETS + TRIPLET * place));
        of_header.flatten().unwrap_or_default()
    }

    /// The sections that the triplet of this number locates.
    pub fn sections_of(&self, place: usize) -> std::slice::ChunksExact<'a, u8> {
        let triplet = self.triplet(place);
        let bytes = if triplet.is_none() { &[] } else { &self.bytes[triplet.offset..triplet.end()] };
        bytes.chunks_exact(triplet.length.max(1))
    }

    /// The sections of a kind.
    pub fn sections(&self, located: &Located) -> std::slice::ChunksExact<'a, u8> {
        self.sections_of(located.triplet)
    }

    /// Whether some of these bytes are of a section that a triplet locates, or of the header.
    pub(super) fn locates(&self, bytes: std::ops::Range<usize>) -> bool {
        let mut triplets = (0..self.triplets).map(|place| self.triplet(place)).filter(|triplet| !triplet.is_none());
        bytes.start < TRIPLETS + TRIPLET * self.triplets
            || triplets.any(|taken| taken.offset < bytes.end && bytes.start < taken.end())
    }

    /// The product section.
    pub fn product(&self) -> &'a [u8] {
        self.sections(&PRODUCT).next().unwrap_or_default()
    }

    /// When its interval started and how long it lasted, local; nothing where these are no times.
    pub fn interval(&self) -> Option<(Clock, i64)> {
        let product = self.product();
        let days = time::days(product::SMFDAT.bytes(product)?)?;
        let of_day = time::of_day(product::SMFIST.bytes(product)?)?;
        let length = time::length(product::SMFINT.bytes(product)?).filter(|length| *length > 0)?;
        Some((time::clock(days, of_day), length))
    }
}
