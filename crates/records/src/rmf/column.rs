//! A column of a page for its reader: its headings, its contents, and whether it is required.

use std::fmt::Debug;

/// A column of a page, among those that are read.
pub trait Columned: Copy + PartialEq + Debug + Send + Sync + 'static {
    /// Every column, in the order of the page.
    const ALL: &'static [Self];

    /// Its heading with those above it, from the top line of the header to the lowest: `AVG IOSQ TIME`.
    fn heading(self) -> &'static str;

    /// The group over it, on pages whose headings stand in groups: with these words its heading begins.
    fn group(self) -> &'static str {
        ""
    }

    /// The group over it and its own words in the lowest line.
    fn grouped(self) -> (&'static str, &'static str) {
        let own = self.heading().strip_prefix(self.group()).expect("a heading begins with its group");
        (self.group(), own.trim_start())
    }

    /// The contents of the column.
    fn holds(self) -> Holds;

    /// The allowed contents of a field of the column, in words.
    fn allowed(self) -> &'static str;

    /// Whether several words may stand in it, as in `N N N`.
    fn several(self) -> bool {
        false
    }

    /// The column of a word that may stand after the number under the same heading, as in `56.8 MED`.
    fn followed_by(self) -> Option<Self> {
        None
    }

    /// Whether a page without it has too little to be of use.
    fn is_required(self) -> bool;
}

/// The contents of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Holds {
    /// A word.
    Word,
    /// A number with or without decimals.
    Number,
    /// A span as hours, minutes, seconds and thousandths: `00.10.15.166`.
    Clock,
}

/// The column with this heading, whatever the case.
pub(crate) fn named<C: Columned>(heading: &str) -> Option<C> {
    C::ALL.iter().copied().find(|column| column.heading().eq_ignore_ascii_case(heading))
}

/// The headings of all columns.
pub(crate) fn headings<C: Columned>() -> Vec<&'static str> {
    C::ALL.iter().map(|column| column.heading()).collect()
}

/// The headings that a page must have.
pub(crate) fn required<C: Columned>() -> impl Iterator<Item = &'static str> {
    C::ALL.iter().filter(|column| column.is_required()).map(|column| column.heading())
}
