//! The entries of one list, laid out so that finding the first that matches costs no more when there are many.
//!
//! A specific entry is found by the hash of the whole name. Generic entries are found by the hashes of the beginnings
//! of the name, of those lengths alone that entries of its qname have: at most 256 of them, however many entries there
//! are.

use super::entry::{Entry, Kind};
use super::shape::Shape;
use crate::name::{QNAME_BYTES, RNAME_MOST, ResourceName};

/// The entries of one list by their numbers, which are those of all lists together.
#[derive(Clone, Debug)]
pub(crate) struct Index {
    specific: Table,
    generic: Table,
    /// By qname, where in `lengths` the lengths of its generic entries are.
    qnames: Table,
    lengths: Vec<Lengths>,
    patterns: Vec<(u32, [Shape; 2])>,
}

/// Which lengths, of 0 to 255, there are.
type Lengths = [u64; RNAME_MOST / 64 + 1];

impl Index {
    /// The entries of these numbers, which must rise.
    pub(crate) fn new(entries: &[Entry], numbers: &[u32]) -> Self {
        let of = |kind: Kind| numbers.iter().copied().filter(move |&number| entries[number as usize].kind() == kind);
        let mut index = Index {
            specific: Table::with_room(of(Kind::Specific).count()),
            generic: Table::with_room(of(Kind::Generic).count()),
            qnames: Table::with_room(of(Kind::Generic).count()),
            lengths: Vec::new(),
            patterns: of(Kind::Pattern).map(|number| (number, entries[number as usize].shapes())).collect(),
        };
        for number in of(Kind::Specific) {
            let entry = &entries[number as usize];
            let name = ResourceName::new(&padded(entry.qname()), entry.beginning());
            index.specific.insert(name.map_or(0, |name| name.hash()), number);
        }
        for number in of(Kind::Generic) {
            index.take_generic(&entries[number as usize], number);
        }
        index
    }

    /// The first entry that matches a name.
    ///
    /// The specific and the generic one are looked up; patterns are tried in order as far as they stand before both.
    pub(crate) fn first(&self, entries: &[Entry], name: &ResourceName) -> Option<u32> {
        let found =
            earlier(self.first_specific(entries, name), self.first_generic(entries, name.qname(), name.rname()));
        let before = self.patterns.iter().take_while(|&&(number, _)| found.is_none_or(|found| number < found));
        let qname = super::entry::without_padding(name.qname());
        let fits = |[qnames, rnames]: &[Shape; 2]| qnames.fits(qname) && rnames.fits(name.rname());
        earlier(before.into_iter().find(|(_, shapes)| fits(shapes)).map(|&(number, _)| number), found)
    }

    /// The first specific entry that matches a name.
    pub(crate) fn first_specific(&self, entries: &[Entry], name: &ResourceName) -> Option<u32> {
        self.specific.find(name.hash(), |number| entries[number as usize].matches(name))
    }

    /// The first generic entry that matches a padded qname and an rname, which may be empty.
    pub(crate) fn first_generic(&self, entries: &[Entry], qname: &[u8], rname: &[u8]) -> Option<u32> {
        let qname = word(qname);
        let lengths = &self.lengths[self.qnames.find(qname, |_| true)? as usize];
        let (mut first, mut hash, mut hashed) = (None, qname, 0);
        for length in each(lengths).take_while(|&length| length <= rname.len()) {
            hash = rname[hashed..length].iter().fold(hash, |hash, &byte| step(hash, byte));
            hashed = length;
            let is_it = |number: u32| {
                let entry = &entries[number as usize];
                entry.beginning() == &rname[..length] && word(&padded(entry.qname())) == qname
            };
            first = earlier(first, self.generic.find(hash, is_it));
        }
        first
    }

    /// Patterns with their shapes, in order.
    pub(crate) fn patterns(&self) -> &[(u32, [Shape; 2])] {
        &self.patterns
    }

    fn take_generic(&mut self, entry: &Entry, number: u32) {
        let (qname, beginning) = (word(&padded(entry.qname())), entry.beginning());
        let at = self.qnames.find(qname, |_| true).unwrap_or_else(|| {
            let at = self.lengths.len() as u32;
            self.qnames.insert(qname, at);
            self.lengths.push(Lengths::default());
            at
        });
        self.lengths[at as usize][beginning.len() / 64] |= 1 << (beginning.len() % 64);
        self.generic.insert(beginning.iter().fold(qname, |hash, &byte| step(hash, byte)), number);
    }
}

/// Numbers by keys that need not be one of a kind: open addressing, at most half full.
#[derive(Clone, Debug)]
struct Table {
    slots: Box<[(u64, u32)]>,
}

/// A slot that holds nothing.
const FREE: u32 = u32::MAX;

impl Table {
    fn with_room(count: usize) -> Self {
        Table { slots: vec![(0, FREE); (2 * count).next_power_of_two().max(2)].into() }
    }

    fn insert(&mut self, key: u64, number: u32) {
        let mut at = self.start(key);
        while self.slots[at].1 != FREE {
            at = (at + 1) % self.slots.len();
        }
        self.slots[at] = (key, number);
    }

    /// The number under a key that is accepted and was inserted first.
    fn find(&self, key: u64, accepts: impl Fn(u32) -> bool) -> Option<u32> {
        let mut at = self.start(key);
        loop {
            match self.slots[at] {
                (_, FREE) => return None,
                (held, number) if held == key && accepts(number) => return Some(number),
                _ => at = (at + 1) % self.slots.len(),
            }
        }
    }

    fn start(&self, key: u64) -> usize {
        let mixed = key.wrapping_mul(KEY);
        (mixed >> 32) as usize & (self.slots.len() - 1)
    }
}

const KEY: u64 = 0x9e37_79b9_7f4a_7c15;

fn step(hash: u64, byte: u8) -> u64 {
    (hash.rotate_left(5) ^ u64::from(byte)).wrapping_mul(KEY)
}

/// A padded qname as a number.
fn word(padded: &[u8]) -> u64 {
    padded.iter().fold(0, |word, &byte| word << 8 | u64::from(byte))
}

/// A qname with the blanks that fill it up.
pub(crate) fn padded(qname: &[u8]) -> [u8; QNAME_BYTES] {
    let mut padded = [b' '; QNAME_BYTES];
    padded[..qname.len()].copy_from_slice(qname);
    padded
}

fn earlier(one: Option<u32>, other: Option<u32>) -> Option<u32> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.min(other)),
        (found, None) | (None, found) => found,
    }
}

/// The lengths of a set, rising.
fn each(lengths: &Lengths) -> impl Iterator<Item = usize> {
    lengths.iter().enumerate().flat_map(|(at, &bits)| {
        let mut left = bits;
        std::iter::from_fn(move || {
            let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
            left &= left - 1;
            Some(64 * at + bit)
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_gives_what_was_inserted_first_under_a_key() {
        let mut table = Table::with_room(3);
        [(7, 1), (7, 2), (9, 3)].into_iter().for_each(|(key, number)| table.insert(key, number));
        assert_eq!(table.find(7, |_| true), Some(1));
        assert_eq!(table.find(7, |number| number > 1), Some(2));
        assert_eq!(table.find(8, |_| true), None);
    }

    #[test]
    fn lengths_come_in_order() {
        let mut lengths = Lengths::default();
        [0, 3, 63, 64, 255].into_iter().for_each(|length| lengths[length / 64] |= 1 << (length % 64));
        assert_eq!(each(&lengths).collect::<Vec<_>>(), [0, 3, 63, 64, 255]);
    }
}
