//! The files whose text is a part of a scenario: which it names, and where.

use crate::language::Kind;
use crate::problems::Problems;
use crate::resolved::{Table, Value};
use crate::text::Text;
use crate::{check, screens, set, written};
use units::Problem;

/// A file that a scenario names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// The file, as the scenario names it: relative to the scenario.
    pub file: String,
    /// A problem without words at the place where it is named.
    pub place: Problem,
}

/// The files that a scenario names in place of texts; none of a scenario that cannot be read, which says why by itself.
pub fn named_files(bytes: &[u8], file: &str, set: &[String]) -> Vec<Named> {
    let Ok(text) = Text::of(bytes, file, set) else { return Vec::new() };
    let mut problems = Problems::new(&text);
    let (mut entries, syntax) = written::read(&text);
    screens::rename(&mut entries, &mut problems);
    set::apply(&mut entries, &mut problems);
    let root = check::scenario(&entries, syntax.is_empty(), &mut problems);
    let mut found = Vec::new();
    collect(&root, &text, &mut found);
    found
}

fn collect(table: &Table, text: &Text<'_>, found: &mut Vec<Named>) {
    for entry in &table.entries {
        match &entry.value {
            Value::Filed(filed) => {
                debug_assert!(matches!(entry.key.kind, Kind::TextOr(_)), "other keys name no file in place of a text");
                let place = text.place(Problem::new("").key(table.path(entry.key)), entry.at);
                found.push(Named { file: filed.name.clone(), place });
            }
            Value::Table(inner) => collect(inner, text, found),
            Value::Tables(tables) => tables.iter().for_each(|inner| collect(inner, text, found)),
            _ => {}
        }
    }
}
