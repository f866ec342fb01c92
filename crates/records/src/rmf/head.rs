//! The interval in the head of a page: system, date, time, length, samples and cycle.

use crate::grid::Grid;
use crate::number::shown;
use units::{Problem, Span};

/// The head of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Head {
    /// The name after SYSTEM ID; empty when there is none.
    pub system: String,
    /// The text after DATE.
    pub date: Option<String>,
    /// The text after TIME: when the interval began.
    pub time: Option<String>,
    /// The interval.
    pub length: Option<Span>,
    /// How often the sampler looks.
    pub cycle: Option<Span>,
    /// How often it looked in the interval.
    pub samples: Option<u64>,
}

/// Words before a value.
const KEYS: [&str; 5] = ["SYSTEM ID ", "DATE ", "TIME ", "INTERVAL ", "CYCLE "];

const LONGEST_SECONDS: u64 = 366 * 86_400;

impl Head {
    /// When the interval began, as printed: "05/11/2019 06.00.00".
    pub fn started(&self) -> Option<String> {
        let parts: Vec<&str> = [&self.date, &self.time].into_iter().flatten().map(String::as_str).collect();
        (!parts.is_empty()).then(|| parts.join(" "))
    }

    /// Takes in one line of the head; unknown facts change nothing.
    pub(crate) fn take(&mut self, line: &Grid, number: usize) -> Vec<Problem> {
        let mut problems = Vec::new();
        let parts = line.parts();
        for (nth, place) in parts.iter().enumerate() {
            let (column, part) = (place.start, line.text(place.clone()));
            // A value may stand apart from its words: `SYSTEM ID   CB88`.
            let next = || parts.get(nth + 1).map(|next| line.text(next.clone())).unwrap_or_default();
            let whole = if KEYS.iter().any(|key| part.eq_ignore_ascii_case(key.trim())) {
                format!("{part} {}", next())
            } else {
                part
            };
            let value = |key: &str| after(&whole, key);
            let wrong = |key: &str, what: String, allowed: &str| {
                Problem::new(what).at(number, column + 1).key(key).allowed([allowed])
            };
            if let Some(system) = value("SYSTEM ID ") {
                self.system = system.to_string();
            } else if let Some(date) = value("DATE ") {
                self.date = Some(date.to_string());
            } else if let Some(time) = value("TIME ") {
                self.time = Some(time.to_string());
            } else if let Some(length) = value("INTERVAL ") {
                let what = || format!("`{}` is not a length", shown(length));
                match length_of(length) {
                    Some(span) => self.length = Some(span),
                    None => problems.push(wrong("INTERVAL", what(), "minutes, seconds and thousandths: 14.59.998")),
                }
            } else if let Some(cycle) = value("CYCLE ") {
                match cycle_of(cycle) {
                    Some(span) => self.cycle = Some(span),
                    None => {
                        let what = format!("`{}` is not a cycle", shown(cycle));
                        problems.push(wrong("CYCLE", what, "seconds: 1.000 SECONDS"));
                    }
                }
            }
        }
        problems.extend(self.take_samples(line, number));
        problems
    }

    /// "TOTAL SAMPLES =    900   IODF = 00".
    fn take_samples(&mut self, line: &Grid, number: usize) -> Option<Problem> {
        let text = line.text(0..line.len());
        let rest = after(&text, "TOTAL SAMPLES")?;
        let word = rest.strip_prefix('=').unwrap_or(rest).split_whitespace().next().unwrap_or("");
        match word.replace(',', "").parse() {
            Ok(samples) if samples < 1 << 40 => {
                self.samples = Some(samples);
                None
            }
            Ok(_) | Err(_) => {
                let problem = Problem::new(format!("`{}` is not a number of samples", shown(word)));
                let column = line.trim(0..line.len()).start + 1;
                Some(problem.at(number, column).key("TOTAL SAMPLES").allowed(["a whole number"]))
            }
        }
    }
}

/// The text after these words, whatever their case.
pub(crate) fn after<'a>(text: &'a str, words: &str) -> Option<&'a str> {
    let begins = text.get(..words.len())?.eq_ignore_ascii_case(words);
    begins.then(|| text[words.len()..].trim())
}

/// The length of an interval, which is some time.
fn length_of(text: &str) -> Option<Span> {
    clock_of(text).filter(|span| !span.is_zero())
}

/// "14.59.998" or "14:59.998" as minutes, seconds and thousandths, hours before them where there are four parts.
pub(crate) fn clock_of(text: &str) -> Option<Span> {
    let parts: Vec<&str> = text.split(['.', ':']).collect();
    let digits = |part: &&str| !part.is_empty() && part.len() <= 6 && part.bytes().all(|byte| byte.is_ascii_digit());
    if !parts.iter().all(digits) {
        return None;
    }
    let numbers: Vec<u64> = parts.iter().map(|part| part.parse().ok()).collect::<Option<_>>()?;
    let (hours, minutes, seconds, thousandths) = match numbers[..] {
        [minutes, seconds, thousandths] => (0, minutes, seconds, thousandths),
        [hours, minutes, seconds, thousandths] if minutes < 60 => (hours, minutes, seconds, thousandths),
        _ => return None,
    };
    let whole = hours * 3_600 + minutes * 60 + seconds;
    let sound = seconds < 60 && parts.last()?.len() == 3 && whole <= LONGEST_SECONDS;
    sound.then(|| Span::from_us(whole * 1_000_000 + thousandths * 1_000))
}

/// "1.000 SECONDS".
fn cycle_of(text: &str) -> Option<Span> {
    let (number, unit) = text.split_once(' ')?;
    let (whole, thousandths) = number.split_once('.')?;
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let sound =
        after(unit.trim(), "SECOND").is_some() && digits(whole) && digits(thousandths) && thousandths.len() == 3;
    let ms = whole.parse::<u64>().ok()?.checked_mul(1_000)?.checked_add(thousandths.parse().ok()?)?;
    (sound && ms > 0 && ms < LONGEST_SECONDS * 1_000).then(|| Span::from_us(ms * 1_000))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn head(lines: &[&str]) -> (Head, Vec<Problem>) {
        let mut head = Head::default();
        let take = |(at, line): (usize, &&str)| head.take(&Grid::of(line.as_bytes(), 0..line.len()), at + 1);
        let problems = lines.iter().enumerate().flat_map(take).collect();
        (head, problems)
    }

    #[test]
    fn the_head_of_the_manual_is_read() {
        let (head, problems) = head(&[
            "  z/OS V2R4               SYSTEM ID SYSF             DATE 05/11/2019             INTERVAL 14.59.998",
            "                          RPT VERSION V2R4 RMF      TIME 06.00.00               CYCLE 1.000 SECONDS",
            "TOTAL SAMPLES =    900   IODF = 00   CR-DATE: 09/14/2017   CR-TIME: 10.31.31     ACT: POR",
        ]);
        assert_eq!(problems, []);
        assert_eq!((head.system.as_str(), head.samples), ("SYSF", Some(900)));
        assert_eq!(head.started().as_deref(), Some("05/11/2019 06.00.00"));
        assert_eq!(head.length, Some(Span::from_us(899_998_000)));
        assert_eq!(head.cycle, Some(Span::from_us(1_000_000)));
    }

    #[test]
    fn mixed_case_colons_and_blanks_before_a_value_are_read() {
        let (head, problems) = head(&["z/OS V2R4   System ID   CB88   Date 07/27/2021   Interval 29:59.996"]);
        assert_eq!((problems, head.system.as_str()), (vec![], "CB88"));
        assert_eq!(head.length, Some(Span::from_us(1_799_996_000)));
    }

    #[test]
    fn hours_may_stand_before_minutes() {
        assert_eq!(head(&["INTERVAL 02.00.00.000"]).0.length, Some(Span::from_us(7_200_000_000)));
        assert_eq!(head(&["INTERVAL 120.00.000"]).0.length, Some(Span::from_us(7_200_000_000)));
    }

    #[test]
    fn what_is_none_is_told() {
        let lines =
            ["INTERVAL 14:59", "INTERVAL 00.00.000", "CYCLE 0.000 SECONDS", "CYCLE 1 HOUR", "TOTAL SAMPLES = 9x0"];
        for line in lines {
            assert_eq!(head(&[line]).1.len(), 1, "{line}");
        }
    }
}
