//! The notes that say where the numbers of a table come from: `assume`, `calibrated`, `borrowed`, `source`.

use super::{Key, Kind, Need};

const ABSENT: Need = Need::Optional("the note of the table around it holds, in the end that of [source]");

/// The numbers are assumed.
pub static ASSUME: Key =
    Key::new("assume", Kind::Text, ABSENT, "the numbers of this table and below are assumed; the reason");
/// The numbers were fitted to measurements.
pub static CALIBRATED: Key =
    Key::new("calibrated", Kind::Text, ABSENT, "the numbers of this table and below were fitted; to what");
/// The numbers were taken from another system.
pub static BORROWED: Key =
    Key::new("borrowed", Kind::Text, ABSENT, "the numbers of this table and below come from another system; which");
/// The numbers were read somewhere.
pub static CITED: Key = Key::new("source", Kind::Text, ABSENT, "the numbers of this table and below were read; where");

/// All notes; a table carries one of them at most.
pub static NOTES: &[&Key] = &[&ASSUME, &CALIBRATED, &BORROWED, &CITED];

/// Whether a key is a note.
pub fn is_note(key: &Key) -> bool {
    NOTES.iter().any(|note| std::ptr::eq(*note, key))
}
