//! Damage of a binary file: what is wrong, where, why, and what to do about it.

use units::Problem;

/// Damage at a place in a binary file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Damage {
    /// The error, as a statement.
    pub what: String,
    /// The byte at which it was found, from 0, and the number of the record, from 1; nothing for the file as a whole.
    pub place: Option<(u64, u64)>,
    /// Why that is wrong.
    pub why: String,
    /// The remedy.
    pub remedy: String,
}

impl Damage {
    /// Damage of the file as a whole.
    pub fn new(what: impl Into<String>) -> Self {
        Damage { what: what.into(), ..Damage::default() }
    }

    /// The same at a byte and a record.
    pub fn at(mut self, byte: u64, record: u64) -> Self {
        self.place = Some((byte, record));
        self
    }

    /// The same with its reason.
    pub fn because(mut self, why: impl Into<String>) -> Self {
        self.why = why.into();
        self
    }

    /// The same with what helps.
    pub fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }

    /// The damage as a problem of a file.
    pub fn problem(self, file: &str) -> Problem {
        let what = match self.place {
            Some((byte, record)) => format!("{} (byte {byte}, record {record})", self.what),
            None => self.what,
        };
        Problem::new(what).in_file(file).because(self.why).remedy(self.remedy)
    }
}
