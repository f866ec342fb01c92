//! A share in percent, as the trade writes it: "12.5 %".

use crate::error::{QuantityError, split};
use std::fmt;
use std::str::FromStr;

/// A share, kept in percent.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct Percent(f64);

impl Percent {
    /// A share of `percent` hundredths.
    pub const fn new(percent: f64) -> Self {
        Percent(percent)
    }

    /// In percent.
    pub const fn percent(self) -> f64 {
        self.0
    }

    /// As a fraction of one.
    pub fn fraction(self) -> f64 {
        self.0 / 100.0
    }
}

impl FromStr for Percent {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let (number, unit) = split(text)?;
        match unit {
            "%" => number.replace('_', "").parse().map(Percent).map_err(|_| QuantityError::NoNumber),
            "" => Err(QuantityError::NoUnit(&["%"])),
            _ => Err(QuantityError::UnknownUnit(unit.to_string(), &["%"])),
        }
    }
}

impl fmt::Display for Percent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} %", self.0)
    }
}
