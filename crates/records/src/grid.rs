//! A page as lines, and a line as columns of characters, each knowing the bytes that it came from.

use std::ops::Range;

/// The contents of one column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cell {
    /// One character that is one byte, at this offset of the page.
    Byte(char, usize),
    /// One character, or one byte that is no text, that cannot be overwritten by one byte of ASCII.
    Foreign(char),
    /// A column that a tab passes over.
    Tab,
}

/// The columns of a line; beyond its end everything is blank.
#[derive(Clone, Debug)]
pub struct Grid {
    cells: Vec<Cell>,
    begins_page: bool,
}

/// ASSUME: a centred title has this many blanks before it; a row that begins with a number 1 has fewer.
const BEFORE_A_TITLE: usize = 10;

const TAB_STOP: usize = 8;
const NO_BREAK_SPACE: char = '\u{a0}';
const BYTE_ORDER_MARK: char = '\u{feff}';
const FORM_FEED: char = '\u{c}';

/// The lines of a page; they end with LF, CR LF or CR, the last one with or without.
pub(crate) fn lines(page: &[u8]) -> Vec<Grid> {
    let mut lines = Vec::new();
    let mut from = 0;
    while from < page.len() {
        let end = page[from..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).map_or(page.len(), |n| from + n);
        lines.push(Grid::of(page, from..end));
        from = end + if page[end..].starts_with(b"\r\n") { 2 } else { 1 };
    }
    lines
}

/// The lines of a page as a printer shows them: ASA carriage control in the first column of a listing is blank.
///
/// 1, 0, - and + say how far paper moves before the line (z/OS DFSMS Using Data Sets, control characters).  It is a
/// listing where every line begins with one of them or a blank, and one of them begins a page.  Beside other data sets
/// of a job it begins at a line with 1 before a centred title, and ends where a line begins otherwise.
pub(crate) fn printed_lines(page: &[u8]) -> Vec<Grid> {
    let mut lines = lines(page);
    let control =
        |line: &Grid| line.len() == 0 || matches!(line.cell(0), Some(Cell::Byte(' ' | '0' | '1' | '-' | '+', _)));
    let begins = |line: &Grid, blanks: usize| {
        matches!(line.cell(0), Some(Cell::Byte('1', _))) && (1..=blanks).all(|at| line.is_blank(at))
    };
    let whole = lines.iter().all(control) && lines.iter().any(|line| begins(line, 1));
    let mut inside = whole;
    for line in &mut lines {
        inside = control(line) && (inside || begins(line, BEFORE_A_TITLE));
        if inside {
            line.begins_page |= matches!(line.cell(0), Some(Cell::Byte('1', _)));
            if let Some(Cell::Byte(ch, _)) = line.cells.first_mut() {
                *ch = ' ';
            }
        }
    }
    lines
}

impl Grid {
    /// The columns of the line at `range` of a page; tabs go to the next multiple of eight, form feeds nowhere.
    pub(crate) fn of(page: &[u8], range: Range<usize>) -> Self {
        let mut cells = Vec::with_capacity(range.len());
        let mut begins_page = false;
        let mut at = range.start;
        for chunk in page[range].utf8_chunks() {
            for ch in chunk.valid().chars() {
                match ch {
                    '\t' => cells.resize((cells.len() / TAB_STOP + 1) * TAB_STOP, Cell::Tab),
                    FORM_FEED => begins_page = true,
                    BYTE_ORDER_MARK => {}
                    _ if ch.is_ascii() => cells.push(Cell::Byte(ch, at)),
                    _ => cells.push(Cell::Foreign(ch)),
                }
                at += ch.len_utf8();
            }
            cells.extend(chunk.invalid().iter().map(|_| Cell::Foreign(char::REPLACEMENT_CHARACTER)));
            at += chunk.invalid().len();
        }
        Grid { cells, begins_page }
    }

    /// Whether a printer begins a page before the line.
    pub(crate) fn begins_page(&self) -> bool {
        self.begins_page
    }

    /// How many columns the line has.
    pub(crate) fn len(&self) -> usize {
        self.cells.len()
    }

    /// The contents of a column; none beyond the end.
    pub(crate) fn cell(&self, column: usize) -> Option<Cell> {
        self.cells.get(column).copied()
    }

    /// The character in a column.
    pub(crate) fn char(&self, column: usize) -> char {
        match self.cell(column) {
            Some(Cell::Byte(ch, _)) | Some(Cell::Foreign(ch)) => ch,
            Some(Cell::Tab) | None => ' ',
        }
    }

    /// Whether nothing is printed in a column.
    pub(crate) fn is_blank(&self, column: usize) -> bool {
        matches!(self.char(column), ' ' | NO_BREAK_SPACE)
    }

    /// The part of a range of columns that is left without the blanks around it; empty at its start if all is blank.
    pub(crate) fn trim(&self, columns: Range<usize>) -> Range<usize> {
        let end = columns.end.min(self.len());
        let Some(from) = (columns.start..end).find(|column| !self.is_blank(*column)) else {
            return columns.start..columns.start;
        };
        let to = (from..end).rfind(|column| !self.is_blank(*column)).map_or(from, |last| last + 1);
        from..to
    }

    /// The characters in a range of columns, without the blanks around them.
    pub(crate) fn text(&self, columns: Range<usize>) -> String {
        self.trim(columns).map(|column| self.char(column)).collect()
    }

    /// What two or more blanks part on the line: words with single blanks between them, as ranges of columns.
    pub(crate) fn parts(&self) -> Vec<Range<usize>> {
        let mut parts: Vec<Range<usize>> = Vec::new();
        for word in self.words() {
            match parts.last_mut() {
                Some(last) if last.end + 1 == word.start => last.end = word.end,
                Some(_) | None => parts.push(word),
            }
        }
        parts
    }

    /// The words of the line, as ranges of columns.
    pub(crate) fn words(&self) -> Vec<Range<usize>> {
        let mut words = Vec::new();
        let mut from = None;
        for column in 0..=self.len() {
            match (self.is_blank(column), from) {
                (false, None) => from = Some(column),
                (true, Some(start)) => {
                    words.push(start..column);
                    from = None;
                }
                (true, None) | (false, Some(_)) => {}
            }
        }
        words
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(line: &[u8]) -> Grid {
        Grid::of(line, 0..line.len())
    }

    #[test]
    fn carriage_control_is_blank_where_every_line_of_a_listing_has_it() {
        let texts = |page: &str| -> Vec<String> {
            printed_lines(page.as_bytes()).iter().map(|line| line.text(0..line.len())).collect()
        };
        assert_eq!(texts("1  TITLE\n0TOTAL = 9\n A 10\n-B\n\n+C"), ["TITLE", "TOTAL = 9", "A 10", "B", "", "C"]);
        assert_eq!(texts("1  TITLE\nTOTAL = 9"), ["1  TITLE", "TOTAL = 9"], "a line begins with a letter");
        assert_eq!(texts("0 A 10\n1A"), ["0 A 10", "1A"], "no page begins");
        let mixed = "JOB LOG\n1           TITLE\n0A 10\n 1 CP\nJOB LOG\n1 CP";
        assert_eq!(texts(mixed), ["JOB LOG", "TITLE", "A 10", "1 CP", "JOB LOG", "1 CP"], "a page among other data");
    }

    #[test]
    fn a_tab_reaches_the_next_stop() {
        let grid = grid(b"ab\tc");
        assert_eq!((grid.len(), grid.char(8)), (9, 'c'));
        assert_eq!(grid.cell(8), Some(Cell::Byte('c', 3)));
    }

    #[test]
    fn bytes_that_are_no_text_take_a_column_each() {
        let grid = grid(b"\xE9\xE9 x");
        assert_eq!(grid.cell(3), Some(Cell::Byte('x', 3)));
    }

    #[test]
    fn words_are_what_blanks_part() {
        assert_eq!(grid(b" Addr Type  x").words(), [1..5, 6..10, 12..13]);
        assert!(grid(b"  \t ").words().is_empty());
    }

    #[test]
    fn every_line_end_ends_a_line() {
        let page = b"a\nb\r\nc\rd";
        let texts: Vec<String> = lines(page).into_iter().map(|line| line.text(0..line.len())).collect();
        assert_eq!(texts, ["a", "b", "c", "d"]);
    }
}
