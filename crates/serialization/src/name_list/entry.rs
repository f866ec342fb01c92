//! An entry of a name list: its list, the kind of its name, and the name.

use super::shape::Shape;
use super::word;
use crate::name::ResourceName;
use std::fmt;
use units::Problem;

/// One of the three lists.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum List {
    /// The `SYSTEM` inclusion list: names of scope `SYSTEM` that are for all systems.
    Inclusion,
    /// The `SYSTEMS` exclusion list: names of scope `SYSTEMS` that are for one system.
    Exclusion,
    /// The RESERVE conversion list: names whose RESERVE needs no hardware reserve.
    Conversion,
}

/// The kind of an entry's name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// The name itself.
    Specific,
    /// The qname itself, and how the rname begins; without an rname any.
    Generic,
    /// Both with `*` for any characters and `?` for one; without an rname any.
    Pattern,
}

/// An entry, checked at the door. Entries are the same when their lists, kinds and names are.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Entry {
    list: List,
    kind: Kind,
    qname: Box<[u8]>,
    rname: Option<Box<[u8]>>,
}

impl List {
    /// All of them.
    pub const ALL: [List; 3] = [List::Inclusion, List::Exclusion, List::Conversion];

    /// As `RNL()` has it.
    pub const fn word(self) -> &'static str {
        match self {
            List::Inclusion => "INCL",
            List::Exclusion => "EXCL",
            List::Conversion => "CON",
        }
    }

    /// As prose has it.
    pub const fn name(self) -> &'static str {
        match self {
            List::Inclusion => "SYSTEM inclusion list",
            List::Exclusion => "SYSTEMS exclusion list",
            List::Conversion => "RESERVE conversion list",
        }
    }

    /// The list that a word means, in capitals or not.
    ///
    /// # Errors
    /// A problem keyed `RNL` when there is no such list.
    pub fn read(written: &str) -> Result<Self, Box<Problem>> {
        word::read("RNL", written, &List::ALL, List::word)
    }
}

impl Kind {
    /// All of them.
    pub const ALL: [Kind; 3] = [Kind::Specific, Kind::Generic, Kind::Pattern];

    /// As `TYPE()` has it.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::Specific => "SPECIFIC",
            Kind::Generic => "GENERIC",
            Kind::Pattern => "PATTERN",
        }
    }

    /// The kind that a word means, in capitals or not.
    ///
    /// # Errors
    /// A problem keyed `TYPE` when there is no such kind.
    pub fn read(written: &str) -> Result<Self, Box<Problem>> {
        word::read("TYPE", written, &Kind::ALL, Kind::word)
    }
}

impl Entry {
    /// An entry of these names.
    ///
    /// Source: MVS Initialization and Tuning Reference, GRSRNLxx: a specific entry has both names.
    ///
    /// # Errors
    /// Everything that is wrong with the names, each keyed `QNAME` or `RNAME`.
    pub fn new(list: List, kind: Kind, qname: &[u8], rname: Option<&[u8]>) -> Result<Self, Vec<Problem>> {
        let mut problems = match ResourceName::new(qname, rname.unwrap_or(b"R")) {
            Ok(_) => Vec::new(),
            Err(problems) => problems,
        };
        for problem in &mut problems {
            problem.key.make_ascii_uppercase();
        }
        if kind == Kind::Specific && rname.is_none() {
            let what = "TYPE(SPECIFIC) without RNAME";
            problems.push(Problem::new(what).key("RNAME").because("a specific entry gives the whole name"));
        }
        if !problems.is_empty() {
            return Err(problems);
        }
        Ok(Entry { list, kind, qname: without_padding(qname).into(), rname: rname.map(Box::from) })
    }

    /// Its list.
    pub fn list(&self) -> List {
        self.list
    }

    /// Its kind.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Its qname, without the blanks that fill it up.
    pub fn qname(&self) -> &[u8] {
        &self.qname
    }

    /// Its rname, if it has one.
    pub fn rname(&self) -> Option<&[u8]> {
        self.rname.as_deref()
    }

    /// Whether a name is one that it gives.
    ///
    /// Source: MVS Initialization and Tuning Reference, GRSRNLxx, TYPE. ASSUME: a pattern is held against the qname
    /// without the blanks that fill it up.
    pub fn matches(&self, name: &ResourceName) -> bool {
        let (qname, rname) = (without_padding(name.qname()), name.rname());
        match self.kind {
            Kind::Specific => *self.qname == *qname && self.rname.as_deref() == Some(rname),
            Kind::Generic => *self.qname == *qname && rname.starts_with(self.beginning()),
            Kind::Pattern => {
                let [qnames, rnames] = self.shapes();
                qnames.fits(qname) && rnames.fits(rname)
            }
        }
    }

    /// Whether every name that the other gives is one that this gives; the lists do not matter.
    ///
    /// Where it says so, it is so; of patterns that begin or end in `*` it does not see everything.
    pub fn covers(&self, other: &Entry) -> bool {
        let ([qnames, rnames], [their_qnames, their_rnames]) = (self.shapes(), other.shapes());
        qnames.covers(&their_qnames) && rnames.covers(&their_rnames)
    }

    /// Whether some name with this qname is one that it gives.
    pub(crate) fn has_qname(&self, qname: &[u8]) -> bool {
        let qname = without_padding(qname);
        match self.kind {
            Kind::Specific | Kind::Generic => *self.qname == *qname,
            Kind::Pattern => Shape::pattern(&self.qname).fits(qname),
        }
    }

    /// How the rname of a generic entry begins.
    pub(crate) fn beginning(&self) -> &[u8] {
        self.rname.as_deref().unwrap_or_default()
    }

    /// The shapes of qname and rname.
    pub(crate) fn shapes(&self) -> [Shape; 2] {
        match self.kind {
            Kind::Specific => [Shape::exactly(&self.qname), Shape::exactly(self.beginning())],
            Kind::Generic => [Shape::exactly(&self.qname), Shape::beginning_with(self.beginning())],
            Kind::Pattern => {
                let rname = self.rname.as_deref().unwrap_or(b"*");
                [Shape::pattern(&self.qname), Shape::pattern(rname)]
            }
        }
    }
}

impl fmt::Display for Entry {
    /// As one statement on one line, however long.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (list, kind, qname) = (self.list.word(), self.kind.word(), super::as_written(&self.qname));
        write!(f, "RNLDEF RNL({list}) TYPE({kind}) QNAME({qname})")?;
        match &self.rname {
            Some(rname) => write!(f, " RNAME({})", super::as_written(rname)),
            None => Ok(()),
        }
    }
}

/// A qname without the blanks that fill it up.
pub(crate) fn without_padding(qname: &[u8]) -> &[u8] {
    let end = qname.iter().rposition(|&byte| byte != b' ').map_or(0, |last| last + 1);
    &qname[..end]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(kind: Kind, qname: &str, rname: Option<&str>) -> Entry {
        Entry::new(List::Exclusion, kind, qname.as_bytes(), rname.map(str::as_bytes)).expect("an entry")
    }

    fn name(qname: &str, rname: &str) -> ResourceName {
        ResourceName::new(qname.as_bytes(), rname.as_bytes()).expect("a name")
    }

    #[test]
    fn a_specific_entry_gives_its_name_alone() {
        let one = entry(Kind::Specific, "SYSDSN", Some("SYS1.*"));
        assert!(one.matches(&name("SYSDSN", "SYS1.*")));
        assert!(!one.matches(&name("SYSDSN", "SYS1.A")));
    }

    #[test]
    fn a_generic_entry_gives_what_begins_so_or_any() {
        let begins = entry(Kind::Generic, "SYSDSN", Some("SYS1"));
        assert!(begins.matches(&name("SYSDSN", "SYS1")) && begins.matches(&name("SYSDSN", "SYS1.A")));
        assert!(!begins.matches(&name("SYSDSN", "SYS")) && !begins.matches(&name("SYSDSNX", "SYS1")));
        assert!(entry(Kind::Generic, "SYSDSN", None).matches(&name("SYSDSN", "Z")));
    }

    #[test]
    fn a_pattern_gives_any_rname_where_it_has_none() {
        assert!(entry(Kind::Pattern, "*", None).matches(&name("A", "B")));
        assert!(entry(Kind::Pattern, "SYS?", Some("*.B")).matches(&name("SYSA", "A.B")));
        assert!(!entry(Kind::Pattern, "SYS?", None).matches(&name("SYSAB", "A")));
    }

    #[test]
    fn a_specific_entry_without_rname_and_a_long_qname_are_told_at_once() {
        let problems = Entry::new(List::Inclusion, Kind::Specific, b"TOOLONGQNAME", None).expect_err("two problems");
        let keys: Vec<&str> = problems.iter().map(|problem| problem.key.as_str()).collect();
        assert_eq!(keys, ["QNAME", "RNAME"]);
    }
}
