//! Files that hold no page because of how they were moved: wrong encodings, and what is no text at all.

use units::Problem;

/// The text that a reader searches for.
pub(crate) struct Expected {
    /// What would be accepted: "a DEVICE (FCX108) page".
    pub(crate) page: &'static str,
    /// Words that every such page has, in EBCDIC.
    pub(crate) ebcdic: &'static [&'static [u8]],
}

/// The problem of the bytes as a whole, if there is one.
pub(crate) fn problem(bytes: &[u8], expected: &Expected) -> Option<Problem> {
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Some(Problem::new("the file is empty").allowed([expected.page]));
    }
    let allowed = ["ASCII", "UTF-8", "Latin-1"];
    if is_utf16(bytes) {
        let why = "every character takes two bytes, so no column is where its heading says";
        return Some(Problem::new("the file is UTF-16").at(1, 1).because(why).allowed(allowed));
    }
    if let Some(at) = expected.ebcdic.iter().filter_map(|word| find(bytes, word)).min() {
        let why = format!("the heading is in EBCDIC at byte {}; transfer it as text, not as binary", at + 1);
        return Some(Problem::new("the file is EBCDIC").at(1, 1).because(why).allowed(allowed));
    }
    let zero = bytes.iter().position(|byte| *byte == 0)?;
    let (line, column) = place(bytes, zero);
    Some(Problem::new("the file is not text").at(line, column).because("it holds a zero byte here").allowed(allowed))
}

/// A mark at the start, or a zero in every other byte.
fn is_utf16(bytes: &[u8]) -> bool {
    let marked = bytes.starts_with(b"\xFF\xFE") || bytes.starts_with(b"\xFE\xFF");
    let head = &bytes[..bytes.len().min(1 << 12) & !1];
    let zeros = |odd: usize| head.iter().skip(odd).step_by(2).filter(|byte| **byte == 0).count();
    marked || (head.len() >= 8 && zeros(0).max(zeros(1)) * 4 > head.len())
}

fn find(bytes: &[u8], word: &[u8]) -> Option<usize> {
    bytes.windows(word.len()).position(|window| window == word)
}

/// Line and column of a byte, both counted from one.
fn place(bytes: &[u8], at: usize) -> (usize, usize) {
    let before = &bytes[..at];
    let line = before.iter().filter(|byte| **byte == b'\n').count();
    let column = before.iter().rev().take_while(|byte| **byte != b'\n').count();
    (line + 1, column + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    const PAGE: Expected = Expected { page: "a page", ebcdic: &[b"\xC6\xC3\xE7\xF1\xF0\xF8"] };

    fn what(bytes: &[u8]) -> Option<String> {
        problem(bytes, &PAGE).map(|problem| problem.what)
    }

    #[test]
    fn utf16_is_named_with_and_without_its_mark() {
        let wide: Vec<u8> = "FCX108  Run\n".bytes().flat_map(|byte| [byte, 0]).collect();
        assert_eq!(what(&wide).as_deref(), Some("the file is UTF-16"));
        assert_eq!(what(b"\xFE\xFF\0F\0C").as_deref(), Some("the file is UTF-16"));
    }

    #[test]
    fn ebcdic_is_known_by_its_heading() {
        assert_eq!(what(b"\xC6\xC3\xE7\xF1\xF0\xF8\x40\x40").as_deref(), Some("the file is EBCDIC"));
    }

    #[test]
    fn nothing_and_binary_are_no_page() {
        assert_eq!(what(b" \n\r\n").as_deref(), Some("the file is empty"));
        let binary = problem(b"ab\ncd\0e", &PAGE).unwrap();
        assert_eq!((binary.line, binary.column), (Some(2), Some(3)));
    }

    #[test]
    fn latin_1_and_utf8_are_text() {
        assert_eq!(what(b"M\xFCnchen"), None);
        assert_eq!(what("\u{feff}München".as_bytes()), None);
    }
}
