//! How often something happens: "500/s".

use crate::error::{QuantityError, split};
use std::fmt;
use std::str::FromStr;

/// A rate per second.
#[derive(Clone, Copy, Debug, Default, PartialEq, PartialOrd)]
pub struct PerSecond(f64);

const NAMES: [&str; 2] = ["/s", "/min"];

impl PerSecond {
    /// This many a second.
    pub const fn new(per_second: f64) -> Self {
        PerSecond(per_second)
    }

    /// This many a second.
    pub const fn per_second(self) -> f64 {
        self.0
    }
}

impl FromStr for PerSecond {
    type Err = QuantityError;

    fn from_str(text: &str) -> Result<Self, QuantityError> {
        let (number, unit) = split(text)?;
        let seconds = match unit {
            "/s" => 1.0,
            "/min" => 60.0,
            "" => return Err(QuantityError::NoUnit(&NAMES)),
            _ => return Err(QuantityError::UnknownUnit(unit.to_string(), &NAMES)),
        };
        let value: f64 = number.replace('_', "").parse().map_err(|_| QuantityError::NoNumber)?;
        Ok(PerSecond(value / seconds))
    }
}

impl fmt::Display for PerSecond {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/s", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rate_round_trips() {
        assert_eq!("1_500/s".parse(), Ok(PerSecond(1500.0)));
        assert_eq!("90/min".parse(), Ok(PerSecond(1.5)));
        assert_eq!(PerSecond(1500.0).to_string().parse(), Ok(PerSecond(1500.0)));
        assert_eq!("5".parse::<PerSecond>(), Err(QuantityError::NoUnit(&NAMES)));
    }
}
