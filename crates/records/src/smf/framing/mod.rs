//! Records out of a file as it was transferred: with block and record descriptor words, or with record descriptor words
//! alone; segments of spanned records are put together.

mod accident;
mod detect;
mod reader;
mod writer;

pub(crate) use accident::was_dump;
pub(crate) use detect::is_dump;
pub use reader::{Reader, Record};
pub use writer::Writer;

/// Bytes of a descriptor word.
pub const WORD: usize = 4;
/// The longest block and record that are accepted: LRECL and BLKSIZE of SMF data sets go up to it.
pub const LONGEST: usize = 32_760;

/// Which descriptor words a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Framing {
    /// Blocks with their descriptor words, and in them records with theirs.
    Blocks,
    /// Records with their descriptor words.
    Records,
}

impl Framing {
    /// The words for it.
    pub const fn words(self) -> &'static str {
        match self {
            Framing::Blocks => "block and record descriptor words",
            Framing::Records => "record descriptor words",
        }
    }
}

/// Which part of a record a segment is (z/OS DFSMS Using Data Sets, Segment Descriptor Word).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Segment {
    Whole,
    First,
    Last,
    Middle,
}

/// A record descriptor word: bytes that follow and the word itself, and which segment they are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Descriptor {
    pub(super) length: usize,
    pub(super) segment: Segment,
}

impl Descriptor {
    /// The descriptor word at the start of some bytes; nothing where there is none.
    #[inline]
    pub(super) fn read(bytes: &[u8]) -> Option<Descriptor> {
        let word: &[u8; WORD] = bytes.get(..WORD)?.try_into().ok()?;
        let segment = match (word[2], word[3]) {
            (0, 0) => Segment::Whole,
            (1, 0) => Segment::First,
            (2, 0) => Segment::Last,
            (3, 0) => Segment::Middle,
            _ => return None,
        };
        let length = usize::from(u16::from_be_bytes([word[0], word[1]]));
        (length > WORD).then_some(Descriptor { length, segment })
    }

    /// The word.
    pub(super) fn word(self) -> [u8; WORD] {
        let [high, low] = (self.length as u16).to_be_bytes();
        let segment = match self.segment {
            Segment::Whole => 0,
            Segment::First => 1,
            Segment::Last => 2,
            Segment::Middle => 3,
        };
        [high, low, segment, 0]
    }
}

/// The length of a block from its descriptor word; nothing where there is none. Bit 0 marks the large form of 31 bits.
pub(super) fn block_length(bytes: &[u8]) -> Option<u64> {
    let word: [u8; WORD] = bytes.get(..WORD)?.try_into().ok()?;
    let number = u32::from_be_bytes(word);
    let length = if number >> 31 == 1 {
        u64::from(number & 0x7FFF_FFFF)
    } else if number & 0xFFFF == 0 {
        u64::from(number >> 16)
    } else {
        return None;
    };
    (length > 2 * WORD as u64).then_some(length)
}
