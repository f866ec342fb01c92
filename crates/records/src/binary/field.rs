//! A field of a record as data: name, place, form, meaning; and its value in the bytes of a record.

use super::{Clock, CodePage, Source};

/// The form of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// An unsigned whole number.
    Count,
    /// A span in units of 128 microseconds, the unit of the channel measurement block (Linux, drivers/s390/cio/cmf.c).
    Ticks,
    /// A span in TOD-clock units: 4,096 are one microsecond.
    TodSpan,
    /// A span in microseconds.
    Micros,
    /// A span in units of 1,024 microseconds.
    Millis1024,
    /// A span in milliseconds.
    Millis,
    /// An instant of the TOD clock.
    Clock,
    /// Text in EBCDIC, padded with blanks.
    Text,
    /// Bits.
    Flags,
    /// A number that is shown in hexadecimal: a device number, a serial number.
    Hex,
    /// A packed decimal number.
    Packed,
    /// A hexadecimal floating-point number.
    HexFloat,
    /// Bytes whose form is not known.
    Bytes,
}

impl Kind {
    /// The kind in a few words, for the reference.
    pub const fn words(self) -> &'static str {
        match self {
            Kind::Count => "number",
            Kind::Ticks => "span, 128 us",
            Kind::TodSpan => "span, TOD units",
            Kind::Micros => "span, us",
            Kind::Millis1024 => "span, 1,024 us",
            Kind::Millis => "span, ms",
            Kind::Clock => "TOD clock",
            Kind::Text => "text",
            Kind::Flags => "bits",
            Kind::Hex => "hexadecimal",
            Kind::Packed => "packed decimal",
            Kind::HexFloat => "hexadecimal float",
            Kind::Bytes => "bytes",
        }
    }

    /// How many milliseconds a unit is; 1 for what is no span.
    pub const fn unit_ms(self) -> f64 {
        match self {
            Kind::Ticks => 0.128,
            Kind::TodSpan => 1.0 / 4_096_000.0,
            Kind::Micros => 0.001,
            Kind::Millis1024 => 1.024,
            _ => 1.0,
        }
    }
}

/// A field of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Field {
    /// The name that its publisher gives it.
    pub name: &'static str,
    /// Its first byte, counted from the start of the record or of its section.
    pub offset: usize,
    /// Its bytes.
    pub length: usize,
    /// The form of its value.
    pub kind: Kind,
    /// Its meaning; empty where only the name is known.
    pub meaning: &'static str,
    /// Where its place and meaning come from.
    pub source: &'static Source,
}

impl Field {
    /// The length from which a record has the field: records grow at their end.
    pub const fn since(&self) -> usize {
        self.offset + self.length
    }

    /// The bytes of the field, where the record is long enough to have it.
    #[inline]
    pub fn bytes<'a>(&self, record: &'a [u8]) -> Option<&'a [u8]> {
        record.get(self.offset..self.offset + self.length)
    }

    /// The unsigned big-endian number; nothing where the record is too short, or the field longer than eight bytes.
    #[inline]
    pub fn number(&self, record: &[u8]) -> Option<u64> {
        let bytes = self.bytes(record)?;
        match *bytes {
            [a] => Some(u64::from(a)),
            [a, b] => Some(u64::from(u16::from_be_bytes([a, b]))),
            [a, b, c, d] => Some(u64::from(u32::from_be_bytes([a, b, c, d]))),
            _ if bytes.len() <= 8 => Some(bytes.iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte))),
            _ => None,
        }
    }

    /// The text, without the blanks and zeros at its end.
    pub fn text(&self, record: &[u8]) -> Option<String> {
        let mut text = CodePage::Ibm1047.text(self.bytes(record)?);
        text.truncate(text.trim_end_matches([' ', '\0']).len());
        Some(text)
    }

    /// The digits of a hexadecimal field.
    pub fn hex(&self, record: &[u8]) -> Option<String> {
        const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
        let bytes = self.bytes(record)?;
        let mut digits = String::with_capacity(2 * bytes.len());
        for half in bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]) {
            digits.push(char::from(DIGITS[usize::from(half)]));
        }
        Some(digits)
    }

    /// The instant.
    pub fn clock(&self, record: &[u8]) -> Option<Clock> {
        self.number(record).map(Clock)
    }

    /// Puts a number into the record, modulo what the field can hold, as a counter that wraps does.
    ///
    /// # Panics
    ///
    /// When the record is too short: writers make records of the length of their layout.
    pub fn put(&self, record: &mut [u8], value: u64) {
        let bytes = value.to_be_bytes();
        let place = &mut record[self.offset..self.offset + self.length];
        let kept = place.len().min(bytes.len());
        let start = place.len() - kept;
        place[..start].fill(0);
        place[start..].copy_from_slice(&bytes[bytes.len() - kept..]);
    }

    /// Puts text into the record in EBCDIC, cut or padded with blanks to the field's length.
    ///
    /// # Panics
    ///
    /// When the record is too short.
    pub fn put_text(&self, record: &mut [u8], text: &str) {
        let place = &mut record[self.offset..self.offset + self.length];
        place.fill(CodePage::BLANK);
        for (byte, coded) in place.iter_mut().zip(CodePage::Ibm1047.bytes(text)) {
            *byte = coded;
        }
    }

    /// How far a counter went from one record to the next, modulo what it can hold; nothing where either lacks it.
    #[inline]
    pub fn advance(&self, earlier: &[u8], later: &[u8]) -> Option<u64> {
        let step = self.number(later)?.wrapping_sub(self.number(earlier)?);
        Some(if self.length >= 8 { step } else { step & ((1 << (8 * self.length)) - 1) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const OWN: Source = Source { key: "", certainty: crate::binary::Certainty::Own, text: "" };

    const fn field(offset: usize, length: usize) -> Field {
        Field { name: "X", offset, length, kind: Kind::Count, meaning: "", source: &OWN }
    }

    #[test]
    fn numbers_of_every_length_are_big_endian() {
        let record = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        for length in 1..=8 {
            let expected = record[1..=length].iter().fold(0, |sum, byte| sum << 8 | u64::from(*byte));
            assert_eq!(field(1, length).number(&record), Some(expected), "{length} bytes");
        }
        assert_eq!(field(0, 9).number(&record), None);
    }

    #[test]
    fn a_record_that_is_too_short_does_not_have_the_field() {
        assert_eq!(field(6, 4).number(&[0; 9]), None);
        assert_eq!(field(6, 4).since(), 10);
    }

    #[test]
    fn what_was_put_is_read() {
        let mut record = [0xFF; 12];
        field(2, 4).put(&mut record, 0x0102_0304);
        assert_eq!(field(2, 4).number(&record), Some(0x0102_0304));
        field(6, 6).put_text(&mut record, "ABC");
        assert_eq!(field(6, 6).text(&record).as_deref(), Some("ABC"));
        assert_eq!(&record[..2], [0xFF; 2]);
    }

    #[test]
    fn a_counter_that_wraps_went_on() {
        let (mut earlier, mut later) = ([0; 8], [0; 8]);
        for (length, top) in [(2, 1 << 16), (4, 1 << 32)] {
            field(0, length).put(&mut earlier, top - 3);
            field(0, length).put(&mut later, 4);
            assert_eq!(field(0, length).advance(&earlier, &later), Some(7));
        }
    }
}
