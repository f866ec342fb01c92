//! RNLDEF statements as they are written: keywords in any order, each with a value, over as many lines as it takes.

use super::cursor::Cursor;
use super::value::{self, Value, shown};
use super::word;
use std::ops::Range;
use units::Problem;

/// The keywords of a statement.
pub(crate) const KEYWORDS: [&str; 4] = ["RNL", "TYPE", "QNAME", "RNAME"];

const STATEMENT: &str = "RNLDEF";

/// With this many problems the rest is not read.
const MOST: usize = 1_000;

/// The value of a keyword in a statement.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Field {
    /// Absent.
    #[default]
    Absent,
    /// Wrong, and reported.
    Wrong,
    /// A value.
    Read(Written),
}

/// A keyword and its value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Written {
    /// The value.
    pub(crate) value: Value,
    /// From the keyword to the closing parenthesis.
    pub(crate) whole: Range<usize>,
}

/// A statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Statement {
    /// From its first word to behind its last value.
    pub(crate) place: Range<usize>,
    /// The line and the column where it starts.
    pub(crate) start: (usize, usize),
    /// Its value for each of [`KEYWORDS`].
    pub(crate) fields: [Field; 4],
}

/// Reads the statements of a text, and what is wrong with how they are written.
pub(crate) fn read(bytes: &[u8]) -> (Vec<Statement>, Vec<Problem>) {
    let mut reader = Reader { cursor: Cursor::new(bytes), bytes, statements: Vec::new(), problems: Vec::new() };
    reader.read_all();
    (reader.statements, reader.problems)
}

struct Reader<'a> {
    cursor: Cursor<'a>,
    bytes: &'a [u8],
    statements: Vec<Statement>,
    problems: Vec<Problem>,
}

impl Reader<'_> {
    fn read_all(&mut self) {
        while self.problems.len() < MOST {
            if let Err(problem) = self.cursor.skip_blanks() {
                self.problems.push(*problem);
                return;
            }
            let begun = self.cursor;
            let word = self.cursor.run(|byte| byte.is_ascii_alphanumeric());
            match (word.is_empty(), begun.peek()) {
                (true, None) => return,
                _ if self.statements.is_empty() && !self.problems.is_empty() && !self.begins(&word) => {
                    self.cursor.run(|byte| !byte.is_ascii_alphanumeric() && !super::cursor::is_blank(byte));
                }
                (true, Some(byte)) => {
                    self.tell(begun, format!("`{}` is not expected here", shown(byte)), STATEMENT);
                    self.cursor.run(|byte| !byte.is_ascii_alphanumeric() && !super::cursor::is_blank(byte));
                }
                (false, _) => self.take_word(begun, &String::from_utf8_lossy(&self.bytes[word])),
            }
        }
    }

    /// Whether a word begins a statement. Text before the first is reported once.
    fn begins(&self, word: &Range<usize>) -> bool {
        self.bytes[word.clone()].eq_ignore_ascii_case(STATEMENT.as_bytes())
    }

    fn take_word(&mut self, begun: Cursor<'_>, written: &str) {
        if written.eq_ignore_ascii_case(STATEMENT) {
            let start = (begun.line, begun.column);
            self.statements.push(Statement { place: begun.at..self.cursor.end, start, fields: Default::default() });
            return;
        }
        let mut ahead = self.cursor;
        if ahead.skip_blanks().is_ok() && ahead.is_at(b'(') {
            ahead.step();
            self.cursor = ahead;
            return self.take_keyword(begun, written);
        }
        let known = KEYWORDS.iter().any(|keyword| keyword.eq_ignore_ascii_case(written));
        let words = [&[STATEMENT][..], &KEYWORDS].concat();
        let problem = match known {
            true => Problem::new(format!("{written} has no value")).allowed([format!("{written}(value)")]),
            false => Problem::new(format!("there is no statement and no keyword `{}`", word::shown(written)))
                .allowed(words.iter().copied())
                .nearest(word::nearest(written, &words)),
        };
        self.problems.push(problem.at(begun.line, begun.column));
    }

    /// A keyword's value; the cursor is behind the opening parenthesis.
    fn take_keyword(&mut self, begun: Cursor<'_>, written: &str) {
        let read = self.value();
        let end = self.cursor.end;
        let Some(number) = KEYWORDS.iter().position(|keyword| keyword.eq_ignore_ascii_case(written)) else {
            let problem = Problem::new(format!("there is no keyword `{}`", word::shown(written))).allowed(KEYWORDS);
            self.problems.push(problem.nearest(word::nearest(written, &KEYWORDS)).at(begun.line, begun.column));
            return;
        };
        let keyword = KEYWORDS[number];
        let Some(statement) = self.statements.last_mut() else {
            let what = format!("{keyword} is before any statement");
            return self.tell(begun, what, STATEMENT);
        };
        let field = &mut statement.fields[number];
        if *field != Field::Absent {
            let why = format!("a statement has one {keyword}");
            let problem = Problem::new(format!("{keyword} is given again")).key(keyword).because(why);
            self.problems.push(problem.at(begun.line, begun.column));
            return;
        }
        statement.place.end = end;
        *field = match read {
            Ok(value) => Field::Read(Written { value, whole: begun.at..end }),
            Err(problem) => {
                self.problems.push(problem.key(keyword));
                Field::Wrong
            }
        };
    }

    /// A value and the parenthesis that closes it; where something is wrong the rest of the value is passed over.
    fn value(&mut self) -> Result<Value, Box<Problem>> {
        self.cursor.skip_blanks()?;
        let read = value::read(&mut self.cursor).and_then(|value| {
            self.cursor.skip_blanks()?;
            if self.cursor.is_at(b')') {
                return Ok(value);
            }
            let problem = Problem::new("the value has no `)` behind it");
            let why = "a name with blanks has to be in quotes";
            Err(Box::new(problem.at(self.cursor.line, self.cursor.column).because(why)))
        });
        if read.is_err() {
            self.pass_over();
        }
        if self.cursor.is_at(b')') {
            self.cursor.step();
        }
        read
    }

    /// To the parenthesis that closes a value, or to the end of the line, or to the next statement on it.
    fn pass_over(&mut self) {
        while !matches!(self.cursor.peek(), None | Some(b')' | b'\n')) {
            let rest = &self.bytes[self.cursor.at..];
            if rest.get(..STATEMENT.len()).is_some_and(|word| word.eq_ignore_ascii_case(STATEMENT.as_bytes())) {
                return;
            }
            self.cursor.step();
        }
    }

    fn tell(&mut self, at: Cursor<'_>, what: String, allowed: &str) {
        self.problems.push(Problem::new(what).at(at.line, at.column).allowed([allowed]));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problems(text: &str) -> Vec<String> {
        read(text.as_bytes()).1.iter().map(Problem::to_string).collect()
    }

    #[test]
    fn no_blank_is_needed_between_keywords() {
        let text = b"RNLDEF RNL(EXCL)TYPE(SPECIFIC)QNAME(SYSDSN)RNAME(SYS1.BRODCAST)";
        let (statements, problems) = read(text);
        assert_eq!((statements.len(), problems), (1, vec![]));
        assert_eq!(statements[0].place, 0..text.len());
    }

    #[test]
    fn blanks_and_comments_stand_anywhere_but_within_words() {
        let (statements, problems) = read(b"RNLDEF/*one*/RNL /*two*/ ( EXCL\n ) TYPE\n(GENERIC) QNAME(A/*three*/)");
        assert_eq!((statements.len(), problems), (1, vec![]));
        assert!(statements[0].fields[..3].iter().all(|field| matches!(field, Field::Read(_))));
    }

    #[test]
    fn an_unknown_keyword_is_told_with_the_nearest() {
        let told = problems("RNLDEF RLN(EXCL)\nRLNDEF QNAME");
        assert_eq!(told[0], "1:8: there is no keyword `RLN`; allowed: RNL, TYPE, QNAME, RNAME; did you mean RNL?");
        assert!(told[1].starts_with("2:1: ") && told[1].ends_with("did you mean RNLDEF?"), "{}", told[1]);
        assert_eq!(told[2], "2:8: QNAME has no value; allowed: QNAME(value)");
    }

    #[test]
    fn what_stands_before_the_first_statement_is_told_once() {
        let told = problems("RNLDFE RNL(INCL) (\n TYPE X ) ...\nRNLDEF RNL");
        assert_eq!(told.len(), 2, "{told:#?}");
        assert!(told[0].starts_with("1:1: ") && told[1].starts_with("3:8: RNL has no value"), "{told:#?}");
    }

    #[test]
    fn one_bad_value_hides_no_other() {
        let told = problems("RNLDEF QNAME(a) RNAME('B\n  TYPE(X Y) ) RNLDEF RNL(");
        let starts = [
            "1:14: QNAME: small",
            "1:23: RNAME: the quotation",
            "2:10: TYPE: the value has no",
            "2:13: `)`",
            "2:26: RNL: a value",
        ];
        assert_eq!(told.len(), starts.len(), "{told:#?}");
        assert!(told.iter().zip(starts).all(|(told, start)| told.starts_with(start)), "{told:#?}");
    }
}
