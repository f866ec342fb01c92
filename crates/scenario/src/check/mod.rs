//! From what was written to values: every table is compared with the language, key by key.

mod filed;
mod quantity;
mod reader;
mod scalar;
mod table;
mod value;

pub use quantity::{YEAR, device};
pub use table::{Path, table};

use reader::Reader;

use crate::language;
use crate::problems::Problems;
use crate::resolved::Table;
use crate::text::At;
use crate::written::Entries;

/// Reads the whole scenario; `complete` is false when syntax errors may have swallowed what seems to be missing.
pub fn scenario(written: &Entries, complete: bool, problems: &mut Problems<'_>) -> Table {
    let mut reader = Reader { problems, complete };
    table(&mut reader, &language::ROOT, written, At::Nowhere, &Path::root())
}
