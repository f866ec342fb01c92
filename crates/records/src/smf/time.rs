//! Dates and times of SMF: packed decimal, local; and the clock that they are.

use crate::binary::{Clock, from_packed, to_packed};

const DAY_US: i64 = 86_400_000_000;
/// The last whole day that a clock of 64 bits can show: 2042-09-16.
const LAST_DAY: i64 = 26_556;

/// Days since the start of 1970 of 0cyydddF: century, year and day of the year; nothing where that is no date, or one that
/// the clock does not have.
pub fn days(date: &[u8]) -> Option<i64> {
    let number = from_packed(date).filter(|_| date.last().is_some_and(|last| last & 0x0F == 0x0F))?;
    let (year, day) = (1900 + number / 1000, number % 1000);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let last = if leap { 366 } else { 365 };
    let days = january(year) + day - 1;
    ((1..=last).contains(&day) && days <= LAST_DAY).then_some(days)
}

/// Days from the start of 1970 to that of a year.
fn january(year: i64) -> i64 {
    let before = year - 1;
    365 * (year - 1970) + (before / 4 - before / 100 + before / 400) - (1969 / 4 - 1969 / 100 + 1969 / 400)
}

/// The clock at a microsecond of a day.
pub fn clock(days: i64, us: i64) -> Clock {
    Clock::from_unix_us(days * DAY_US + us)
}

/// Microseconds of a day of 0HHMMSSF.
pub fn of_day(time: &[u8]) -> Option<i64> {
    let number = from_packed(time)?;
    let (hours, minutes, seconds) = (number / 10_000, number / 100 % 100, number % 100);
    let valid = (0..24).contains(&hours) && minutes < 60 && seconds < 60;
    valid.then_some(1_000_000 * (3600 * hours + 60 * minutes + seconds))
}

/// Microseconds of MMSSTTTF.
pub fn length(length: &[u8]) -> Option<i64> {
    let number = from_packed(length).filter(|number| *number >= 0)?;
    let (minutes, ms) = (number / 100_000, number % 100_000);
    (ms < 60_000).then_some(1_000 * (60_000 * minutes + ms))
}

/// Puts the date of a clock as 0cyydddF; nothing where it cannot be one.
pub fn put_date(bytes: &mut [u8], clock: Clock) -> Option<()> {
    let (year, ..) = clock.date();
    let day = clock.unix_us().div_euclid(DAY_US) - january(year) + 1;
    to_packed(bytes, u64::try_from((year - 1900) * 1000 + day).ok()?)
}

/// Puts the time of day of a clock as 0HHMMSSF.
pub fn put_of_day(bytes: &mut [u8], clock: Clock) -> Option<()> {
    let seconds = clock.date().3 / 1_000_000;
    to_packed(bytes, seconds / 3600 * 10_000 + seconds / 60 % 60 * 100 + seconds % 60)
}

/// Puts a span as MMSSTTTF; nothing where it is longer than 99 minutes.
pub fn put_length(bytes: &mut [u8], us: u64) -> Option<()> {
    let ms = us.div_ceil(500).div_euclid(2);
    to_packed(bytes, ms / 60_000 * 100_000 + ms % 60_000)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_date_counts_from_1900() {
        assert_eq!(days(&[0x00, 0x70, 0x00, 0x1F]), Some(0));
        assert_eq!(days(&[0x01, 0x00, 0x36, 0x6F]), Some(11_322), "2000 was a leap year");
        assert_eq!(days(&[0x01, 0x26, 0x32, 0x7F]), Some(20_780));
        assert_eq!(clock(20_780, 0).to_string(), "2026-11-23 00:00:00");
    }

    #[test]
    fn what_is_no_date_is_none() {
        let late = [0x01, 0x42, 0x26, 0x1F];
        for bytes in [[0x01, 0x26, 0x36, 0x6F], [0x01, 0x26, 0x00, 0x0F], [0x01, 0x2A, 0x00, 0x1F], [0; 4], late] {
            assert_eq!(days(&bytes), None, "{bytes:02X?}");
        }
    }

    #[test]
    fn dates_come_back() {
        for day in [0, 58, 59, 11_016, 11_017, 11_322, 20_780, LAST_DAY] {
            let mut bytes = [0; 4];
            put_date(&mut bytes, clock(day, 7)).unwrap();
            assert_eq!(days(&bytes), Some(day));
        }
    }

    #[test]
    fn times_and_lengths_come_back() {
        let mut bytes = [0; 4];
        put_of_day(&mut bytes, clock(3, 86_399_000_000)).unwrap();
        assert_eq!(bytes, [0x02, 0x35, 0x95, 0x9F]);
        assert_eq!(of_day(&bytes), Some(86_399_000_000));
        put_length(&mut bytes, 899_998_000).unwrap();
        assert_eq!(bytes, [0x14, 0x59, 0x99, 0x8F]);
        assert_eq!(length(&bytes), Some(899_998_000));
        assert_eq!(put_length(&mut bytes, 6_000_000_000), None);
        assert_eq!(of_day(&[0x02, 0x46, 0x00, 0x0F]), None);
    }
}
