//! What a column of a table is: name, header, unit, digits, how it came about and is combined, formula and source.

/// How a counter comes about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// Counted or timed at every event.
    Measured,
    /// Looked at once per sample, as the control program does.
    Sampled,
    /// Computed from other counters of the interval.
    Derived,
}

impl How {
    /// The word for it: "measured", "sampled", "derived".
    pub const fn word(self) -> &'static str {
        match self {
            How::Measured => "measured",
            How::Sampled => "sampled",
            How::Derived => "derived",
        }
    }
}

/// How the values of several intervals that were read become one; the intervals are equally long.
///
/// The simulator has no need of it: it counts over all of its intervals, too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OverIntervals {
    /// The mean: each interval weighs as much as what the counter is a mean of ([`Counter::by`]), without that alike.
    Mean,
    /// The sum: a count is that of all of the time.
    Sum,
    /// Not at all: a percentile over all of the time is not made of those of its parts.
    Whole,
    /// The least.
    Min,
    /// The greatest.
    Max,
    /// That of the last interval.
    Last,
    /// Not at all: a row of a log is of an instant.
    Instant,
}

impl OverIntervals {
    /// The word for it: "mean", "min", "max", "last", "instant".
    pub const fn word(self) -> &'static str {
        match self {
            OverIntervals::Mean => "mean",
            OverIntervals::Sum => "sum",
            OverIntervals::Whole => "whole",
            OverIntervals::Min => "min",
            OverIntervals::Max => "max",
            OverIntervals::Last => "last",
            OverIntervals::Instant => "instant",
        }
    }
}

/// How many digits of a counter are printed where no half-width beside it decides that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Digits {
    /// Three significant digits; whole digits are never rounded away.
    Significant,
    /// Whole where it is whole, else three significant digits.
    Count,
    /// This number of decimals.
    Decimals(u8),
    /// A time in ms: two decimals, none from 100 ms up.
    Time,
    /// A share of one, in percent with one decimal.
    Share,
}

impl Digits {
    /// The word for it in the spec of a table: "3", "count", ".1", "ms", "share".
    pub fn word(self) -> String {
        match self {
            Digits::Significant => "3".into(),
            Digits::Count => "count".into(),
            Digits::Decimals(places) => format!(".{places}"),
            Digits::Time => "ms".into(),
            Digits::Share => "share".into(),
        }
    }
}

/// One counter of a table: the single place where its meaning is written, and how people see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The name of the column, unit last: `pend_ms`.
    pub name: &'static str,
    /// The name over a column for people, without the unit: "pend".
    pub header: &'static str,
    /// The unit: "1/s", "ms", "%", or "1" for a count.
    pub unit: &'static str,
    /// The digits that are printed.
    pub digits: Digits,
    /// How it comes about.
    pub how: How,
    /// How intervals become one.
    pub over_intervals: OverIntervals,
    /// The counters of the same row whose sum says how much there was to measure; without any there always is something.
    ///
    /// Where they are 0, the counter has no value: a mean of nothing is not 0.
    pub by: &'static [&'static str],
    /// The formula in the words of the table.
    pub formula: &'static str,
    /// Where the meaning is written down.
    pub source: &'static str,
}

/// One column of a table that says what a row is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyColumn {
    /// The name of the column.
    pub name: &'static str,
    /// The meaning of the column.
    pub meaning: &'static str,
    /// Whether it belongs to the name of the row; else it says more of what is named.
    pub identifies: bool,
}

/// The value of an identifying column in one row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key<'a> {
    /// A name, an address, a role.
    Text(&'a str),
    /// A whole number, such as the number of paths.
    Count(u64),
}

impl<'a> From<&'a str> for Key<'a> {
    fn from(text: &'a str) -> Self {
        Key::Text(text)
    }
}

impl From<u64> for Key<'_> {
    fn from(count: u64) -> Self {
        Key::Count(count)
    }
}
