//! What a column of a page is to its reader: what stands over it, what stands in it, and whether it has to be there.

use std::fmt::Debug;

/// A column of a page, among those that are read.
pub trait Columned: Copy + PartialEq + Debug + 'static {
    /// Every column, in the order of the page.
    const ALL: &'static [Self];

    /// Its heading with what stands over it, from the top line of the header to the lowest: `AVG IOSQ TIME`.
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

    /// What the column holds.
    fn holds(self) -> Holds;

    /// What a field of the column may hold, in words.
    fn allowed(self) -> &'static str;

    /// Whether several words may stand in it, as in `N N N`.
    fn several(self) -> bool {
        false
    }

    /// Whether a page without it tells too little to be of use.
    fn is_required(self) -> bool;
}

/// What a column holds.
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
