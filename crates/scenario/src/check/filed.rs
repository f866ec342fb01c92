//! A text in a file of its own: the contents of the file, in a form that a scenario can hold.

use super::reader::Reader;
use super::scalar::{LONGEST_FILE, free_text};
use crate::language::TEXT_FILE_NAME;
use crate::resolved::{Filed, Table, Value};
use crate::text::not_text;

/// The value of a table that names a file.
pub fn filed(reader: &mut Reader<'_, '_>, table: &Table) -> Value {
    let Some(name) = table.text(&TEXT_FILE_NAME) else { return Value::Unusable };
    let filed = |text| Value::Filed(Filed { name: name.to_string(), text });
    let Some(file) = reader.problems.text().files.iter().find(|file| file.name == name) else { return filed(None) };
    let text = match std::str::from_utf8(&file.bytes) {
        Ok(text) => plain(text),
        Err(error) => {
            let problem = not_text(&file.bytes, error.valid_up_to(), &file.shown);
            let problem = problem.because("scenarios and the texts that they name are UTF-8");
            reader.problems.add_elsewhere(problem.key(table.path(&TEXT_FILE_NAME)));
            return Value::Unusable;
        }
    };
    match free_text(&text, LONGEST_FILE, true) {
        Ok(_) => filed(Some(text)),
        Err(problem) => {
            reader.problems.add_elsewhere(problem.in_file(&file.shown).key(table.path(&TEXT_FILE_NAME)));
            Value::Unusable
        }
    }
}

/// The same lines without what a text in a scenario cannot have: each control character is a blank.
fn plain(text: &str) -> String {
    let blank = |c: char| if c.is_control() && c != '\n' { ' ' } else { c };
    text.replace("\r\n", "\n").chars().map(blank).collect()
}
