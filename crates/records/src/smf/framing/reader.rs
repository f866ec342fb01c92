//! Reads an SMF file record by record, in constant memory.

use super::accident;
use super::detect::detect;
use super::{Descriptor, Framing, LONGEST, Segment, WORD, block_length};
use crate::Damage;
use crate::smf::Header;
use std::io::{ErrorKind, Read};

/// Bytes that are read at a time, and that the framing is detected from.
const BUFFER: usize = 1 << 17;

/// A record and its place in the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Its header.
    pub header: Header,
    /// All of its bytes, the descriptor word first; that of a spanned record has the length of the whole.
    pub bytes: &'a [u8],
    /// Its first byte in the file, from 0.
    pub place: u64,
    /// Its number in the file, from 1.
    pub number: u64,
}

/// Whether segments of a record are being put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Spanned {
    No,
    /// Segments of a record that starts at this byte.
    From(u64),
    /// The rest of a record that is too long.
    Dropped,
}

/// An SMF file while it is read.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    framing: Option<Framing>,
    buffer: Box<[u8]>,
    /// Where the rest that is not read yet starts and ends in the buffer.
    next: usize,
    filled: usize,
    /// The place of `next` in the file.
    place: u64,
    block_end: u64,
    records: u64,
    spanned: Spanned,
    /// Segments so far.
    joined: Vec<u8>,
    ended: bool,
    lost: bool,
}

/// The next segment: where it is in the buffer, and where in the file.
struct Piece {
    descriptor: Descriptor,
    at: usize,
    place: u64,
}

impl<R: Read> Reader<R> {
    /// Starts to read at the first byte.
    pub fn new(input: R) -> Self {
        Reader {
            input,
            framing: None,
            buffer: vec![0; BUFFER].into_boxed_slice(),
            next: 0,
            filled: 0,
            place: 0,
            block_end: 0,
            records: 0,
            spanned: Spanned::No,
            joined: Vec::new(),
            ended: false,
            lost: false,
        }
    }

    /// Which descriptor words the file has; known after the first record.
    pub fn framing(&self) -> Option<Framing> {
        self.framing
    }

    /// How many bytes were read.
    pub fn place(&self) -> u64 {
        self.place
    }

    /// Whether descriptor words were damaged, so that no record after them can be found.
    pub fn is_lost(&self) -> bool {
        self.lost
    }

    /// The next record, nothing at the end of the file.
    ///
    /// # Errors
    ///
    /// Damage, with its place. After damage of one record the next call gives the record after it. After damage of the
    /// descriptor words the next call gives nothing.
    pub fn read_record(&mut self) -> Result<Option<Record<'_>>, Damage> {
        loop {
            let Some(piece) = self.piece()? else { return Ok(None) };
            if piece.descriptor.segment == Segment::Whole {
                self.records += 1;
                let bytes = &self.buffer[piece.at..piece.at + piece.descriptor.length];
                let header = header(bytes, piece.place, self.records)?;
                return Ok(Some(Record { header, bytes, place: piece.place, number: self.records }));
            }
            if let Some(place) = self.join(&piece)? {
                self.records += 1;
                let header = header(&self.joined, place, self.records)?;
                return Ok(Some(Record { header, bytes: &self.joined, place, number: self.records }));
            }
        }
    }

    /// The next segment or whole record, taken from the buffer.
    fn piece(&mut self) -> Result<Option<Piece>, Damage> {
        if self.ended {
            return Ok(None);
        }
        let framing = match self.framing {
            Some(framing) => framing,
            None => self.start()?,
        };
        if framing == Framing::Blocks && self.place == self.block_end && !self.block()? {
            return self.end();
        }
        let available = self.fill(WORD)?;
        if available == 0 {
            return if framing == Framing::Records { self.end() } else { Err(self.cut_short(self.block_end)) };
        }
        if available < WORD {
            return Err(self.cut_short(self.place + WORD as u64));
        }
        let descriptor = self.descriptor(framing)?;
        let place = self.place;
        if self.out_of_order(descriptor.segment) {
            return Err(self.unfinished(place));
        }
        if self.fill(descriptor.length)? < descriptor.length {
            return Err(self.cut_short(place + descriptor.length as u64));
        }
        let at = self.next;
        self.advance(descriptor.length);
        Ok(Some(Piece { descriptor, at, place }))
    }

    /// The descriptor word of the record that is next.
    fn descriptor(&mut self, framing: Framing) -> Result<Descriptor, Damage> {
        let rest = &self.buffer[self.next..self.filled];
        let Some(descriptor) = Descriptor::read(rest) else {
            let damage = accident::no_word(rest);
            return Err(self.stop(damage));
        };
        let length = descriptor.length;
        if length > LONGEST {
            let damage = Damage::new(format!("a record of {length} bytes is announced"))
                .because(format!("records of SMF have at most {LONGEST} bytes"))
                .remedy(accident::TRANSFER);
            return Err(self.stop(damage));
        }
        if framing == Framing::Blocks && self.place + length as u64 > self.block_end {
            let left = self.block_end - self.place;
            let damage =
                Damage::new(format!("a record of {length} bytes is announced where its block has {left} left"))
                    .because("segments end with their block")
                    .remedy(accident::TRANSFER);
            return Err(self.stop(damage));
        }
        Ok(descriptor)
    }

    /// Detects the framing.
    fn start(&mut self) -> Result<Framing, Damage> {
        let read = self.fill(BUFFER)?;
        match detect(&self.buffer[..read], read < BUFFER) {
            Ok(framing) => Ok(*self.framing.insert(framing)),
            Err(damage) => {
                (self.ended, self.lost) = (true, true);
                Err(damage)
            }
        }
    }

    /// Enters the next block; false at the end of the file.
    fn block(&mut self) -> Result<bool, Damage> {
        let available = self.fill(WORD)?;
        if available == 0 {
            return Ok(false);
        }
        if available < WORD {
            return Err(self.cut_short(self.place + WORD as u64));
        }
        let rest = &self.buffer[self.next..self.filled];
        let Some(length) = block_length(rest) else {
            let damage = accident::no_word(rest);
            return Err(self.stop(damage));
        };
        self.block_end = self.place + length;
        self.advance(WORD);
        Ok(true)
    }

    /// The end of the file: nothing, unless a spanned record lacks its last segment.
    fn end(&mut self) -> Result<Option<Piece>, Damage> {
        self.ended = true;
        if let Spanned::From(from) = self.spanned {
            let damage = Damage::new("the last segment of a spanned record is missing at the end of the file");
            return Err(damage.at(from, self.records + 1).remedy(accident::TRANSFER));
        }
        Ok(None)
    }

    /// Whether a segment cannot follow an unfinished record.
    fn out_of_order(&self, segment: Segment) -> bool {
        matches!(segment, Segment::Whole | Segment::First) && matches!(self.spanned, Spanned::From(_))
    }

    /// Forgets an unfinished record; the segment at hand is read by the next call.
    fn unfinished(&mut self, place: u64) -> Damage {
        self.spanned = Spanned::No;
        self.joined.clear();
        Damage::new("a record starts before the spanned record before it has its last segment")
            .at(place, self.records + 1)
            .because("segments are out of order, or one is missing; the unfinished record is skipped")
            .remedy("copy the dump on z/OS with IFASMFDP, which writes whole records")
    }

    /// Adds a segment; the place of the record when it is whole.
    fn join(&mut self, piece: &Piece) -> Result<Option<u64>, Damage> {
        let data = &self.buffer[piece.at + WORD..piece.at + piece.descriptor.length];
        let last = piece.descriptor.segment == Segment::Last;
        match (piece.descriptor.segment, self.spanned) {
            (Segment::First, _) => {
                self.joined.clear();
                self.joined.extend_from_slice(&[0; WORD]);
                self.spanned = Spanned::From(piece.place);
            }
            (_, Spanned::From(_)) => {}
            (_, Spanned::Dropped) => {
                self.spanned = if last { Spanned::No } else { Spanned::Dropped };
                return Ok(None);
            }
            (_, Spanned::No) => {
                let damage = Damage::new("a segment continues a record that did not start");
                let damage = damage.at(piece.place, self.records + 1).because("the first segment is missing");
                self.spanned = if last { Spanned::No } else { Spanned::Dropped };
                return Err(damage.remedy("copy the dump on z/OS with IFASMFDP, which writes whole records"));
            }
        }
        if self.joined.len() + data.len() > LONGEST {
            self.spanned = if last { Spanned::No } else { Spanned::Dropped };
            let damage = Damage::new(format!("a spanned record has more than {LONGEST} bytes"));
            return Err(damage.at(piece.place, self.records + 1).remedy(accident::TRANSFER));
        }
        self.joined.extend_from_slice(data);
        let Spanned::From(from) = self.spanned else { return Ok(None) };
        if !last {
            return Ok(None);
        }
        let word = Descriptor { length: self.joined.len(), segment: Segment::Whole }.word();
        self.joined[..WORD].copy_from_slice(&word);
        self.spanned = Spanned::No;
        Ok(Some(from))
    }

    fn advance(&mut self, bytes: usize) {
        self.next += bytes;
        self.place += bytes as u64;
    }

    /// Makes at least this many bytes available; the number available, which is less at the end of the file.
    fn fill(&mut self, bytes: usize) -> Result<usize, Damage> {
        if self.filled - self.next >= bytes {
            return Ok(self.filled - self.next);
        }
        self.buffer.copy_within(self.next..self.filled, 0);
        (self.filled, self.next) = (self.filled - self.next, 0);
        while self.filled < bytes {
            match self.input.read(&mut self.buffer[self.filled..]) {
                Ok(0) => break,
                Ok(count) => self.filled += count,
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(self.stop(Damage::new(format!("reading failed: {error}")))),
            }
        }
        Ok(self.filled)
    }

    /// Damage at this place, after which no record can be found.
    fn stop(&mut self, damage: Damage) -> Damage {
        (self.ended, self.lost) = (true, true);
        damage.at(self.place, self.records + 1)
    }

    fn cut_short(&mut self, due: u64) -> Damage {
        let missing = due - (self.place + (self.filled - self.next) as u64);
        self.stop(
            Damage::new(format!("the file is cut short: at least {missing} bytes are missing"))
                .because("its last descriptor word announces more")
                .remedy("transfer it again in binary, and compare its size with that on z/OS"),
        )
    }
}

/// The standard header of a record.
fn header(bytes: &[u8], place: u64, number: u64) -> Result<Header, Damage> {
    Header::read(bytes).ok_or_else(|| {
        Damage::new("a record has no standard header")
            .at(place, number)
            .because("date, time or system of an SMF record are not where they should be")
            .remedy("leave the record out with IFASMFDP, or transfer the file again in binary")
    })
}
