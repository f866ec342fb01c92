//! How the cores of a machine lie on chips and in books, and which caches they share.

/// Which processors share which caches, from the inside out.
#[derive(Clone, Debug, PartialEq)]
pub struct Topology {
    /// What the machine is called: "zEC12".
    pub name: String,
    /// Cores on a chip.
    pub cores_per_chip: u32,
    /// Chips in a book (or drawer).
    pub chips_per_book: u32,
    /// Processors of a book that partitions can have: the last chips of a book then have fewer, or none.  Without it all
    /// cores of its chips.
    pub cores_per_book: Option<u32>,
    /// Cache levels, the innermost first, at most three; none where caches do not count.
    pub levels: Vec<CacheLevel>,
}

impl Topology {
    /// How many cores a chip has, and a book.
    pub fn sizes(&self) -> Sizes {
        let chip = self.cores_per_chip.max(1);
        let book = self.cores_per_book.unwrap_or(chip * self.chips_per_book).max(1);
        Sizes { chip, book }
    }
}

/// How many cores a chip has, and a book.
///
/// ASSUME: cores fill chips, and chips fill books, in order; chips with fewer are the last of their book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sizes {
    /// Of a chip, at least 1.
    pub chip: u32,
    /// Of a book, at least 1.
    pub book: u32,
}

impl Sizes {
    /// The book of a core.
    pub fn book(self, core: u32) -> u32 {
        core / self.book
    }

    /// The chip of a core, counted over all books.
    pub fn chip(self, core: u32) -> u32 {
        self.book(core) * self.book.div_ceil(self.chip) + core % self.book / self.chip
    }
}

/// A level of caches.
#[derive(Clone, Debug, PartialEq)]
pub struct CacheLevel {
    /// What it is called: "L3".
    pub name: String,
    /// The cores that share one of them; each level is shared by more than the one before it.
    pub shared_by: SharedBy,
    /// How much one of them holds, in KiB.
    pub kib: u64,
    /// The slowdown of work whose storage no level up to this one holds, over warm caches.  It is at least 1, and no
    /// less than at the level before.
    pub beyond: f64,
}

/// The cores that share a cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum SharedBy {
    /// One core: the cache is private.
    Core,
    /// The cores of a chip.
    Chip,
    /// The cores of a book.
    Book,
}
