//! How statements are set on lines of 71 columns when they are written.

use super::cursor::LAST_COLUMN;
use super::entry::Entry;
use super::value;

/// How the names of a changed entry are set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Layout {
    /// Where the old ones were.
    InPlace,
    /// On lines of their own, as far as the columns make it necessary over several.
    OnLinesOfItsOwn,
}

const INDENT: &str = "       ";

/// A statement with the end of its last line.
pub(crate) fn statement(entry: &Entry) -> String {
    let one = entry.to_string();
    if one.len() <= LAST_COLUMN {
        return format!("{one}\n");
    }
    let (list, kind) = (entry.list().word(), entry.kind().word());
    let mut text = format!("RNLDEF RNL({list}) TYPE({kind}) QNAME({})", super::as_written(entry.qname()));
    text.extend(entry.rname().map(|rname| line_of("RNAME", rname)));
    text + "\n"
}

/// A keyword and a name after an end of line; a long name goes on in column 1 of the next line.
pub(crate) fn line_of(keyword: &str, name: &[u8]) -> String {
    let set = |written: &str| {
        let text = format!("{INDENT}{keyword}({written})");
        let lines: Vec<&[u8]> = text.as_bytes().chunks(LAST_COLUMN).collect();
        let blank = lines.iter().any(|line| line.trim_ascii().is_empty());
        let lines = lines.into_iter().map(|line| String::from_utf8_lossy(line).into_owned());
        (format!("\n{}", lines.collect::<Vec<_>>().join("\n")), blank)
    };
    match set(&super::as_written(name)) {
        (text, false) => text,
        // A line of blanks alone would be passed over.
        (_, true) => set(&value::in_hex(name)).0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::name_list::{Kind, List, NameListText};

    #[test]
    fn long_names_are_read_back_as_they_were() {
        let names = [vec![b'A'; 255], vec![b' '; 255], vec![0x18; 255], b"A B".to_vec(), [b'A'; 52].to_vec()];
        let made = names.iter().flat_map(|name| (1..=name.len()).map(move |length| &name[..length]));
        let entries: Vec<Entry> = made
            .filter_map(|rname| Entry::new(List::Conversion, Kind::Specific, b"Q", Some(rname)).ok())
            .collect::<std::collections::BTreeSet<_>>()
            .into_iter()
            .collect();
        let text = NameListText::write(&entries);
        assert!(text.lines().all(|line| line.len() <= LAST_COLUMN));
        assert_eq!(NameListText::read(text.as_bytes(), "").expect("a text").lists().entries(), entries);
    }
}
