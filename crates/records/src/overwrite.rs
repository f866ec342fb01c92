//! Printing over a field: the bytes of a page with another text in some columns of one line.

use crate::grid::{Cell, Grid};
use std::ops::Range;

/// The page with `text` from column `start` on and blanks in the rest of `old`.  None when a column that would change
/// is beyond the end of the line or is not one byte, or the text is not ASCII.
pub(crate) fn overwrite(page: &[u8], line: &Grid, old: Range<usize>, start: usize, text: &str) -> Option<Vec<u8>> {
    let printed: Vec<char> = text.chars().collect();
    let mut bytes = page.to_vec();
    for place in old.chain(start..start + printed.len()) {
        let Some(Cell::Byte(_, at)) = line.cell(place) else { return None };
        let ch = place.checked_sub(start).and_then(|nth| printed.get(nth)).copied().unwrap_or(' ');
        bytes[at] = u8::try_from(ch).ok().filter(u8::is_ascii)?;
    }
    Some(bytes)
}
