//! Which caches serve which core, and how far cores are apart.

use crate::plan::topology::{SharedBy, Sizes, Topology};
use crate::signal::control_program::Distance;

/// How many levels there are at most.
pub const MOST_LEVELS: usize = 3;

/// The cores and caches of a machine, as places.
#[derive(Clone, Debug, Default)]
pub(super) struct Layout {
    /// The chip and the book of each core; none without a topology.
    places: Vec<Place>,
    /// How many caches come before those of each level, and how many there are in all.
    firsts: Vec<u32>,
    /// Of each level, by how much it is slower beyond it than beyond the one before.
    steps: Vec<f64>,
    /// For each core, the caches that serve it, by their places among all.
    serving: Vec<[u32; MOST_LEVELS]>,
}

/// The chip of a core, counted over all books, and its book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Place {
    chip: u32,
    book: u32,
}

impl Layout {
    /// This many cores as a topology has them.
    pub fn new(topology: Option<&Topology>, cores: u32) -> Self {
        let sizes = topology.map(Topology::sizes);
        let levels = topology.map_or(&[][..], |of| &of.levels);
        assert!(levels.len() <= MOST_LEVELS, "at most three levels of caches");
        let mut firsts = vec![0];
        let mut steps = Vec::new();
        let mut serving = vec![[0; MOST_LEVELS]; cores as usize];
        let mut beyond = 1.0;
        for (at, level) in levels.iter().enumerate() {
            let cache = |core: u32| match (level.shared_by, sizes) {
                (SharedBy::Core, _) | (_, None) => core,
                (SharedBy::Chip, Some(sizes)) => sizes.chip(core),
                (SharedBy::Book, Some(sizes)) => sizes.book(core),
            };
            for (core, served) in (0..cores).zip(&mut serving) {
                served[at] = firsts[at] + cache(core);
            }
            firsts.push(firsts[at] + cores.checked_sub(1).map_or(0, |last| cache(last) + 1));
            assert!(level.beyond >= beyond, "farther is not faster");
            steps.push(level.beyond - beyond);
            beyond = level.beyond;
        }
        let place = |sizes: Sizes| (0..cores).map(move |core| Place { chip: sizes.chip(core), book: sizes.book(core) });
        Layout { places: sizes.map(place).into_iter().flatten().collect(), firsts, steps, serving }
    }

    /// How many levels there are.
    #[inline]
    pub fn levels(&self) -> usize {
        self.steps.len()
    }

    /// Of each level, by how much it is slower beyond it than beyond the one before.
    #[inline]
    pub fn steps(&self) -> &[f64] {
        &self.steps
    }

    /// How many caches there are at a level.
    pub fn caches(&self, level: usize) -> u32 {
        self.firsts[level + 1] - self.firsts[level]
    }

    /// The place of the first cache of a level.
    pub fn first(&self, level: usize) -> u32 {
        self.firsts[level]
    }

    /// The place of the cache of a level that serves a core.
    #[inline]
    pub fn serving(&self, level: usize, core: u32) -> u32 {
        self.serving[core as usize][level]
    }

    /// The places of the caches that serve a core.
    #[inline]
    pub fn serving_all(&self, core: u32) -> [u32; MOST_LEVELS] {
        self.serving[core as usize]
    }

    /// How far two cores are apart; on one chip where nothing is known of chips.
    #[inline]
    pub fn distance(&self, one: u32, other: u32) -> Distance {
        if one == other {
            return Distance::Same;
        }
        match (self.places.get(one as usize), self.places.get(other as usize)) {
            (Some(one), Some(other)) if one.chip == other.chip => Distance::Chip,
            (Some(one), Some(other)) if one.book == other.book => Distance::Book,
            (Some(_), Some(_)) => Distance::Far,
            (None, _) | (_, None) => Distance::Chip,
        }
    }
}
