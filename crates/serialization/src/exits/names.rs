//! Names that exits gave to resources in place of others, each known by a number; and sets of names by patterns.

use crate::name::ResourceName;
use crate::name_list::{Entry, Kind, List, NameLists};

/// A name that an exit gave, by a number of the exits that it belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct NameId(u32);

/// All names that exits gave; there are as many as different ones were given.
#[derive(Clone, Debug, Default)]
pub(super) struct Given {
    names: Vec<ResourceName>,
}

/// A set of names: all that one of its entries gives. The list of an entry does not matter here.
#[derive(Clone, Debug)]
pub struct Names {
    lists: NameLists,
}

impl Given {
    /// The number of a name, which is kept from now on.
    pub(super) fn number(&mut self, name: &ResourceName) -> NameId {
        let known = self.names.iter().position(|one| one == name);
        let at = known.unwrap_or_else(|| {
            self.names.push(name.clone());
            self.names.len() - 1
        });
        NameId(u32::try_from(at).expect("fewer names than numbers for them"))
    }

    pub(super) fn name(&self, id: NameId) -> &ResourceName {
        &self.names[id.0 as usize]
    }
}

impl Names {
    /// The set of what these entries give.
    pub fn new(entries: Vec<Entry>) -> Self {
        Names { lists: NameLists::new(entries) }
    }

    /// All names there are.
    pub fn all() -> Self {
        Names::new(vec![Entry::new(List::Inclusion, Kind::Pattern, b"*", None).expect("`*` is a pattern")])
    }

    /// The entries.
    pub fn entries(&self) -> &[Entry] {
        self.lists.entries()
    }

    /// Whether a name is in the set.
    pub fn has(&self, name: &ResourceName) -> bool {
        List::ALL.into_iter().any(|list| self.lists.first(list, name).is_some())
    }

    /// Whether some name with this qname is in the set.
    pub fn has_some(&self, qname: &[u8]) -> bool {
        self.entries().iter().any(|entry| entry.has_qname(qname))
    }
}
