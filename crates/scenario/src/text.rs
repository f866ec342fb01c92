//! A scenario file as text, with places in it.

use units::Problem;

/// The largest file that is read: far more than 10,000 volumes need.
pub const LARGEST: usize = 16 << 20;

/// Where something was written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum At {
    /// In the file, from one byte offset to another.
    File(usize, usize),
    /// In the override of this index.
    Set(usize),
    /// In the description of the shipped machine of this index, up to a byte offset.
    Shipped(usize, usize),
    /// Nowhere: something is missing.
    Nowhere,
}

/// A file that a scenario names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// As the scenario names it.
    pub name: String,
    /// Its name in messages.
    pub shown: String,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// The text of a file with the beginnings of its lines, and the overrides that go with it.
pub struct Text<'a> {
    /// The name of the file.
    pub file: &'a str,
    /// The text.
    pub text: &'a str,
    /// The overrides, as they were given.
    pub set: &'a [String],
    /// The files that it names, which were read beside it.
    pub files: &'a [File],
    lines: Vec<usize>,
}

impl<'a> Text<'a> {
    /// The text in some bytes, if it is text.
    pub fn of(bytes: &'a [u8], file: &'a str, set: &'a [String]) -> Result<Text<'a>, Vec<Problem>> {
        if bytes.len() > LARGEST {
            let problem = Problem::new(format!("the file has {} bytes", bytes.len()))
                .in_file(file)
                .because("a scenario of 10,000 volumes needs a few megabytes; this is probably something else")
                .allowed([format!("up to {LARGEST} bytes")]);
            return Err(vec![problem]);
        }
        let text = std::str::from_utf8(bytes).map_err(|error| vec![not_text(bytes, error.valid_up_to(), file)])?;
        let lines = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Ok(Text { file, text, set, files: &[], lines })
    }

    /// The same with the files that it names.
    pub fn with(self, files: &'a [File]) -> Text<'a> {
        Text { files, ..self }
    }

    /// A problem with the place where it is.
    pub fn place(&self, problem: Problem, at: At) -> Problem {
        match at {
            At::File(start, _) => {
                let (line, column) = self.position(start);
                problem.in_file(self.file).at(line, column)
            }
            At::Set(index) => {
                let what = format!("in `{}`: {}", clip(&self.set[index]), problem.what);
                Problem { what, ..problem }.in_file("--set")
            }
            At::Shipped(..) | At::Nowhere => problem.in_file(self.file),
        }
    }

    /// Line and column, in characters, of a byte offset; both from one.
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let line = self.lines.partition_point(|start| *start <= offset).max(1);
        let start = self.lines[line - 1];
        let before = &self.text.as_bytes()[start..offset.clamp(start, self.text.len())];
        // Every character has one byte that does not continue another.
        (line, before.iter().filter(|byte| **byte & 0xC0 != 0x80).count() + 1)
    }

    /// The comment behind a value, if only blanks are between it and the end of its last line.
    ///
    /// No step reads the rest of the line of another value: a list of 100,000 steps may be on one line.
    pub fn comment(&self, at: At) -> &'a str {
        let At::File(_, end) = at else { return "" };
        let rest = self.text.get(end..).unwrap_or("").trim_start_matches([' ', '\t']);
        if rest.starts_with('#') { rest.lines().next().unwrap_or("") } else { "" }
    }
}

/// A text short enough to be repeated in a message, without control characters.
pub fn clip(text: &str) -> String {
    let shown: String = text.chars().take(60).flat_map(char::escape_debug).collect();
    let shown = shown.replace("\\\"", "\"").replace("\\'", "'");
    if text.chars().nth(60).is_some() { format!("{shown}...") } else { shown }
}

/// The problem of bytes that are no text from one of them on.
pub fn not_text(bytes: &[u8], valid: usize, file: &str) -> Problem {
    let before = &bytes[..valid];
    let line = before.iter().filter(|byte| **byte == b'\n').count() + 1;
    let line_start = before.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let column = String::from_utf8_lossy(&before[line_start..]).chars().count() + 1;
    let why = match bytes {
        [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..] => "it begins like UTF-16; save it as UTF-8",
        _ => "scenario files are TOML, which is UTF-8 text",
    };
    Problem::new(format!("the file is not UTF-8 text: byte {:#04X} at offset {valid}", bytes[valid]))
        .in_file(file)
        .at(line, column)
        .because(why)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let text = Text::of("a = 1\r\nb = \"ä\" # x\n".as_bytes(), "f", &[]).unwrap();
        assert_eq!(text.position(0), (1, 1));
        assert_eq!(text.position(7), (2, 1));
        assert_eq!(text.position(14), (2, 7), "ä is two bytes and one character");
        assert_eq!(text.position(10_000), (3, 1));
        assert_eq!(text.comment(At::File(7, 15)), "# x");
        assert_eq!(text.comment(At::File(0, 1)), "", "an equals sign is no comment");
    }

    #[test]
    fn what_is_not_text_is_said_with_its_place() {
        let problems = Text::of(b"name = \"x\"\nab\xFFc", "f", &[]).err().unwrap();
        let problem = &problems[0];
        assert_eq!((problem.line, problem.column), (Some(2), Some(3)));
        assert!(problem.what.contains("0xFF"), "{problem}");
    }
}
