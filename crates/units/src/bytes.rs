//! An amount of data in whole bytes, and its text: "4 KiB" to bytes and back, exactly.

use crate::decimal::Decimal;
use crate::error::QuantityError;
use std::fmt;
use std::str::FromStr;

/// An amount of data.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Bytes(u64);

const UNITS: [(&str, u128); 5] = [("B", 1), ("KiB", 1 << 10), ("MiB", 1 << 20), ("kB", 1_000), ("MB", 1_000_000)];
const NAMES: [&str; 5] = ["B", "KiB", "MiB", "kB", "MB"];
/// The units that a text is written in: the binary ones, as the trade counts records and pages.
const WRITTEN: usize = 3;
/// A MiB is 2^20 bytes: no whole byte has more digits behind the point than this.
const MOST_DIGITS: usize = 20;

impl Bytes {
    /// This many bytes.
    pub const fn new(bytes: u64) -> Self {
        Bytes(bytes)
    }

    /// In bytes.
    pub const fn bytes(self) -> u64 {
        self.0
    }

    /// In KiB, for statistics and at the edges.
    pub fn kib(self) -> f64 {
        self.0 as f64 / 1_024.0
    }
}

impl FromStr for Bytes {
    type Err = QuantityError;

    /// Reads "4 KiB", "0.5 MiB", "512 B", "56 kB", computed without floating point; what is no whole byte is refused.
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let Decimal { digits, denominator, scale, cut } = Decimal::read(text, (&UNITS, &NAMES), MOST_DIGITS)?;
        if cut {
            return Err(QuantityError::NotWhole("byte"));
        }
        let scaled = digits.checked_mul(scale).ok_or(QuantityError::TooLarge)?;
        if scaled % denominator != 0 {
            return Err(QuantityError::NotWhole("byte"));
        }
        u64::try_from(scaled / denominator).map(Bytes).map_err(|_| QuantityError::TooLarge)
    }
}

impl fmt::Display for Bytes {
    /// A whole number of the largest of MiB, KiB and B that divides it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bytes = u128::from(self.0);
        let divides = |scale: u128| bytes >= scale && bytes.is_multiple_of(scale);
        let (name, scale) = *UNITS[..WRITTEN].iter().rev().find(|(_, scale)| divides(*scale)).unwrap_or(&UNITS[0]);
        write!(f, "{} {name}", bytes / scale)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        for (text, bytes) in [
            ("4 KiB", 4_096),
            ("4KiB", 4_096),
            ("0.5 MiB", 524_288),
            ("512 B", 512),
            ("56 kB", 56_000),
            ("1.5 MB", 1_500_000),
            ("1_000 B", 1_000),
            ("1.000 B", 1),
            ("0.00000095367431640625 MiB", 1),
            ("0 B", 0),
        ] {
            assert_eq!(text.parse(), Ok(Bytes(bytes)), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_no_whole_number_of_bytes() {
        assert_eq!("0.5 B".parse::<Bytes>(), Err(QuantityError::NotWhole("byte")));
        assert_eq!("0.3 KiB".parse::<Bytes>(), Err(QuantityError::NotWhole("byte")));
        assert_eq!(format!("0.{}1 MiB", "0".repeat(40)).parse::<Bytes>(), Err(QuantityError::NotWhole("byte")));
        assert_eq!("-1 B".parse::<Bytes>(), Err(QuantityError::Negative));
        assert_eq!("KiB".parse::<Bytes>(), Err(QuantityError::NoNumber));
        assert_eq!("4".parse::<Bytes>(), Err(QuantityError::NoUnit(&NAMES)));
        assert_eq!("4 KB".parse::<Bytes>(), Err(QuantityError::UnknownUnit("KB".into(), &NAMES)));
        assert_eq!("99999999999999999999 MiB".parse::<Bytes>(), Err(QuantityError::TooLarge));
        assert_eq!(format!("{}.{} B", u64::MAX, "9".repeat(20)).parse::<Bytes>(), Err(QuantityError::TooLarge));
    }

    #[test]
    fn text_round_trips_exactly() {
        for bytes in [0, 1, 1_000, 1_023, 4_096, 57_344, 1 << 20, (1 << 20) + 1, u64::MAX] {
            let amount = Bytes(bytes);
            assert_eq!(amount.to_string().parse(), Ok(amount), "{amount}");
        }
        assert_eq!(Bytes(4_096).to_string(), "4 KiB");
        assert_eq!(Bytes(4_097).to_string(), "4097 B");
    }
}
