//! The interval in the head of a page: From, To, For, and the name of the run.

use crate::grid::Grid;
use crate::number::shown;
use units::{Problem, Span};

/// The head of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Title {
    /// The name of the run, from "Result of Y032180H Run"; empty when there is none.
    pub run: String,
    /// The text after From.
    pub started: Option<String>,
    /// The text after To.
    pub ended: Option<String>,
    /// The interval, from For; without For, from From and To.
    pub length: Option<Span>,
}

const LONGEST_SECONDS: u64 = 366 * 86_400;
/// The printed interval may differ from To minus From by a second, and either is cut to seconds.
const SLACK_SECONDS: u64 = 2;

impl Title {
    /// Takes in one line of the head; a line that says nothing of the interval changes nothing.
    pub(crate) fn take(&mut self, line: &Grid, number: usize) -> Option<Problem> {
        let text = line.text(0..line.len());
        let column = line.trim(0..line.len()).start + 1;
        if let Some(run) = between(&text, "Result of ", " Run") {
            self.run = run.to_string();
        }
        let (first, rest) = text.split_once(' ').unwrap_or((&text, ""));
        match first {
            "From" => self.started = Some(rest.trim().to_string()),
            "To" => {
                self.ended = Some(rest.trim().to_string());
                self.length = self.length.or_else(|| self.elapsed().map(|seconds| Span::from_us(seconds * 1_000_000)));
            }
            "For" => return self.take_length(rest, number, column),
            _ => self.take_clock(&text),
        }
        None
    }

    /// "600 Secs 00:10:00".
    fn take_length(&mut self, text: &str, line: usize, column: usize) -> Option<Problem> {
        let mut words = text.split_whitespace();
        let (number, unit) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
        let wrong = |what: String, why: &str| {
            let allowed = "a whole number of seconds, such as `For    600 Secs 00:10:00`";
            Some(Problem::new(what).at(line, column).key("For").because(why).allowed([allowed]))
        };
        let Ok(seconds) = number.parse::<u64>() else {
            return wrong(format!("`{}` is not a length", shown(number)), "the interval is not known");
        };
        if !unit.starts_with("Sec") {
            return wrong(format!("the unit `{}` is not known", shown(unit)), "the page has seconds");
        }
        if seconds == 0 || seconds > LONGEST_SECONDS {
            return wrong(format!("an interval of {seconds} seconds"), "it is none, or longer than a year");
        }
        let clock = words.next().filter(|word| word.contains(':'));
        if clock.is_some_and(|clock| seconds_of(clock) != Some(seconds)) {
            return wrong(format!("{seconds} seconds and `{}`", clock.unwrap_or("")), "both should say the same");
        }
        self.length = Some(Span::from_us(seconds * 1_000_000));
        match self.elapsed() {
            Some(elapsed) if elapsed.abs_diff(seconds) > SLACK_SECONDS => {
                wrong(format!("an interval of {seconds} seconds"), "From and To are further apart, or nearer")
            }
            Some(_) | None => None,
        }
    }

    /// "Interval 09:56:46 - 09:56:56", as in the head of a page shown on a screen.
    fn take_clock(&mut self, text: &str) {
        let Some((_, rest)) = text.split_once("Interval ") else { return };
        let mut words = rest.split_whitespace();
        let (Some(from), Some("-"), Some(to)) = (words.next(), words.next(), words.next()) else { return };
        if let (Some(start), Some(end)) = (seconds_of(from), seconds_of(to)) {
            let seconds = (end + 86_400 - start) % 86_400;
            self.started = Some(from.to_string());
            self.ended = Some(to.to_string());
            self.length = (seconds > 0).then(|| Span::from_us(seconds * 1_000_000));
        }
    }

    /// Seconds from From to To, when both are full dates and in order.
    fn elapsed(&self) -> Option<u64> {
        let instant = |text: &Option<String>| {
            let (date, clock) = text.as_deref()?.split_once(' ')?;
            Some(days_of(date)? * 86_400 + seconds_of(clock.trim())?)
        };
        instant(&self.ended)?.checked_sub(instant(&self.started)?).filter(|seconds| *seconds > 0)
    }
}

fn between<'a>(text: &'a str, before: &str, after: &str) -> Option<&'a str> {
    let (_, rest) = text.split_once(before)?;
    rest.rsplit_once(after).map(|(middle, _)| middle.trim())
}

/// "hh:mm:ss" as seconds; hours may exceed a day, as an interval's may.
fn seconds_of(clock: &str) -> Option<u64> {
    let parts: Vec<u64> = clock.split(':').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    match parts[..] {
        [hours, minutes, seconds] if hours < 10_000 && minutes < 60 && seconds < 60 => {
            Some(hours * 3_600 + minutes * 60 + seconds)
        }
        _ => None,
    }
}

/// "yyyy/mm/dd" as days of the Gregorian calendar since 0000-03-01.
fn days_of(date: &str) -> Option<u64> {
    let parts: Vec<u64> = date.split('/').map(|part| part.parse().ok()).collect::<Option<_>>()?;
    match parts[..] {
        [year, month, day]
            if (1_900..3_000).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day) =>
        {
            let year = if month < 3 { year - 1 } else { year };
            let since_march = (month + 9) % 12;
            Some(year * 365 + year / 4 - year / 100 + year / 400 + (153 * since_march + 2) / 5 + day)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn title(lines: &[&str]) -> (Title, Vec<Problem>) {
        let mut title = Title::default();
        let take = |(at, line): (usize, &&str)| title.take(&Grid::of(line.as_bytes(), 0..line.len()), at + 1);
        let problems = lines.iter().enumerate().filter_map(take).collect();
        (title, problems)
    }

    #[test]
    fn the_printed_interval_counts_and_may_be_off_by_a_second() {
        let (title, problems) = title(&[
            "From 2007/02/04 13:28:34",
            "To   2007/02/04 13:38:35",
            "For    600 Secs 00:10:00                Result of Y032180H Run",
        ]);
        assert_eq!(problems, []);
        assert_eq!((title.run.as_str(), title.length), ("Y032180H", Some(Span::from_us(600_000_000))));
        assert_eq!(title.started.as_deref(), Some("2007/02/04 13:28:34"));
    }

    #[test]
    fn an_interval_over_midnight_and_a_leap_day_is_counted() {
        let (title, _) = title(&["From 2008/02/28 23:50:00", "To 2008/03/01 00:00:00"]);
        assert_eq!(title.length, Some(Span::from_us((86_400 + 600) * 1_000_000)));
    }

    #[test]
    fn an_interval_on_a_screen_is_taken_from_its_clock() {
        let (title, _) = title(&["FCX108      CPU 2094  SER 12345  Interval 23:59:46 - 00:00:16    Perf. Monitor"]);
        assert_eq!(title.length, Some(Span::from_us(30_000_000)));
    }

    #[test]
    fn contradictions_are_problems() {
        for line in ["For 6x0 Secs", "For 600 Mins", "For 600 Secs 00:11:00", "For 0 Secs", "For 99999999999 Secs"] {
            assert_eq!(title(&[line]).1.len(), 1, "{line}");
        }
        let (_, problems) = title(&["From 2007/02/04 13:00:00", "To 2007/02/04 13:10:00", "For 900 Secs"]);
        assert_eq!(problems.len(), 1);
    }
}
