//! The contents of virtual processors in the caches of their cores, and how much longer work takes in cold ones.
//!
//! A virtual processor has storage in at most one cache of each level: the one of the core that it runs or ran on last.
//! While it runs it touches and loads what it misses.  Once a cache is full the others lose as much, in proportion to
//! their contents.  A virtual processor without a footprint has no cache effects.
//!
//! Sizes and sharing of caches are published (the processors' Technical Guides).  ASSUME: misses shrink exponentially
//! while it runs (see [`Coldness`]), and displacement is proportional.  The cost of a fetch from beyond a level is a
//! knob of the scenario.

mod cache;
mod coldness;
mod layout;

pub use coldness::Coldness;

use crate::ids::Virtual;
use crate::plan::control_program::Footprint;
use crate::plan::topology::Topology;
use crate::signal::control_program::Distance;
use cache::{Cache, Stamp};
use layout::{Layout, MOST_LEVELS};
use units::Span;

/// The caches of a machine and their contents.
#[derive(Clone, Debug, Default)]
pub struct Caches {
    layout: Layout,
    /// Those of the innermost level first, in the order of the cores they serve.
    caches: Vec<Cache>,
    /// The contents of each virtual processor; none for one without a footprint.  Empty where none has one, so that
    /// nothing is looked up.
    owners: Vec<Option<Owner>>,
}

/// A virtual processor to which caches matter.
#[derive(Clone, Copy, Debug)]
struct Owner {
    /// In TOD units.
    touched_in: f64,
    levels: [Contents; MOST_LEVELS],
}

/// The contents of a virtual processor at a level.
#[derive(Clone, Copy, Debug)]
struct Contents {
    /// In KiB: its footprint, or the cache where that is smaller.
    wants: f64,
    stamp: Stamp,
    /// Which cache it is in, by its place among all.
    at: Option<u32>,
}

impl Caches {
    /// Empty caches for this many cores, and the footprint of each virtual processor.
    pub fn new(topology: Option<&Topology>, cores: u32, footprints: &[Option<Footprint>]) -> Self {
        let layout = Layout::new(topology, cores);
        let levels = topology.map_or(&[][..], |topology| &topology.levels);
        assert!(levels.iter().all(|level| level.kib > 0), "a cache holds something");
        let made = |at: usize| (0..layout.caches(at)).map(move |_| Cache::new(levels[at].kib as f64));
        let caches = (0..levels.len()).flat_map(made).collect();
        let mut sizes = [0.0; MOST_LEVELS];
        for (size, level) in sizes.iter_mut().zip(levels) {
            *size = level.kib as f64;
        }
        let owner = |footprint: &Option<Footprint>| footprint.and_then(|footprint| Owner::new(footprint, &sizes));
        let owners: Vec<Option<Owner>> = footprints.iter().map(owner).collect();
        let matter = owners.iter().any(Option::is_some);
        Caches { layout, caches, owners: if matter { owners } else { Vec::new() } }
    }

    /// A virtual processor is to run on a core from now on; how cold it finds the caches.
    ///
    /// Its contents of caches that do not serve this core are given up.
    #[inline]
    pub fn enter(&mut self, who: Virtual, core: u32) -> Coldness {
        if self.owner(who).is_none() { Coldness::WARM } else { self.find(who, core) }
    }

    #[inline(always)]
    fn owner(&self, who: Virtual) -> Option<&Owner> {
        self.owners.get(who.index())?.as_ref()
    }

    /// The same where caches matter.
    fn find(&mut self, who: Virtual, core: u32) -> Coldness {
        let Some(owner) = &mut self.owners[who.index()] else { return Coldness::WARM };
        let mut missing = [0.0; MOST_LEVELS];
        let mut slower = 0.0;
        let levels = owner.levels.iter_mut().zip(self.layout.serving_all(core)).zip(&mut missing);
        for (((contents, place), missing), step) in levels.zip(self.layout.steps()) {
            let Contents { wants, stamp, at } = contents;
            if *at != Some(place) {
                if let Some(before) = at.replace(place) {
                    self.caches[before as usize].give_up(*stamp);
                }
                *stamp = self.caches[place as usize].nothing();
            }
            *missing = snapped(1.0 - self.caches[place as usize].resident(*stamp) / *wants);
            slower += *missing * step;
        }
        Coldness { a: slower, missing }
    }

    /// How long work takes that would take so long in warm caches.
    #[inline]
    pub fn elapsed(&self, cold: Coldness, who: Virtual, work: Span) -> Span {
        match self.owner(who) {
            Some(owner) if cold.a > 0.0 => cold.elapsed(owner.touched_in, work),
            Some(_) | None => work,
        }
    }

    /// How much work is done in so long: how long it would have taken in warm caches, never more than it took.
    #[inline]
    pub fn work(&self, cold: Coldness, who: Virtual, elapsed: Span) -> Span {
        match self.owner(who) {
            Some(owner) if cold.a > 0.0 => cold.work(owner.touched_in, elapsed),
            Some(_) | None => elapsed,
        }
    }

    /// A virtual processor has run so long since it entered: what it touched is loaded into every cache of its core.
    ///
    /// What others displaced meanwhile of what it used counts as loaded again: a stretch cut in two is as good as a whole.
    #[inline]
    pub fn leave(&mut self, who: Virtual, cold: Coldness, elapsed: Span) {
        if self.owner(who).is_some() && !elapsed.is_zero() {
            self.load(who, cold, elapsed);
        }
    }

    /// The same where caches matter.
    fn load(&mut self, who: Virtual, cold: Coldness, elapsed: Span) {
        let Some(owner) = &mut self.owners[who.index()] else { return };
        let left = if cold.is_warm() { 0.0 } else { cold.left(owner.touched_in, elapsed) };
        for (contents, missing) in owner.levels.iter_mut().zip(cold.missing).take(self.layout.levels()) {
            let place = contents.at.expect("an owner that leaves has entered");
            let has = contents.wants * (1.0 - snapped(missing * left));
            self.caches[place as usize].load(&mut contents.stamp, has);
        }
    }

    /// How far two cores are apart; on one chip where nothing is known of chips.
    #[inline]
    pub fn distance(&self, one: u32, other: u32) -> Distance {
        self.layout.distance(one, other)
    }

    /// How many levels there are.
    pub fn levels(&self) -> usize {
        self.layout.levels()
    }

    /// How many caches there are at a level; the innermost is level 0.
    pub fn caches(&self, level: usize) -> u32 {
        self.layout.caches(level)
    }

    /// Which of the caches of a level serves a core.
    pub fn cache_of(&self, level: usize, core: u32) -> u32 {
        self.layout.serving(level, core) - self.layout.first(level)
    }

    /// How much all have in a cache of a level, in KiB.
    pub fn occupancy(&self, level: usize, cache: u32) -> f64 {
        self.caches[(self.layout.first(level) + cache) as usize].occupancy()
    }

    /// How much a cache of a level holds, in KiB.
    pub fn capacity(&self, level: usize) -> f64 {
        self.caches[self.layout.first(level) as usize].capacity()
    }

    /// How much a virtual processor has in a cache of a level, in KiB.
    pub fn resident(&self, who: Virtual, level: usize) -> f64 {
        let owner = self.owner(who);
        let there = owner.and_then(|owner| owner.levels[level].at.map(|place| (place, owner.levels[level].stamp)));
        there.map_or(0.0, |(place, stamp)| self.caches[place as usize].resident(stamp))
    }

    /// In which of the caches of a level that is; none where it has not run, or caches do not matter to it.
    pub fn resides(&self, who: Virtual, level: usize) -> Option<u32> {
        let place = self.owner(who)?.levels[level].at?;
        Some(place - self.layout.first(level))
    }
}

impl Owner {
    /// None where nothing is wanted or everything is there at once.
    fn new(footprint: Footprint, sizes: &[f64; MOST_LEVELS]) -> Option<Self> {
        let kib = footprint.kib as f64;
        let matters = footprint.kib > 0 && !footprint.touched_in.is_zero();
        matters.then(|| Owner {
            touched_in: footprint.touched_in.units() as f64,
            levels: sizes.map(|size| Contents { wants: kib.min(size), stamp: Stamp::default(), at: None }),
        })
    }
}

/// A missing share, without what rounding leaves of one: a thousand-millionth is nothing.
fn snapped(share: f64) -> f64 {
    if share < 1e-9 { 0.0 } else { share }
}
