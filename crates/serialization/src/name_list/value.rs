//! A value between parentheses: plain, in quotes or in hex, read from a text and written again.
//!
//! Source: MVS Initialization and Tuning Reference, GRSRNLxx, rule 7. Hex gives the bytes as they are: names have no
//! code page here, and a request for such a name gives the same bytes.

use super::cursor::{Cursor, is_blank};
use units::Problem;

/// A value as it was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Value {
    /// Its text.
    pub(crate) bytes: Vec<u8>,
    /// Its place, its quotes included.
    pub(crate) place: std::ops::Range<usize>,
    /// The line and the column where it starts.
    pub(crate) start: (usize, usize),
}

/// A name as a statement has it: plain where that will do, else in quotes, else in hex.
///
/// ```
/// use serialization::name_list::as_written;
/// assert_eq!(as_written(b"SYS1.LINKLIB"), "SYS1.LINKLIB");
/// assert_eq!(as_written(b"A B"), "'A B'");
/// assert_eq!(as_written(&[0x18]), "X'18'");
/// ```
pub fn as_written(name: &[u8]) -> String {
    let text = String::from_utf8_lossy(name);
    if !name.is_empty() && name.iter().copied().all(is_plain) {
        text.into_owned()
    } else if name.iter().copied().all(is_quotable) {
        format!("'{text}'")
    } else {
        in_hex(name)
    }
}

/// A name as a user writes it: in hex `X'18'`, in quotes, or else as it is.
///
/// ```
/// use serialization::name_list::read_name;
/// assert_eq!(read_name("SYS1.Linklib"), Ok(b"SYS1.Linklib".to_vec()));
/// assert_eq!(read_name("X'C1'"), Ok(vec![0xc1]));
/// ```
///
/// # Errors
/// A character that is allowed in hex only, and wrong hex.
pub fn read_name(text: &str) -> Result<Vec<u8>, Box<Problem>> {
    let within = |start: &str| text.strip_prefix(start).and_then(|rest| rest.strip_suffix('\''));
    if let Some(digits) = within("X'").or_else(|| within("x'")) {
        return unhexed(digits.as_bytes());
    }
    let name = within("'").unwrap_or(text);
    match name.bytes().find(|&byte| !is_quotable(byte)) {
        None => Ok(name.into()),
        Some(byte) => {
            let what = format!("`{}` is not allowed in a name", shown(byte));
            Err(Box::new(Problem::new(what).allowed(["X'name in hex'"])))
        }
    }
}

/// A name in hex.
pub(crate) fn in_hex(name: &[u8]) -> String {
    let digits: String = name.iter().map(|byte| format!("{byte:02X}")).collect();
    format!("X'{digits}'")
}

/// Reads a value; the cursor is on its first character, and then behind its last.
///
/// # Errors
/// The error in it, at its place; the cursor stays where it was seen.
pub(crate) fn read(cursor: &mut Cursor<'_>) -> Result<Value, Box<Problem>> {
    let begun = *cursor;
    let mut ahead = *cursor;
    ahead.step();
    let bytes = match cursor.peek() {
        Some(b'\'') => quoted(cursor)?,
        Some(b'X' | b'x') if ahead.is_at(b'\'') => {
            *cursor = ahead;
            let start = (begun.line, begun.column);
            unhexed(&quoted(cursor)?).map_err(|problem| Box::new(problem.at(start.0, start.1)))?
        }
        _ => plain(cursor)?,
    };
    Ok(Value { bytes, place: begun.at..cursor.end, start: (begun.line, begun.column) })
}

fn plain(cursor: &mut Cursor<'_>) -> Result<Vec<u8>, Box<Problem>> {
    let mut bytes = Vec::new();
    loop {
        match cursor.peek() {
            Some(byte) if is_plain(byte) => {
                bytes.push(byte);
                cursor.step();
            }
            Some(b'\n') if !bytes.is_empty() && cursor.go_on() => {}
            _ => break,
        }
    }
    let problem = match cursor.peek() {
        Some(b')') if bytes.is_empty() => Problem::new("there is nothing between the parentheses"),
        None | Some(b'(' | b')' | b'/') if bytes.is_empty() => Problem::new("a value is missing"),
        None | Some(b'(' | b')' | b'/') => return Ok(bytes),
        Some(byte) if is_blank(byte) && !bytes.is_empty() => return Ok(bytes),
        Some(byte) if byte.is_ascii_lowercase() => {
            Problem::new("small letters stand without quotes").allowed(["capitals", "'name in quotes'"])
        }
        Some(byte) => {
            let what = format!("`{}` is not allowed without quotes", shown(byte));
            Problem::new(what).allowed(["A to Z, 0 to 9, * ? # @ $ .", "'name in quotes'", "X'name in hex'"])
        }
    };
    Err(Box::new(problem.at(cursor.line, cursor.column)))
}

/// The text between two quotes; the cursor is on the first.
fn quoted(cursor: &mut Cursor<'_>) -> Result<Vec<u8>, Box<Problem>> {
    let begun = *cursor;
    let here = |cursor: &Cursor<'_>, what: &str| Problem::new(what).at(cursor.line, cursor.column);
    cursor.step();
    let mut bytes = Vec::new();
    loop {
        match cursor.peek() {
            Some(b'\'') => break,
            Some(b'\n') if cursor.go_on() => {}
            None | Some(b'\n' | b'\r') => {
                let why = "a name goes on in the next line only from column 71, there in column 1";
                return Err(Box::new(here(&begun, "the quotation mark has no other on its line").because(why)));
            }
            Some(byte) if is_quotable(byte) => {
                bytes.push(byte);
                cursor.step();
            }
            Some(byte) => {
                let what = format!("`{}` is not allowed in quotes", shown(byte));
                return Err(Box::new(here(cursor, &what).allowed(["X'name in hex'"])));
            }
        }
    }
    cursor.step();
    if cursor.is_at(b'\'') {
        return Err(Box::new(here(cursor, "a quotation mark is not allowed in a name").allowed(["X'name in hex'"])));
    }
    if bytes.is_empty() {
        return Err(Box::new(here(&begun, "there is nothing between the quotation marks")));
    }
    Ok(bytes)
}

fn unhexed(digits: &[u8]) -> Result<Vec<u8>, Box<Problem>> {
    let allowed = ["0 to 9, A to F"];
    let wrong = || Box::new(Problem::new("a name in hex has two digits for each character").allowed(allowed));
    let digit = |byte: u8| char::from(byte).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
    if !digits.len().is_multiple_of(2) {
        return Err(wrong());
    }
    let pairs = digits.chunks_exact(2);
    pairs.map(|pair| Some(16 * digit(pair[0])? + digit(pair[1])?)).collect::<Option<_>>().ok_or_else(wrong)
}

fn is_plain(byte: u8) -> bool {
    byte.is_ascii_uppercase() || byte.is_ascii_digit() || b"*?#@$.".contains(&byte)
}

fn is_quotable(byte: u8) -> bool {
    (b' '..=b'~').contains(&byte) && byte != b'\''
}

/// A character as a problem shows it.
pub(crate) fn shown(byte: u8) -> String {
    if byte.is_ascii_graphic() { char::from(byte).to_string() } else { format!("X'{byte:02X}'") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn value(text: &str) -> Result<Vec<u8>, String> {
        read(&mut Cursor::new(text.as_bytes())).map(|value| value.bytes).map_err(|problem| problem.to_string())
    }

    #[test]
    fn the_three_forms_of_the_manual_are_read() {
        assert_eq!(value("STW@7)"), Ok(b"STW@7".to_vec()));
        assert_eq!(value("'$ ( )*')"), Ok(b"$ ( )*".to_vec()));
        assert_eq!(value("X'18fF')"), Ok(vec![0x18, 0xff]));
    }

    #[test]
    fn a_name_that_fills_a_line_goes_on_in_the_next() {
        let text = format!("'{}\n{}\nB')", "A".repeat(70), " ".repeat(40));
        assert_eq!(value(&text), Ok([vec![b'A'; 70], vec![b'B']].concat()));
    }

    #[test]
    fn what_is_wrong_is_told_where_it_is() {
        assert_eq!(
            value("AbC)").unwrap_err(),
            "1:2: small letters stand without quotes; allowed: capitals, 'name in quotes'"
        );
        assert!(value(")").unwrap_err().starts_with("1:1: there is nothing"));
        assert!(value("'AB\nC')").unwrap_err().starts_with("1:1: the quotation mark has no other"));
        assert!(value("X'123')").unwrap_err().starts_with("1:1: a name in hex"));
        assert!(value("'A''B')").unwrap_err().starts_with("1:4: a quotation mark"));
    }

    #[test]
    fn whatever_is_written_is_read_again() {
        for name in [&b"A.B*?#@$9"[..], b"a b", b"'", &[0, 255], b"(/*"] {
            assert_eq!(value(&format!("{})", as_written(name))), Ok(name.to_vec()));
        }
    }
}
