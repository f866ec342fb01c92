//! A decimal number with its unit, read exactly: "0.15 ms" is 15 hundredths of a millisecond in TOD units.

use crate::error::{QuantityError, split};

/// This many parts of a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Decimal {
    /// The digits as one number.
    pub digits: u128,
    /// Ten to the number of digits behind the point.
    pub denominator: u128,
    /// How much the unit is.
    pub scale: u128,
    /// Whether digits were dropped that are not zero.
    pub cut: bool,
}

impl Decimal {
    /// Reads a number and one of these units, with at most this many digits behind the point.
    pub fn read(
        text: &str,
        (units, names): (&[(&str, u128)], &'static [&'static str]),
        most: usize,
    ) -> Result<Decimal, QuantityError> {
        let (number, unit) = split(text)?;
        if unit.is_empty() {
            return Err(QuantityError::NoUnit(names));
        }
        let known = units.iter().find(|(name, _)| *name == unit);
        let (_, scale) = *known.ok_or_else(|| QuantityError::UnknownUnit(unit.to_string(), names))?;
        let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
        let mut decimal = Decimal { digits: 0, denominator: 1, scale, cut: false };
        for digit in digits(whole) {
            decimal.digits = decimal.digits * 10 + digit;
            if decimal.digits * scale > u128::from(u64::MAX) {
                return Err(QuantityError::TooLarge);
            }
        }
        for (place, digit) in digits(fraction).enumerate() {
            if place >= most {
                decimal.cut |= digit > 0;
                continue;
            }
            decimal.digits = decimal.digits.checked_mul(10).ok_or(QuantityError::TooLarge)? + digit;
            decimal.denominator *= 10;
        }
        Ok(decimal)
    }
}

fn digits(text: &str) -> impl Iterator<Item = u128> + '_ {
    text.bytes().filter(u8::is_ascii_digit).map(|digit| u128::from(digit - b'0'))
}
