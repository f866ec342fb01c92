//! Instants of the TOD clock, and the dates that they are.

use std::fmt;

/// The TOD clock at the start of 1970 (z/Architecture Principles of Operation, "Timing").
pub const UNIX_EPOCH: u64 = 0x7D91_048B_CA00_0000;

/// An instant of the TOD clock: units of 2^-12 microsecond since the start of 1900.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Clock(pub u64);

impl Clock {
    /// The instant this many microseconds after the start of 1970.
    pub const fn from_unix_us(us: i64) -> Self {
        Clock(UNIX_EPOCH.wrapping_add((us as u64) << 12))
    }

    /// Microseconds since the start of 1970; negative before it.
    pub const fn unix_us(self) -> i64 {
        let since = self.0 as i128 - UNIX_EPOCH as i128;
        (since >> 12) as i64
    }

    /// The time since an earlier instant, seconds; negative where it is later.
    pub fn seconds_since(self, earlier: Clock) -> f64 {
        (self.0 as i128 - earlier.0 as i128) as f64 / 4_096_000_000.0
    }

    /// Year, month, day, and microseconds of the day (days to civil date: Howard Hinnant, "chrono-compatible low-level
    /// date algorithms").
    pub const fn date(self) -> (i64, u8, u8, u64) {
        let us = self.unix_us();
        let (days, of_day) = (us.div_euclid(86_400_000_000), us.rem_euclid(86_400_000_000));
        let shifted = days + 719_468;
        let era = shifted.div_euclid(146_097);
        let of_era = shifted.rem_euclid(146_097);
        let year_of_era = (of_era - of_era / 1_460 + of_era / 36_524 - of_era / 146_096) / 365;
        let of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
        let month_from_march = (5 * of_year + 2) / 153;
        let day = of_year - (153 * month_from_march + 2) / 5 + 1;
        let month = if month_from_march < 10 { month_from_march + 3 } else { month_from_march - 9 };
        let year = year_of_era + era * 400 + if month <= 2 { 1 } else { 0 };
        (year, month as u8, day as u8, of_day as u64)
    }
}

impl fmt::Display for Clock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (year, month, day, us) = self.date();
        let seconds = us / 1_000_000;
        write!(f, "{year:04}-{month:02}-{day:02} {:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_clock_at_the_start_of_1970_is_published() {
        assert_eq!(Clock(UNIX_EPOCH).to_string(), "1970-01-01 00:00:00");
        assert_eq!(Clock(UNIX_EPOCH).unix_us(), 0);
    }

    #[test]
    fn the_clock_started_with_1900() {
        assert_eq!(Clock(0).to_string(), "1900-01-01 00:00:00");
    }

    #[test]
    fn leap_days_are_days() {
        for (days, text) in [(59, "1970-03-01"), (11_016, "2000-02-29"), (11_017, "2000-03-01"), (20_512, "2026-02-28")]
        {
            assert_eq!(&Clock::from_unix_us(days * 86_400_000_000).to_string()[..10], text);
        }
    }

    #[test]
    fn every_instant_comes_back() {
        for us in [0, 1, 86_399_999_999, 1_700_000_000_123_456, -1] {
            assert_eq!(Clock::from_unix_us(us).unix_us(), us);
        }
    }
}
