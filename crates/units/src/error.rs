//! The error of a quantity as it was written.

use std::fmt;

/// Why a text is not the quantity that was asked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum QuantityError {
    /// The text does not begin with a decimal number.
    NoNumber,
    /// A number without a unit; the units that would do.
    NoUnit(&'static [&'static str]),
    /// A unit that this quantity does not have; the units that would do.
    UnknownUnit(String, &'static [&'static str]),
    /// Below zero, which no quantity here may be.
    Negative,
    /// Larger than the TOD clock, or a counter of bytes, can hold.
    TooLarge,
    /// Not a whole number of what cannot be divided: "byte".
    NotWhole(&'static str),
}

impl fmt::Display for QuantityError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNumber => write!(f, "does not begin with a decimal number"),
            Self::NoUnit(units) => write!(f, "has no unit; write one of {}", units.join(", ")),
            Self::UnknownUnit(unit, units) => {
                write!(f, "unknown unit `{unit}`; allowed: {}", units.join(", "))
            }
            Self::Negative => write!(f, "is negative"),
            Self::TooLarge => write!(f, "is too large"),
            Self::NotWhole(of) => write!(f, "is not a whole number of {of}s"),
        }
    }
}

impl std::error::Error for QuantityError {}

/// Splits "0.15 ms" into its number and its unit; the unit may be empty.
pub(crate) fn split(text: &str) -> Result<(&str, &str), QuantityError> {
    let text = text.trim();
    let body = match text.strip_prefix('-') {
        Some(rest) if rest.starts_with(|c: char| c.is_ascii_digit() || c == '.') => {
            return Err(QuantityError::Negative);
        }
        Some(_) => return Err(QuantityError::NoNumber),
        None => text,
    };
    let end = body.find(|c: char| !(c.is_ascii_digit() || c == '.' || c == '_')).unwrap_or(body.len());
    let (number, unit) = body.split_at(end);
    let well_formed = number.matches('.').count() <= 1 && number.chars().any(|c| c.is_ascii_digit());
    if well_formed { Ok((number, unit.trim())) } else { Err(QuantityError::NoNumber) }
}
