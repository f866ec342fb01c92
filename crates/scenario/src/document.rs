//! A scenario as it was written, and what may be edited in it.

use crate::text::{File, Text};
use crate::written::Entries;

/// One edit, by the path of a key as an override has it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Edit {
    /// An override: `volume.*.gap="0.1 ms"`.
    Set(String),
    /// The path of a key, or of all tables of a kind, that goes; it may be absent already.
    Remove(String),
}

/// What a scenario was read from, overrides and edits included.
#[derive(Debug)]
pub struct Document {
    /// What is written now.
    pub written: Entries,
    pub text: String,
    pub file: String,
    /// Overrides and edits, as messages and marks name them.
    pub set: Vec<String>,
    pub files: Vec<File>,
}

impl Document {
    /// What was read from a text.
    pub fn of(text: &Text<'_>, written: Entries) -> Document {
        let (set, files) = (text.set.to_vec(), text.files.to_vec());
        Document { written, text: text.text.into(), file: text.file.into(), set, files }
    }
}
