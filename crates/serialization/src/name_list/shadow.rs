//! Entries that have no effect because of others, and wildcards that are none.

use super::entry::{Entry, Kind, List};
use super::index::padded;
use super::lists::NameLists;
use super::shape::Shape;
use crate::name::ResourceName;

/// Something to know about an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Remark {
    /// The entry, as a number of [`NameLists::entries`].
    pub number: usize,
    /// The remark.
    pub why: Why,
}

/// A remark on an entry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// An earlier entry of its list matches all that it matches.
    Shadowed(usize),
    /// An entry of the exclusion list matches all that it matches, and that list has the last word.
    Excluded(usize),
    /// A `*` or `?` in an entry that is no pattern is an ordinary character.
    NoWildcard,
}

/// The remarks on the entries, in their order.
pub(crate) fn remarks(lists: &NameLists) -> Vec<Remark> {
    let mut remarks = Vec::new();
    for (number, entry) in lists.entries().iter().enumerate() {
        let shapes = entry.shapes();
        let mut tell = |why: Option<Why>| remarks.extend(why.map(|why| Remark { number, why }));
        let before = covering(lists, entry.list(), &shapes, number);
        tell(before.map(Why::Shadowed));
        if entry.list() != List::Exclusion {
            tell(covering(lists, List::Exclusion, &shapes, lists.entries().len()).map(Why::Excluded));
        }
        let wild = |name: &[u8]| name.iter().any(|byte| b"*?".contains(byte));
        let wild = wild(entry.qname()) || entry.rname().is_some_and(wild);
        tell((entry.kind() != Kind::Pattern && wild).then_some(Why::NoWildcard));
    }
    remarks
}

impl Remark {
    /// The remark in words with its reason, given the name of another entry.
    pub(crate) fn words(self, lists: &NameLists, name: impl Fn(usize) -> String) -> (String, String) {
        let entry: &Entry = &lists.entries()[self.number];
        let list = entry.list().name();
        match self.why {
            Why::Shadowed(by) => {
                let what = format!("{entry} is never reached");
                (what, format!("an earlier entry of the {list} matches all that it matches: {}", name(by)))
            }
            Why::Excluded(by) => {
                let what = format!("{entry} has no effect");
                (what, format!("the SYSTEMS exclusion list has all that it matches: {}", name(by)))
            }
            Why::NoWildcard => {
                let what = format!("`*` and `?` are ordinary characters in {entry}");
                (what, "they stand for others in TYPE(PATTERN) alone".into())
            }
        }
    }
}

/// The first entry of a list before a number that matches all that these shapes of qname and rname have.
fn covering(lists: &NameLists, list: List, shapes: &[Shape; 2], before: usize) -> Option<usize> {
    let (entries, index) = (lists.entries(), lists.index(list));
    let [(qname, one_qname), (rname, one_rname)] = shapes.each_ref().map(Shape::head);
    let mut found = None;
    if one_qname {
        found = index.first_generic(entries, &padded(&qname), &rname);
        if one_rname && let Ok(name) = ResourceName::new(&padded(&qname), &rname) {
            found = found.into_iter().chain(index.first_specific(entries, &name)).min();
        }
    }
    let found = found.map(|number| number as usize).filter(|&number| number < before);
    let earlier = index.patterns().iter().take_while(|(number, _)| (*number as usize) < found.unwrap_or(before));
    let covers = |theirs: &[Shape; 2]| theirs.iter().zip(shapes).all(|(theirs, own)| theirs.covers(own));
    earlier.into_iter().find(|(_, theirs)| covers(theirs)).map(|&(number, _)| number as usize).or(found)
}

#[cfg(test)]
mod tests {
    use crate::name_list::NameListText;

    fn warnings(text: &str) -> Vec<String> {
        let text = NameListText::read(text.as_bytes(), "").expect("a text");
        text.warnings().iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_conversion_that_is_excluded_is_told() {
        let told = warnings(
            "RNLDEF RNL(CON) TYPE(SPECIFIC) QNAME(SYSVTOC) RNAME(VOL1)\nRNLDEF RNL(EXCL) TYPE(GENERIC) QNAME(SYSVTOC)",
        );
        assert_eq!(
            told,
            ["1:1: RNLDEF RNL(CON) TYPE(SPECIFIC) QNAME(SYSVTOC) RNAME(VOL1) has no effect; the SYSTEMS exclusion \
                 list has all that it matches: line 2: RNLDEF RNL(EXCL) TYPE(GENERIC) QNAME(SYSVTOC)"]
        );
    }

    #[test]
    fn an_entry_behind_a_wider_one_is_told_and_before_it_is_not() {
        let (wide, narrow) =
            ("RNLDEF RNL(INCL) TYPE(PATTERN) QNAME(SYS*)\n", "RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)\n");
        assert_eq!(warnings(&format!("{wide}{narrow}")).len(), 1);
        assert_eq!(warnings(&format!("{narrow}{wide}")), Vec::<String>::new());
    }

    #[test]
    fn exceptions_and_entries_of_other_lists_are_fine() {
        let text = "RNLDEF RNL(INCL) TYPE(GENERIC) QNAME(SYSDSN)\n\
                    RNLDEF RNL(EXCL) TYPE(SPECIFIC) QNAME(SYSDSN) RNAME(PASSWORD)\n\
                    RNLDEF RNL(CON) TYPE(PATTERN) QNAME(*)";
        assert_eq!(warnings(text), Vec::<String>::new());
    }

    #[test]
    fn wildcards_that_are_none_are_told() {
        let told = warnings("RNLDEF RNL(EXCL) TYPE(GENERIC) QNAME(SYSDSN) RNAME(SYS1.*)");
        assert!(told.len() == 1 && told[0].contains("ordinary characters"), "{told:?}");
    }
}
