//! The text of a group's limit, as Linux's `cpu.max` has it, or with units.

use crate::language::MAX;
use units::Span;

/// The least quota and the shortest period that a kernel takes (Linux, sched-bwc).
pub const LEAST: Span = Span::from_ms(1);
/// The longest period (Linux, sched-bwc).
pub const LONGEST: Span = Span::from_ms(1000);
/// The form of a limit, for messages.
pub const SHAPE: &str =
    "\"20 ms 100 ms\" (quota and period), \"20000 100000\" (the same in microseconds), \"20 ms\", \"max\"";

/// The period that a kernel takes where none is given (Linux, cgroup-v2).
const USUAL: Span = Span::from_ms(100);

/// A quota and the period in which it may be used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    /// The quota, on all processors together.
    pub quota: Span,
    /// The period.
    pub period: Span,
}

/// A limit, or none.
///
/// # Errors
/// Why the text is none.
pub fn read(text: &str) -> Result<Option<Limit>, &'static str> {
    let words = spans(text);
    let (quota, period) = match words.as_slice() {
        [quota] => (quota.as_str(), USUAL),
        [quota, period] => (quota.as_str(), span(period).ok_or("its second part is no span of time")?),
        _ => return Err("it has a quota, and perhaps a period"),
    };
    if quota == MAX {
        return Ok(None);
    }
    Ok(Some(Limit { quota: span(quota).ok_or("its first part is no span of time, nor \"max\"")?, period }))
}

/// A span with its unit, or in microseconds.
pub fn span(text: &str) -> Option<Span> {
    if text.bytes().all(|byte| byte.is_ascii_digit()) && !text.is_empty() {
        return format!("{text} us").parse().ok();
    }
    text.parse().ok()
}

/// The words of a text, a unit together with its number: "20 ms 100 ms" is two.
fn spans(text: &str) -> Vec<String> {
    let mut spans: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        let unit = word.bytes().all(|byte| byte.is_ascii_alphabetic()) && word != MAX;
        match spans.last_mut().filter(|last| unit && last.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')) {
            Some(number) => number.extend([" ", word]),
            None => spans.push(word.to_string()),
        }
    }
    spans
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limit(quota: u64, period: u64) -> Result<Option<Limit>, &'static str> {
        Ok(Some(Limit { quota: Span::from_us(quota), period: Span::from_us(period) }))
    }

    #[test]
    fn reads_what_the_file_has_and_what_people_write() {
        assert_eq!(read("20000 100000"), limit(20_000, 100_000));
        assert_eq!(read("20 ms 100 ms"), limit(20_000, 100_000));
        assert_eq!(read("20ms 0.1 s"), limit(20_000, 100_000));
        assert_eq!(read("50000"), limit(50_000, 100_000));
        assert_eq!(read("1.5 ms"), limit(1_500, 100_000));
        assert_eq!(read("max"), Ok(None));
        assert_eq!(read("max 100000"), Ok(None));
    }

    #[test]
    fn refuses_the_rest() {
        for text in ["", "ms", "20 ms 100 ms 5 ms", "20 lightyears", "max max", "-1", "20 ms max", "1e3", "20 20 ms 3"]
        {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
