//! A length of time in TOD-clock units, and its text: "30 ms" to a span and back, exactly.

use crate::decimal::Decimal;
use crate::error::QuantityError;
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Mul, Sub};
use std::str::FromStr;

/// A length of time; 4,096 units are one microsecond.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span(u64);

const UNITS: [(&str, u128); 6] = [
    ("us", 1 << 12),
    ("ms", 1_000 << 12),
    ("s", 1_000_000 << 12),
    ("min", 60_000_000 << 12),
    ("h", 3_600_000_000 << 12),
    ("d", 86_400_000_000 << 12),
];
const NAMES: [&str; 7] = ["ns", "us", "ms", "s", "min", "h", "d"];
/// Digits behind the point that are read; more would not move the nearest TOD unit.
const MOST_DIGITS: usize = 15;

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);
    /// One second.
    pub const SECOND: Span = Span(1_000_000 << 12);

    /// A span of `units` TOD-clock units.
    #[inline]
    pub const fn from_units(units: u64) -> Self {
        Span(units)
    }

    /// A span of whole microseconds.
    pub const fn from_us(us: u64) -> Self {
        Span(us << 12)
    }

    /// A span of whole milliseconds.
    pub const fn from_ms(ms: u64) -> Self {
        Span((ms * 1_000) << 12)
    }

    /// The span nearest to a number of seconds; zero below zero, the longest span above it.
    pub fn from_seconds(seconds: f64) -> Self {
        Span((seconds * Self::SECOND.0 as f64 + 0.5) as u64)
    }

    /// TOD-clock units.
    #[inline]
    pub const fn units(self) -> u64 {
        self.0
    }

    /// Whether it is no time at all.
    #[inline]
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// Seconds, for statistics and at the edges.
    pub fn seconds(self) -> f64 {
        self.0 as f64 / Self::SECOND.0 as f64
    }

    /// Milliseconds, for statistics and at the edges.
    pub fn ms(self) -> f64 {
        self.0 as f64 / (1_000u64 << 12) as f64
    }
}

impl FromStr for Span {
    type Err = QuantityError;

    /// Reads "30 ms", "0.15ms", "10 min", "8 ns": the nearest TOD unit to the decimal, computed without floating point.
    fn from_str(text: &str) -> Result<Self, QuantityError> {
        // A nanosecond is no whole number of TOD units.
        let number = text.trim_end().strip_suffix("ns").filter(|number| !number.ends_with(char::is_alphabetic));
        let thousandths = number.map(|number| format!("{number}us"));
        let part = if thousandths.is_some() { 1_000 } else { 1 };
        let text = thousandths.as_deref().unwrap_or(text);
        let Decimal { digits, denominator, scale, .. } = Decimal::read(text, (&UNITS, &NAMES), MOST_DIGITS)?;
        let denominator = denominator * part;
        let units = (digits * scale * 2 + denominator) / (2 * denominator);
        u64::try_from(units).map(Span).map_err(|_| QuantityError::TooLarge)
    }
}

impl fmt::Display for Span {
    /// The exact decimal in the largest of s, ms and us that is not below one.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, scale) =
            *UNITS[..3].iter().rev().find(|(_, scale)| u128::from(self.0) >= *scale).unwrap_or(&UNITS[0]);
        let units = u128::from(self.0);
        let (whole, mut rest) = (units / scale, units % scale);
        write!(f, "{whole}")?;
        if rest > 0 {
            write!(f, ".")?;
        }
        while rest > 0 {
            rest *= 10;
            write!(f, "{}", rest / scale)?;
            rest %= scale;
        }
        write!(f, " {name}")
    }
}

impl Add for Span {
    type Output = Span;
    #[inline]
    fn add(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }
}

impl AddAssign for Span {
    #[inline]
    fn add_assign(&mut self, other: Span) {
        self.0 += other.0;
    }
}

impl Sub for Span {
    type Output = Span;
    #[inline]
    fn sub(self, other: Span) -> Span {
        Span(self.0 - other.0)
    }
}

impl Mul<u64> for Span {
    type Output = Span;
    #[inline]
    fn mul(self, times: u64) -> Span {
        Span(self.0 * times)
    }
}

impl Sum for Span {
    fn sum<I: Iterator<Item = Span>>(spans: I) -> Span {
        spans.fold(Span::ZERO, Add::add)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_what_people_write() {
        for (text, units) in [
            ("30 ms", 30_000 << 12),
            ("0.15ms", 150 << 12),
            ("10 min", 600_000_000 << 12),
            (".5 us", 2_048),
            ("1_000 us", 1_000 << 12),
            ("0 s", 0),
            ("8 ns", 33),
            ("1_000.0ns", 1 << 12),
        ] {
            assert_eq!(text.parse(), Ok(Span(units)), "{text}");
        }
    }

    #[test]
    fn refuses_what_is_not_a_span() {
        assert_eq!("-1 ms".parse::<Span>(), Err(QuantityError::Negative));
        assert_eq!("ms".parse::<Span>(), Err(QuantityError::NoNumber));
        assert_eq!("1.2.3 ms".parse::<Span>(), Err(QuantityError::NoNumber));
        assert_eq!("30".parse::<Span>(), Err(QuantityError::NoUnit(&NAMES)));
        assert_eq!("3 mss".parse::<Span>(), Err(QuantityError::UnknownUnit("mss".into(), &NAMES)));
        assert_eq!("3 mns".parse::<Span>(), Err(QuantityError::UnknownUnit("mns".into(), &NAMES)));
        assert_eq!("ns".parse::<Span>(), Err(QuantityError::NoNumber));
        assert_eq!("18446744073709551615.999999999999999 d".parse::<Span>(), Err(QuantityError::TooLarge));
        assert_eq!("99999999999999999999 d".parse::<Span>(), Err(QuantityError::TooLarge));
    }

    #[test]
    fn text_round_trips_exactly() {
        for units in [0, 1, 4_095, 4_096, 614_400, 12_345_678_901, u64::MAX / 4] {
            let span = Span(units);
            assert_eq!(span.to_string().parse(), Ok(span), "{span}");
        }
        assert_eq!(Span::from_us(150).to_string(), "150 us");
        assert_eq!(Span::from_ms(30).to_string(), "30 ms");
    }
}
