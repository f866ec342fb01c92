//! A place in a text of fixed lines, of which columns 1 to 71 are read.
//!
//! Source: MVS Initialization and Tuning Reference, GRSRNLxx: a statement takes as many lines as it needs, blanks may
//! stand anywhere but within a word, and columns 1 to 71 count. A byte order mark is passed over.

use std::ops::Range;
use units::Problem;

/// The last column that is read.
pub(crate) const LAST_COLUMN: usize = 71;

/// The place of the next character; it is never behind the last column.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cursor<'a> {
    bytes: &'a [u8],
    /// Where the character is, in bytes from the start.
    pub(crate) at: usize,
    /// Its line, counted from one.
    pub(crate) line: usize,
    /// Its column in characters, counted from one.
    pub(crate) column: usize,
    /// Where the character ends that was read last.
    pub(crate) end: usize,
}

impl<'a> Cursor<'a> {
    /// The first place of a text.
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        let at = if bytes.starts_with(b"\xef\xbb\xbf") { 3 } else { 0 };
        Cursor { bytes, at, line: 1, column: 1, end: at }
    }

    /// The first byte of the next character; none at the end.
    pub(crate) fn peek(&self) -> Option<u8> {
        self.bytes.get(self.at).copied()
    }

    /// Whether the next character is this one.
    pub(crate) fn is_at(&self, byte: u8) -> bool {
        self.peek() == Some(byte)
    }

    /// Over the next character.
    pub(crate) fn step(&mut self) {
        let Some(byte) = self.peek() else { return };
        self.at += 1;
        if byte == b'\n' {
            (self.line, self.column) = (self.line + 1, 1);
            return;
        }
        self.column += 1;
        while byte >= 0xc0 && self.peek().is_some_and(|next| next & 0xc0 == 0x80) {
            self.at += 1;
        }
        self.end = self.at;
        if self.column > LAST_COLUMN {
            let rest = &self.bytes[self.at..];
            self.at += rest.iter().position(|&byte| byte == b'\n').unwrap_or(rest.len());
        }
    }

    /// Over characters for as long as one holds; where they stand.
    pub(crate) fn run(&mut self, holds: impl Fn(u8) -> bool) -> Range<usize> {
        let start = self.at;
        if !self.peek().is_some_and(&holds) {
            return start..start;
        }
        while self.peek().is_some_and(&holds) {
            self.step();
        }
        start..self.end.max(start)
    }

    /// Over blanks, ends of lines and comments.
    ///
    /// # Errors
    /// A comment without its end; then the end of the text is reached.
    pub(crate) fn skip_blanks(&mut self) -> Result<(), Box<Problem>> {
        loop {
            self.run(is_blank);
            if !self.bytes[self.at..].starts_with(b"/*") || self.column == LAST_COLUMN {
                return Ok(());
            }
            let begun = *self;
            self.step();
            self.step();
            while !(self.is_at(b'*') && self.bytes.get(self.at + 1) == Some(&b'/') && self.column < LAST_COLUMN) {
                if self.peek().is_none() {
                    let problem = Problem::new("the comment has no end").at(begun.line, begun.column);
                    return Err(Box::new(problem.allowed(["*/"])));
                }
                self.step();
            }
            self.step();
            self.step();
        }
    }

    /// Within a value, where a line has been used up to its last column: to the next line that is not blank, where the
    /// value goes on in column 1; says whether that was so.
    ///
    /// Source: MVS Initialization and Tuning Reference, GRSRNLxx, rule 6: blank lines within a value are passed over.
    /// ASSUME: a value that does not end in column 71 goes on in column 1.
    pub(crate) fn go_on(&mut self) -> bool {
        if !(self.is_at(b'\n') && self.column > LAST_COLUMN) {
            return false;
        }
        let end = self.end;
        loop {
            self.step();
            self.end = end;
            let mut ahead = *self;
            ahead.run(|byte| byte != b'\n' && is_blank(byte));
            if !ahead.is_at(b'\n') {
                return true;
            }
            *self = ahead;
        }
    }
}

/// Whether a byte is a blank or an end of line.
pub(crate) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\r' | b'\n')
}

/// Text behind the last column that is no sequence number.
pub(crate) fn unread(bytes: &[u8]) -> Vec<Problem> {
    let mut problems = Vec::new();
    for (number, line) in bytes.split(|&byte| byte == b'\n').enumerate() {
        let mut starts = line.iter().enumerate().filter(|&(_, byte)| byte & 0xc0 != 0x80).map(|(at, _)| at);
        let Some(at) = starts.nth(LAST_COLUMN) else { continue };
        let rest = line[at..].trim_ascii_end();
        if rest.iter().any(|byte| !byte.is_ascii_digit() && *byte != b' ') || rest.len() > 9 {
            problems.push(
                Problem::new("text behind column 71")
                    .at(number + 1, LAST_COLUMN + 1)
                    .because("the system reads columns 1 to 71; 72 to 80 are for sequence numbers")
                    .allowed(["a statement on as many lines as it needs"]),
            );
        }
    }
    problems
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_behind_column_71_is_not_read() {
        let text = format!("{}000100\nB", "A".repeat(72));
        let mut cursor = Cursor::new(text.as_bytes());
        assert_eq!(cursor.run(|byte| byte == b'A').len(), LAST_COLUMN);
        assert!(cursor.go_on() && cursor.is_at(b'B'));
        assert_eq!((cursor.line, cursor.column), (2, 1));
    }

    #[test]
    fn a_short_line_does_not_go_on() {
        let mut cursor = Cursor::new(b"AB\nC");
        cursor.run(|byte| byte.is_ascii_alphabetic());
        assert!(!cursor.go_on());
    }

    #[test]
    fn sequence_numbers_are_fine_and_other_text_is_told() {
        let line = |rest: &str| format!("{}{rest}\n", " ".repeat(71));
        assert_eq!(unread(line(" 00010000").as_bytes()), []);
        assert_eq!(unread(line("RNAME(A)").as_bytes())[0].column, Some(72));
    }

    #[test]
    fn comments_are_blanks_and_have_an_end() {
        let mut cursor = Cursor::new(b" /* a\n * b */ X");
        assert_eq!(cursor.skip_blanks(), Ok(()));
        assert!(cursor.is_at(b'X'));
        assert_eq!(Cursor::new(b"/*/").skip_blanks().map_err(|problem| problem.line), Err(Some(1)));
    }
}
