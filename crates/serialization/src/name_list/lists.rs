//! The three lists, searched for a request in the order that its scope says.

use super::entry::{Entry, List};
use super::index::Index;
use crate::name::ResourceName;
use crate::request::Scope;
use units::Problem;

use super::word;

/// What is asked for: an ENQ or DEQ with a scope, or a RESERVE, which is for all systems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Asked {
    /// ENQ or DEQ with this scope.
    Enq(Scope),
    /// RESERVE: an ENQ of scope `SYSTEMS`, and the volume.
    Reserve,
}

/// A list that was searched, and the number of the entry that was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Search {
    /// The list.
    pub list: List,
    /// The first of its entries that matches, as a number of [`NameLists::entries`].
    pub found: Option<usize>,
}

/// The outcome of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How far the name reaches.
    pub scope: Scope,
    /// Whether the volume is reserved in hardware.
    pub hardware_reserve: bool,
    searches: [Option<Search>; 2],
}

/// Inclusion, exclusion and conversion list.
#[derive(Clone, Debug)]
pub struct NameLists {
    entries: Vec<Entry>,
    indexes: [Index; 3],
}

impl Asked {
    /// All of them, the narrowest first.
    pub const ALL: [Asked; 4] =
        [Asked::Enq(Scope::Step), Asked::Enq(Scope::System), Asked::Enq(Scope::Systems), Asked::Reserve];

    /// The scope's word, or `RESERVE`.
    pub const fn word(self) -> &'static str {
        match self {
            Asked::Enq(scope) => scope.word(),
            Asked::Reserve => "RESERVE",
        }
    }

    /// The meaning of a word, in capitals or not.
    ///
    /// # Errors
    /// A problem keyed `scope` when there is no such word.
    pub fn read(written: &str) -> Result<Self, Box<Problem>> {
        word::read("scope", written, &Asked::ALL, Asked::word)
    }
}

impl Outcome {
    /// The searches that were made, in their order.
    pub fn searches(&self) -> impl Iterator<Item = Search> {
        self.searches.into_iter().flatten()
    }
}

impl NameLists {
    /// The lists of these entries, each in the order in which they are given.
    ///
    /// # Panics
    /// When there are more than four thousand million.
    pub fn new(entries: Vec<Entry>) -> Self {
        assert!(u32::try_from(entries.len()).is_ok_and(|count| count < u32::MAX), "too many entries to number");
        let numbers = |list: List| -> Vec<u32> {
            (0..entries.len() as u32).filter(|&number| entries[number as usize].list() == list).collect()
        };
        let indexes = List::ALL.map(|list| Index::new(&entries, &numbers(list)));
        NameLists { entries, indexes }
    }

    /// All entries, in the order in which they were given.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// The number of the first entry of a list that matches a name.
    ///
    /// Specific and generic entries cost the same however many there are; patterns are tried one after the other.
    pub fn first(&self, list: List, name: &ResourceName) -> Option<usize> {
        self.index(list).first(&self.entries, name).map(|number| number as usize)
    }

    /// The outcome of a request, and the entries that were found on the way.
    ///
    /// Source: MVS Planning: Global Resource Serialization, RNL processing sequence, figures 1 and 2.
    pub fn settle(&self, asked: Asked, name: &ResourceName) -> Outcome {
        let search = |list| Search { list, found: self.first(list, name) };
        let systems = |before: Option<Search>| {
            let exclusion = search(List::Exclusion);
            let scope = if exclusion.found.is_some() { Scope::System } else { Scope::Systems };
            let searches = if before.is_some() { [before, Some(exclusion)] } else { [Some(exclusion), None] };
            Outcome { scope, hardware_reserve: false, searches }
        };
        match asked {
            Asked::Enq(Scope::Step) => Outcome { scope: Scope::Step, hardware_reserve: false, searches: [None; 2] },
            Asked::Enq(Scope::System) => {
                let inclusion = search(List::Inclusion);
                if inclusion.found.is_some() {
                    return systems(Some(inclusion));
                }
                Outcome { scope: Scope::System, hardware_reserve: false, searches: [Some(inclusion), None] }
            }
            Asked::Enq(Scope::Systems) => systems(None),
            Asked::Reserve => {
                let excluded = systems(None);
                if excluded.scope == Scope::System {
                    return Outcome { hardware_reserve: true, ..excluded };
                }
                let conversion = search(List::Conversion);
                let searches = [excluded.searches[0], Some(conversion)];
                Outcome { hardware_reserve: conversion.found.is_none(), searches, ..excluded }
            }
        }
    }

    pub(crate) fn index(&self, list: List) -> &Index {
        match list {
            List::Inclusion => &self.indexes[0],
            List::Exclusion => &self.indexes[1],
            List::Conversion => &self.indexes[2],
        }
    }
}
