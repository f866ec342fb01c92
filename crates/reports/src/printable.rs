//! Names and notes in a form that a page can hold.

/// A name in one word of ASCII, as a column needs it.
pub(crate) fn plain(name: &str) -> String {
    name.chars().map(|ch| if ch.is_ascii_graphic() { ch } else { '_' }).collect()
}

/// A text without line ends and other control characters.
pub(crate) fn in_one_line(text: &str) -> String {
    text.chars().map(|ch| if ch.is_control() { ' ' } else { ch }).collect()
}
