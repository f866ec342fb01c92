//! A `GRSRNLxx` text: kept to the byte, read into entries, and an entry of it changed in place.

use super::cursor;
use super::entry::{Entry, Kind, List};
use super::layout::{self, Layout};
use super::lists::NameLists;
use super::shadow;
use super::statement::{self, Field, KEYWORDS, Statement};
use std::collections::BTreeMap;
use units::Problem;

/// A text of RNLDEF statements.
#[derive(Clone, Debug)]
pub struct NameListText {
    file: String,
    bytes: Vec<u8>,
    statements: Vec<Statement>,
    lists: NameLists,
}

impl NameListText {
    /// Reads a text; `file` is what problems call it.
    ///
    /// # Errors
    /// Everything that is wrong with it, in the order of its lines.
    pub fn read(bytes: &[u8], file: &str) -> Result<NameListText, Vec<Problem>> {
        let in_file = |problems: Vec<Problem>| -> Vec<Problem> {
            problems.into_iter().map(|problem| problem.in_file(file)).collect()
        };
        if let Some(problem) = no_text(bytes) {
            return Err(in_file(vec![problem]));
        }
        let (statements, mut problems) = statement::read(bytes);
        if !statements.is_empty() {
            problems.extend(cursor::unread(bytes));
        }
        let mut entries = Vec::with_capacity(statements.len());
        for statement in &statements {
            match entry(statement) {
                Ok(entry) => entries.push(entry),
                Err(wrong) => problems.extend(wrong),
            }
        }
        if problems.is_empty() && entries.is_empty() {
            let allowed = "RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)";
            problems.push(Problem::new("has no statement").allowed([allowed]));
        }
        if entries.len() == statements.len() {
            problems.extend(repeated(&entries, &statements));
        }
        problems.sort_by_key(|problem| (problem.line, problem.column));
        if !problems.is_empty() {
            return Err(in_file(problems));
        }
        Ok(NameListText { file: file.into(), bytes: bytes.into(), statements, lists: NameLists::new(entries) })
    }

    /// The text of these entries, a statement each, on as many lines as it takes.
    pub fn write<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> String {
        entries.into_iter().map(layout::statement).collect()
    }

    /// Its name in problems.
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The bytes that were read, but for entries that were changed.
    pub fn to_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The lists.
    pub fn lists(&self) -> &NameLists {
        &self.lists
    }

    /// The line and the column where an entry's statement starts.
    ///
    /// # Panics
    /// When there is no such entry.
    pub fn place(&self, number: usize) -> (usize, usize) {
        self.statements[number].start
    }

    /// Entries of which part or all has no effect, or not the one that was probably meant, each at its place.
    pub fn warnings(&self) -> Vec<Problem> {
        let told = shadow::remarks(&self.lists).into_iter().map(|remark| {
            let (line, column) = self.place(remark.number);
            let by = |number: usize| format!("line {}: {}", self.place(number).0, self.lists.entries()[number]);
            let (what, why) = remark.words(&self.lists, by);
            Problem::new(what).in_file(&self.file).at(line, column).because(why)
        });
        told.collect()
    }

    /// Puts another entry in the place of one; whatever else the text says, comments and blanks included, stays.
    ///
    /// # Errors
    /// When the text would not be read back as meant: the entry is there already, or there is no room on its line.
    ///
    /// # Panics
    /// When there is no such entry.
    pub fn replace(&mut self, number: usize, entry: &Entry) -> Result<(), Vec<Problem>> {
        let mut why = Vec::new();
        for layout in [Layout::InPlace, Layout::OnLinesOfItsOwn] {
            match NameListText::read(&self.with(number, entry, layout), &self.file) {
                Ok(read) if self.differs_there_alone(&read, number, entry) => {
                    *self = read;
                    return Ok(());
                }
                Ok(_) => {}
                Err(problems) if why.is_empty() => why = problems,
                Err(_) => {}
            }
        }
        if why.is_empty() {
            let (line, column) = self.place(number);
            why.push(Problem::new(format!("there is no room for {entry}")).in_file(&self.file).at(line, column));
        }
        Err(why)
    }

    fn differs_there_alone(&self, read: &NameListText, number: usize, entry: &Entry) -> bool {
        let (before, after) = (self.lists.entries(), read.lists.entries());
        let mut pairs = before.iter().zip(after).enumerate();
        before.len() == after.len()
            && pairs.all(|(at, (before, after))| after == if at == number { entry } else { before })
    }

    /// The bytes with the values of one statement written over by those of an entry.
    fn with(&self, number: usize, entry: &Entry, layout: Layout) -> Vec<u8> {
        let (statement, old) = (&self.statements[number], &self.lists.entries()[number]);
        let words = [
            (old.list() != entry.list()).then(|| entry.list().word()),
            (old.kind() != entry.kind()).then(|| entry.kind().word()),
        ];
        let new_qname = (old.qname() != entry.qname()).then_some(entry.qname());
        let names = [new_qname, entry.rname().filter(|&rname| old.rname() != Some(rname))];
        let end_of_line = if self.bytes.windows(2).any(|two| two == b"\r\n") { "\r\n" } else { "\n" };
        let mut edits = Vec::new();
        for (field, word) in statement.fields.iter().zip(words) {
            if let (Field::Read(written), Some(word)) = (field, word) {
                edits.push((written.value.place.clone(), word.to_string()));
            }
        }
        for ((field, keyword), name) in statement.fields[2..].iter().zip(&KEYWORDS[2..]).zip(names) {
            edits.extend(name.map(|name| match field {
                Field::Read(written) => match layout {
                    Layout::InPlace => (written.value.place.clone(), super::as_written(name)),
                    Layout::OnLinesOfItsOwn => (written.whole.clone(), layout::line_of(keyword, name)),
                },
                Field::Absent | Field::Wrong => {
                    let end = statement.place.end;
                    let text = match layout {
                        Layout::InPlace => format!(" {keyword}({})", super::as_written(name)),
                        Layout::OnLinesOfItsOwn => layout::line_of(keyword, name),
                    };
                    (end..end, text)
                }
            }));
        }
        if let (Field::Read(written), None) = (&statement.fields[3], entry.rname()) {
            edits.push((written.whole.clone(), String::new()));
        }
        edits.sort_by_key(|(place, _)| std::cmp::Reverse((place.start, place.end)));
        let mut bytes = self.bytes.clone();
        for (place, text) in edits {
            bytes.splice(place, text.replace('\n', end_of_line).into_bytes());
        }
        bytes
    }
}

/// The entry that a statement makes.
fn entry(statement: &Statement) -> Result<Entry, Vec<Problem>> {
    let mut problems = Vec::new();
    let at = |problem: Problem, (line, column): (usize, usize)| problem.at(line, column);
    for (keyword, field) in KEYWORDS.iter().zip(&statement.fields).take(3) {
        if *field == Field::Absent {
            let problem = Problem::new(format!("the statement has no {keyword}")).key(*keyword);
            problems.push(at(problem.allowed([format!("{keyword}(value)")]), statement.start));
        }
    }
    let [rnl, kind, qname, rname] = statement.fields.each_ref().map(|field| match field {
        Field::Read(written) => Some(&written.value),
        Field::Absent | Field::Wrong => None,
    });
    let word = |value: &super::value::Value| String::from_utf8_lossy(&value.bytes).into_owned();
    let rnl = rnl.and_then(|value| List::read(&word(value)).map_err(|p| problems.push(at(*p, value.start))).ok());
    let kind = kind.and_then(|value| Kind::read(&word(value)).map_err(|p| problems.push(at(*p, value.start))).ok());
    // Names are checked also where the list or the kind is not known, as those of a generic entry, which needs least.
    let checked_as = match (kind, &statement.fields[3]) {
        (Some(Kind::Specific), Field::Wrong) | (None, _) => Kind::Generic,
        (Some(kind), _) => kind,
    };
    let names = (qname.map_or(&b"Q"[..], |value| &value.bytes), rname.map(|value| &value.bytes[..]));
    match Entry::new(rnl.unwrap_or(List::Inclusion), checked_as, names.0, names.1) {
        Ok(entry) => {
            let all_read = rnl.is_some() && kind.is_some() && qname.is_some();
            let sound = all_read && statement.fields[3] != Field::Wrong;
            if sound { Ok(entry) } else { Err(problems) }
        }
        Err(wrong) => {
            let place = |key: &str| if key == "QNAME" { qname } else { rname };
            let start = |problem: &Problem| place(&problem.key).map_or(statement.start, |value| value.start);
            problems.extend(wrong.into_iter().map(|problem| {
                let start = start(&problem);
                at(problem, start)
            }));
            Err(problems)
        }
    }
}

fn repeated(entries: &[Entry], statements: &[Statement]) -> Vec<Problem> {
    let mut first = BTreeMap::new();
    let pairs = entries.iter().zip(statements);
    pairs
        .filter_map(|(entry, statement)| {
            let before = *first.entry(entry).or_insert(statement.start.0);
            let (line, column) = statement.start;
            let again = std::ptr::eq(*first.get_key_value(entry)?.0, entry);
            let problem = Problem::new(format!("{entry} is given again")).at(line, column);
            (!again).then(|| problem.because(format!("line {before} gives it")))
        })
        .collect()
}

/// Why the bytes are no text at all.
fn no_text(bytes: &[u8]) -> Option<Problem> {
    let holds = |sought: &[u8]| bytes.windows(sought.len()).any(|found| found == sought);
    // "RNLDEF" in EBCDIC.
    if holds(&[0xd9, 0xd5, 0xd3, 0xc4, 0xc5, 0xc6]) {
        let why = "it was transferred as binary";
        return Some(Problem::new("is in EBCDIC").because(why).allowed(["a transfer as text"]));
    }
    if bytes.starts_with(&[0xff, 0xfe]) || bytes.starts_with(&[0xfe, 0xff]) {
        return Some(Problem::new("is in UTF-16").allowed(["UTF-8"]));
    }
    None
}
