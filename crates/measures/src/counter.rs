//! What a column of a table is: its name, its unit, how it came about, its formula and where that is written down.
//!
//! It leaves out the values: those are the rows of an interval.

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

/// One counter of a table: the single place where its meaning is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The name of the column, unit last: `pend_ms`.
    pub name: &'static str,
    /// The unit: "1/s", "ms", "%", or "1" for a count.
    pub unit: &'static str,
    /// How it comes about.
    pub how: How,
    /// The formula in the words of the table.
    pub formula: &'static str,
    /// Where the meaning is written down.
    pub source: &'static str,
}

/// One identifying column of a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyColumn {
    /// The name of the column.
    pub name: &'static str,
    /// What stands in it.
    pub meaning: &'static str,
}

/// What stands in an identifying column of one row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// A name, an address, a role.
    Text(String),
    /// A whole number, such as the number of paths.
    Count(u64),
}

impl From<&str> for Key {
    fn from(text: &str) -> Self {
        Key::Text(text.to_string())
    }
}

impl From<u64> for Key {
    fn from(count: u64) -> Self {
        Key::Count(count)
    }
}
